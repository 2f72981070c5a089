package dev.takt.mutation;

/** Notes which places the test that runs has reached. */
public final class Probe {
  private static volatile boolean[] reached = new boolean[0];

  private Probe() {}

  /** Called at each place of a class that is looked at. */
  public static void hit(int id) {
    boolean[] now = reached;
    if (id < now.length) {
      now[id] = true;
    }
  }

  /** Begins anew, and returns what was reached before. */
  static boolean[] exchange(int places) {
    boolean[] before = reached;
    reached = new boolean[places];
    return before;
  }
}
