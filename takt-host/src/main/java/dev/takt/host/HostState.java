package dev.takt.host;

import dev.takt.persist.Persistence;
import dev.takt.persist.PersistenceTask;
import dev.takt.persist.PersistenceTaskSettings;
import dev.takt.persist.Recovery;
import dev.takt.persist.journal.Journal;
import dev.takt.realtime.internal.Closing;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the events and the state of the tasks of a host in a folder: a journal of each commit, and
 * snapshots, one every ten seconds, so that a start need not read all of it.
 */
final class HostState implements AutoCloseable {
  private static final Logger LOG = System.getLogger(HostState.class.getName());

  private final Persistence persistence;
  private final Journal journal;
  private final Recovery recovery;
  private @Nullable PersistenceTask task;

  private HostState(Persistence persistence, Journal journal, Recovery recovery) {
    this.persistence = persistence;
    this.journal = journal;
    this.recovery = recovery;
  }

  /**
   * Opens a folder, which is made if it is not there, and puts the events into the space.
   *
   * @param space an empty one
   * @throws IOException if it cannot be used, another process uses it, or it is damaged
   */
  static HostState open(Path folder, EventSpace space) throws IOException {
    Persistence persistence = Persistence.open(folder);
    try {
      Journal journal = Journal.open(folder, space);
      try {
        return new HostState(persistence, journal, persistence.recover(journal));
      } catch (Throwable failure) {
        journal.close();
        throw failure;
      }
    } catch (Throwable failure) {
      persistence.close();
      throw failure;
    }
  }

  /** Returns settings for a runtime whose tasks get their state back. */
  RuntimeSettings applyTo(RuntimeSettings settings) {
    return settings.withRecovery(recovery);
  }

  /** Returns whether there was something. */
  boolean isWarm() {
    return journal.recovered().isWarm() || recovery.isWarm();
  }

  /** Returns why commits are refused, since they cannot be kept; null: they are kept. */
  @Nullable Throwable failure() {
    return journal.failure();
  }

  /** Begins to make snapshots; all tasks are registered. */
  void start(ReflexRuntime runtime) throws IOException {
    recovery.close();
    PersistenceTask started =
        PersistenceTask.of(persistence, runtime, PersistenceTaskSettings.DEFAULTS);
    task = started;
    started.start();
  }

  /** Makes the last snapshot, when the tasks have come to rest; if there is none, nothing. */
  void keepLast(ReflexRuntime runtime) {
    try {
      if (task != null && !runtime.tasks().isEmpty()) {
        task.request().join();
      }
    } catch (CancellationException | CompletionException e) {
      LOG.log(Level.WARNING, "no last snapshot; the journal has all since the one before", e);
    }
  }

  @Override
  public void close() throws IOException {
    Closing.<IOException>all(this::endTask, recovery::close, journal::close, persistence::close);
  }

  private void endTask() {
    if (task != null) {
      task.close();
    }
  }
}
