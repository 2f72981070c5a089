package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Vault;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.Generations;
import dev.takt.persist.store.MappedStorage;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is in the place of a folder or a file is told, and stops no storing if it need not. */
class FolderErrorsTest {
  @TempDir private Path given;

  private Path folder;
  private Path file;
  private Path nowhere;

  @BeforeEach
  void fill() throws IOException {
    folder = given.toRealPath();
    file = Files.createFile(folder.resolve("file"));
    nowhere = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("gone"));
  }

  /** What may be in the place of a file. */
  enum Obstacle {
    EMPTY_FOLDER,
    FOLDER,
    LINK_TO_NOTHING;

    Path in(Path place) throws IOException {
      switch (this) {
        case EMPTY_FOLDER -> Files.createDirectory(place);
        case FOLDER -> Files.createFile(Files.createDirectory(place).resolve("inside"));
        case LINK_TO_NOTHING -> Files.createSymbolicLink(place, place.resolveSibling("gone"));
      }
      return place;
    }
  }

  private static void shouldSay(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(FileSystemException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("another folder");
  }

  @Test
  void shouldSayWhatIsInThePlaceOfTheFolder() throws IOException {
    Path toFile = Files.createSymbolicLink(folder.resolve("toFile"), file);
    for (Path each :
        new Path[] {file, nowhere, toFile, file.resolve("a/b"), nowhere.resolve("a")}) {
      String kind =
          each.startsWith(file)
              ? file + " is a file"
              : each.equals(toFile)
                  ? toFile + " is a link to what is no folder"
                  : nowhere + " is a link to what is not there";
      shouldSay(() -> Persistence.open(each), each + " cannot be used as a folder", kind);
      shouldSay(() -> MappedStorage.open(each), each + " cannot be used as a folder", kind);
      shouldSay(() -> Journal.open(each, EventSpace.create()), kind);
    }
    assertThat(file).isEmptyFile();
    assertThat(Files.isSymbolicLink(nowhere)).isTrue();
  }

  @Test
  void shouldSayThatAFolderMayNotBeWritten() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
    if (Files.isWritable(closed)) { // by root; what another user is told, LockErrorsTest shows
      store(closed);
      return;
    }
    shouldSay(() -> Persistence.open(closed.resolve("a")), "permission denied");
    shouldSay(() -> store(closed), "permission denied", "give this user the right");
    shouldSay(() -> Journal.open(closed, EventSpace.create()), "permission denied");
  }

  @Test
  void shouldSayThatTheFolderHasGone() throws IOException {
    Path gone = folder.resolve("goes");
    Persistence persistence = persistence(gone);
    Files.delete(gone);
    shouldSay(() -> persistence.begin().run(), gone.toString(), "is not there any more");
    shouldSay(persistence::recover, gone.toString(), "is not there any more");
  }

  @ParameterizedTest
  @EnumSource
  void shouldSayThatTheFileOfTheLockCannotBeOne(Obstacle obstacle) throws IOException {
    Path lock = obstacle.in(folder.resolve("takt.lock"));
    shouldSay(() -> store(folder), lock.toString(), "it is a ", "move it away");
    shouldSay(() -> Journal.open(folder, EventSpace.create()), lock.toString(), "it is a ");
  }

  private static Persistence persistence(Path folder) throws IOException {
    Persistence persistence = Persistence.open(folder);
    persistence.addRoot("vault", new Vault("gold"));
    return persistence;
  }

  private static long store(Path folder) throws IOException {
    return persistence(folder).begin().run().generation();
  }

  @ParameterizedTest
  @EnumSource
  void shouldPassOverAGenerationWhosePlaceIsTaken(Obstacle obstacle) throws IOException {
    Path[] obstacles = {
      obstacle.in(folder.resolve("snapshot-0000000000000001.tmp")),
      obstacle.in(folder.resolve("snapshot-0000000000000003.takt")),
      obstacle.in(folder.resolve("changes-0000000000000004-0000000000000002.takt"))
    };
    assertThat(store(folder)).isEqualTo(5);
    assertThat(store(folder)).isEqualTo(6);
    try (Recovery recovery = persistence(folder).recover()) {
      assertThat(recovery.generation()).isEqualTo(6);
      assertThat(recovery.rejected()).isEmpty();
    }
    assertThat(FolderStorage.open(folder).names())
        .contains(Generations.name(5), Generations.name(6));
    for (Path each : obstacles) {
      assertThat(each.toFile().exists() || Files.isSymbolicLink(each)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldPassOverASegmentWhosePlaceIsTaken(Obstacle obstacle) throws IOException {
    obstacle.in(folder.resolve("journal-0000000000000003.takt"));
    EventSpace space = EventSpace.create();
    try (Journal journal = Journal.open(folder, space)) {
      space.write(new Event("order", 1));
      assertThat(journal.failure()).isNull();
    }
    assertThat(Files.isRegularFile(folder.resolve("journal-0000000000000004.takt"))).isTrue();
    assertThat(events(folder)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void shouldGoOnWhenThePlaceOfTheNextSegmentIsTakenMeanwhile(Obstacle obstacle)
      throws IOException {
    JournalSettings settings =
        JournalSettings.DEFAULTS
            .withSizes(1 << 20, 1 << 16, 1 << 16)
            .withPolicy(FsyncPolicy.INTERVAL)
            .withRetryNs(1_000_000);
    EventSpace space = EventSpace.create();
    Event order = new Event("order", 1);
    long expected;
    Path place;
    try (Journal journal = Journal.open(FolderStorage.open(folder), space, settings)) {
      place = obstacle.in(folder.resolve("journal-0000000000000002.takt"));
      while (journal.stats().segments() < 2 || journal.failure() != null) {
        try {
          space.write(order);
          if (space.count(order) > 2) {
            space.take(order);
          }
        } catch (Abort refused) {
          assertThat(refused).hasMessageContainingAll(place.toString(), "it is a ");
        }
      }
      assertThat(journal.stats().failures()).isEqualTo(1);
      expected = space.count(order);
    }
    assertThat(place.toFile().exists() || Files.isSymbolicLink(place)).isTrue();
    assertThat(events(folder)).isEqualTo((int) expected);
  }

  private static int events(Path folder) throws IOException {
    try (Journal journal = Journal.open(folder, EventSpace.create())) {
      return journal.recovered().events();
    }
  }
}
