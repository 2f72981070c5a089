package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.session.Carriers;
import dev.takt.session.Session;
import dev.takt.session.SessionSettings;
import dev.takt.session.SessionStarter;
import dev.takt.session.Sessions;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;
import java.util.Arrays;
import java.util.List;

/**
 * What it costs that a session suspends and is resumed: two of them take turns, each resumes the
 * other one and suspends itself. So there is one of both for each turn.
 *
 * <p>Both may wait deep in calls, as the code of a protocol does: then each call keeps two values
 * until the one below it returns.
 *
 * @param peer what suspends
 * @param depth how many calls there are between the begin of each and the place where it waits
 * @param returns whether it returns from all of these calls after each turn, and makes them again;
 *     else it stays where it waits
 * @param warmup how many turns do not count at first
 * @param turns how many count
 */
public record SwitchRun(SwitchPeer peer, int depth, boolean returns, int warmup, int turns)
    implements ChildRun.Body<Measurement> {
  /** Keeps a call of what is {@code below} the begin a frame of its own on the stack. */
  public static final List<String> FLAGS =
      List.of(
          "-XX:CompileCommand=quiet",
          "-XX:CompileCommand=dontinline,dev.takt.bench.session.SwitchRun*::below",
          "-XX:CompileCommand=dontinline,dev.takt.bench.session.FlowSwitch*::below");

  private static final int BATCH = 1_000;

  /** Makes one that takes turns right where its code begins. */
  public SwitchRun(SwitchPeer peer, int warmup, int turns) {
    this(peer, 0, false, warmup, turns);
  }

  /** When each batch of turns has ended. */
  private static final class Marks {
    private final long[] ns;
    private int count;

    Marks(int batches) {
      ns = new long[batches];
    }

    long total() {
      return ns.length * (long) BATCH;
    }

    /** Notes a turn; returns false from the last one on. */
    boolean tick(long turn) {
      if (turn % BATCH == 0) {
        ns[count++] = System.nanoTime();
      }
      return count < ns.length;
    }

    Measurement figure(int uncounted) {
      long[] counted = Arrays.copyOfRange(ns, Math.min(uncounted, ns.length - 2), ns.length);
      // what a virtual thread allocates is not known
      return Measurement.of(counted, BATCH, 0);
    }
  }

  /** One of two that take turns. */
  private interface Turn {
    void give();

    void await() throws InterruptedException;
  }

  /** Of sessions that may have different carriers. */
  private static final class SharedTurn implements Turn {
    private volatile Suspension place;
    private volatile boolean mine;

    @Override
    public void give() {
      mine = true;
      Suspension waiting = place;
      if (waiting != null) {
        waiting.resume();
      }
    }

    @Override
    public void await() throws InterruptedException {
      if (place == null) {
        place = Suspension.current();
      }
      while (!mine) {
        place.await(Suspension.FOR_EVER_NS);
      }
      mine = false;
    }
  }

  /** Of sessions that one thread steps, as the codes of javaflow: nothing is seen by another. */
  private static final class SteppedTurn implements Turn {
    private Suspension place;
    private boolean mine;

    @Override
    public void give() {
      mine = true;
      if (place != null) {
        place.resume();
      }
    }

    @Override
    public void await() throws InterruptedException {
      if (place == null) {
        place = Suspension.current();
      }
      while (!mine) {
        place.await(Suspension.FOR_EVER_NS);
      }
      mine = false;
    }
  }

  /** The code of one of the two that wait deep in calls. */
  private abstract static class Deep {
    private boolean more = true;

    /** Takes a turn; returns false from the last one on. */
    abstract boolean turn() throws InterruptedException;

    final void run(int depth, boolean returns) throws InterruptedException {
      long kept = 1;
      while (more) {
        kept = below(depth, kept, returns);
      }
    }

    private long below(int depth, long above, boolean returns) throws InterruptedException {
      long kept = 31 * above + depth;
      if (depth > 1) {
        return below(depth - 1, kept, returns) ^ kept ^ depth;
      }
      do {
        more = turn();
      } while (more && !returns);
      return kept;
    }
  }

  @Override
  public Measurement run() throws Exception {
    Marks marks = new Marks((warmup + turns) / BATCH);
    switch (peer) {
      case DEFAULT -> virtual(marks);
      case RAW -> stepped(marks);
      case JAVAFLOW -> javaflow(marks);
    }
    return marks.figure(warmup / BATCH);
  }

  private void virtual(Marks marks) throws Exception {
    int limit = Carriers.use().limit();
    Carriers.limit(1);
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      Session<Void> first = start(sessions, marks, new SharedTurn(), new SharedTurn());
      first.await().value();
    } finally {
      Carriers.limit(limit);
    }
  }

  private void stepped(Marks marks) throws Exception {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Session<Void> first = start(sessions, marks, new SteppedTurn(), new SteppedTurn());
      sessions.runReady();
      first.await().value();
    }
  }

  private void javaflow(Marks marks) {
    FlowSwitch both = new FlowSwitch(depth, returns);
    boolean more = true;
    for (long turn = 1; more; turn++) {
      both.step();
      more = marks.tick(turn);
    }
  }

  /** Starts both; the first one's turns are counted with those of the other between them. */
  private Session<Void> start(SessionStarter sessions, Marks marks, Turn one, Turn other) {
    return depth == 0
        ? startFlat(sessions, marks, one, other)
        : startDeep(sessions, marks, one, other);
  }

  private static Session<Void> startFlat(
      SessionStarter sessions, Marks marks, Turn one, Turn other) {
    Session<Void> first =
        sessions.start(
            "first",
            () -> {
              long turn = 0;
              boolean more = true;
              while (more) {
                other.give();
                one.await();
                turn += 2;
                more = marks.tick(turn);
              }
              return null;
            });
    sessions.start(
        "second",
        () -> {
          long total = marks.total();
          for (long turn = 0; turn < total; turn += 2) {
            other.await();
            one.give();
          }
          return null;
        });
    return first;
  }

  /** The same with calls between. */
  private Session<Void> startDeep(SessionStarter sessions, Marks marks, Turn one, Turn other) {
    Deep asking =
        new Deep() {
          private long turn;

          @Override
          boolean turn() throws InterruptedException {
            other.give();
            one.await();
            turn += 2;
            return marks.tick(turn);
          }
        };
    Deep answering =
        new Deep() {
          private long left = marks.total() / 2;

          @Override
          boolean turn() throws InterruptedException {
            other.await();
            one.give();
            return --left > 0;
          }
        };
    Session<Void> first = start(sessions, "first", asking);
    start(sessions, "second", answering);
    return first;
  }

  private Session<Void> start(SessionStarter sessions, String name, Deep code) {
    return sessions.start(
        name,
        () -> {
          code.run(depth, returns);
          return null;
        });
  }
}
