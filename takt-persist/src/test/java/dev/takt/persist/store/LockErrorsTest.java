package dev.takt.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What errors of the system mean: that a file system has no locks, or what a user may not do. */
class LockErrorsTest {
  @ParameterizedTest
  @ValueSource(strings = {"Function not implemented", "Operation not supported"})
  void shouldGoOnWithoutALockWhereAFileSystemKnowsNone(String message) {
    assertThat(FolderLock.knowsNoLocks(new IOException(message))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Input/output error", "No locks available", "something else"})
  void shouldRefuseTheFolderWhenALockFails(String message) {
    assertThat(FolderLock.knowsNoLocks(new IOException(message))).isFalse();
    assertThat(FolderLock.knowsNoLocks(new IOException())).isFalse();
  }

  @Test
  void shouldSayWhatAUserMayNotWrite(@TempDir Path folder) {
    AccessDeniedException denied = new AccessDeniedException("anything");
    assertThat(FolderErrors.folder(folder.resolve("new"), denied))
        .hasMessageContainingAll(
            folder + " may not be written", "permission denied", "another folder");
    assertThat(FolderErrors.file(folder.resolve("file"), "made", denied))
        .hasMessageContainingAll(
            folder.resolve("file") + " cannot be made", "permission denied", "give this user");
  }
}
