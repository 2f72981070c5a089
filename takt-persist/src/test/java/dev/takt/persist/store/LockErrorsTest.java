package dev.takt.persist.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which errors of a lock say that there are no locks, and which that this one failed. */
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
}
