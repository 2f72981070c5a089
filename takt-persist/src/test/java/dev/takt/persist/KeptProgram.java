package dev.takt.persist;

import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.store.Storage;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.time.Duration;

/**
 * A program whose events and tasks a journal keeps: a space, what is recovered, a runtime that is
 * not started. When it is closed nothing is ended orderly: it goes down.
 */
final class KeptProgram implements AutoCloseable {
  static final Duration LONG = Duration.ofMinutes(1);

  final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(512));
  final Persistence persistence;
  final Journal journal;
  final Recovery recovery;
  final ReflexRuntime runtime;

  private KeptProgram(Storage storage, PersistSettings settings, JournalSettings journalSettings)
      throws IOException {
    persistence = Persistence.open(storage, settings);
    journal = Journal.open(storage, space, journalSettings);
    Recovery found = null;
    try {
      found = persistence.recover(journal);
    } finally {
      if (found == null) {
        journal.close();
      }
    }
    recovery = found;
    runtime =
        ReflexRuntime.create(
            space,
            RuntimeSettings.DEFAULTS
                .withWarmUpNs(0)
                .withWorkers(1)
                .withAtomicTimeoutNs(LONG.toNanos())
                .withRecovery(recovery)
                .withFailureHandler((task, thrown) -> {}));
  }

  /** Opens one in a storage. */
  static KeptProgram open(
      Storage storage, PersistSettings settings, JournalSettings journalSettings)
      throws IOException {
    return new KeptProgram(storage, settings, journalSettings);
  }

  @Override
  public void close() throws IOException {
    runtime.close();
    recovery.close();
    journal.close();
  }
}
