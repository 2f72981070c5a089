package dev.takt.rtsj.local;

import org.jspecify.annotations.Nullable;

/**
 * A thread that has room for the record that monitors keep about it, where other threads have a
 * {@link ThreadLocal}.
 *
 * <p><b>Thread rule:</b> the record is for the thread itself.
 */
public abstract class ThreadWithRecord extends Thread {
  private @Nullable Object monitorRecord;

  /**
   * Makes it, without a record.
   *
   * @param task what it runs
   * @param name its name
   */
  protected ThreadWithRecord(Runnable task, String name) {
    super(task, name);
  }

  /** Returns what was kept last; null: nothing yet. */
  public final @Nullable Object monitorRecord() {
    return monitorRecord;
  }

  /** Keeps it, as long as this object is kept. */
  public final void keepMonitorRecord(Object record) {
    monitorRecord = record;
  }
}
