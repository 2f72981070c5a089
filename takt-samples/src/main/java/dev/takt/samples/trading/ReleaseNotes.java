package dev.takt.samples.trading;

/**
 * What a task notes about its running release, for its {@link TaskMeter}. It refers to nothing that
 * changes, so a task may keep it; what is noted is outside of the task's memory and stays when the
 * release is undone, until {@link #begin} forgets it.
 *
 * <p><b>Thread rule:</b> on the thread that runs the task, one at a time.
 */
final class ReleaseNotes {
  final String name;
  private final long[] writtenNs;
  private int taken;
  private int done;

  /**
   * Makes notes.
   *
   * @param name the task's
   * @param maxEvents how many events a release takes at most; more are not measured
   */
  ReleaseNotes(String name, int maxEvents) {
    this.name = name;
    writtenNs = new long[maxEvents];
  }

  /** A release begins, or begins again after a conflict. */
  void begin() {
    taken = 0;
    done = 0;
  }

  /** The release has taken an event that was written then. */
  void take(long writtenAtNs) {
    if (taken < writtenNs.length) {
      writtenNs[taken++] = writtenAtNs;
    }
  }

  /** The release has done once more what this task is there for. */
  void done() {
    done++;
  }

  /** Returns how many events were taken. */
  int takenEvents() {
    return taken;
  }

  /** Returns when one of them was written. */
  long writtenNs(int index) {
    return writtenNs[index];
  }

  /** Returns how often the release did what the task is there for. */
  int timesDone() {
    return done;
  }
}
