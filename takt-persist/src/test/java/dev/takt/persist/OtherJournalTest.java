package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Teller;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Snapshots that go with a journal are refused beside another one, or none of it. */
class OtherJournalTest {
  private final MemoryStorage storage = new MemoryStorage();

  private static KeptProgram open(MemoryStorage storage, int id) throws IOException {
    return KeptProgram.open(storage, PersistSettings.DEFAULTS, JournalSettings.DEFAULTS.withId(id));
  }

  /** Runs a program that takes some orders, and stores them if it is to; returns its journal. */
  private static int run(MemoryStorage storage, int id, int orders, boolean stores)
      throws IOException {
    try (KeptProgram program = open(storage, id)) {
      Teller teller = new Teller(Tellers.SEED);
      program.runtime.active("teller", teller, Schedule.continuous());
      long last = teller.count();
      program.runtime.start();
      for (int i = 1; i <= orders; i++) {
        program.space.write(new Event("order", last + i).add("text", "x"));
      }
      while (program.space.count(new Event("done", last + orders)) == 0) {
        Thread.onSpinWait();
      }
      if (stores) {
        program.persistence.begin(program.runtime).run();
      }
      return program.journal.id();
    }
  }

  private static List<String> files(MemoryStorage storage, String kind) {
    return storage.names().stream().filter(name -> name.startsWith(kind)).toList();
  }

  private static String hex(int id) {
    return "0x%08x".formatted(id);
  }

  private void shouldRefuse(int expected, int id, String what) throws IOException {
    List<String> snapshots = files(storage, "snapshot");
    assertThatThrownBy(() -> open(storage, id).close())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            snapshots.getLast(),
            "goes with journal " + hex(expected),
            "of task teller",
            what,
            "JournalSettings.withId(" + hex(expected) + ")");
    assertThat(files(storage, "snapshot")).isEqualTo(snapshots);
  }

  private void deleteSegments() throws IOException {
    for (String name : files(storage, "journal")) {
      storage.delete(name);
    }
  }

  @Test
  void shouldRefuseSnapshotsWhoseJournalIsGoneUntilItsPlaceIsGivenToAnother() throws IOException {
    int id = run(storage, 0, 10, true);
    assertThat(run(storage, 0, 10, true)).as("it keeps its id").isEqualTo(id);
    deleteSegments();
    shouldRefuse(id, 0, "which is new");
    deleteSegments();

    assertThat(run(storage, id, 10, false)).isEqualTo(id);
    assertThat(run(storage, 0, 10, true)).as("it has the id by itself").isEqualTo(id);
    assertThat(run(storage, id, 10, true)).isEqualTo(id);
  }

  /** The task has the same name, and more revisions. */
  @Test
  void shouldRefuseSnapshotsBesideTheJournalOfAnotherProgram() throws IOException {
    int id = run(storage, 0, 10, true);
    MemoryStorage other = new MemoryStorage();
    int otherId = run(other, 0, 200, false);
    assertThat(otherId).isNotEqualTo(id);
    deleteSegments();
    files(other, "journal").forEach(name -> storage.put(name, other.bytes(name)));

    shouldRefuse(id, 0, hex(otherId) + ", which has events or tasks");
    assertThatThrownBy(() -> open(storage, id))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(hex(id), hex(otherId), "empty folder");
  }

  /** What the journal has is older than that snapshot, and would take its place. */
  @Test
  void shouldRefuseASnapshotThatWasMadeWithoutItsJournalSince() throws IOException {
    int id = run(storage, 0, 10, true);
    Persistence without = Persistence.open(storage, PersistSettings.DEFAULTS);
    try (Recovery recovery = without.recover();
        ReflexRuntime runtime =
            ReflexRuntime.create(
                EventSpace.create(),
                RuntimeSettings.DEFAULTS.withWarmUpNs(0).withRecovery(recovery))) {
      runtime.active("teller", new Teller(Tellers.SEED), Schedule.continuous());
      without.begin(runtime).run();
    }
    String newer = files(storage, "snapshot").getLast();
    assertThatThrownBy(() -> open(storage, 0).close())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            newer + " was made without journal " + hex(id), "a new journal", "move the newer");
    assertThat(files(storage, "snapshot")).contains(newer);

    deleteSegments();
    assertThat(run(storage, 0, 10, true)).isNotEqualTo(id);
  }

  @Test
  void shouldTakeSnapshotsThatWereMadeWithoutAJournal() throws IOException {
    Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      persistence.begin(grower.runtime).run();
    }
    try (Journal journal = Journal.open(storage, EventSpace.create(), JournalSettings.DEFAULTS);
        Recovery recovery = persistence.recover(journal)) {
      assertThat(recovery.roots()).containsExactly(GrowerRuntime.NAME);
    }
  }
}
