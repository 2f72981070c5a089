package dev.takt.bench.session;

import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.measure.Meter;
import dev.takt.session.Carriers;
import dev.takt.session.Session;
import dev.takt.session.SessionSettings;
import dev.takt.session.SessionStarter;
import dev.takt.session.Sessions;
import dev.takt.session.SteppedSessions;
import dev.takt.session.Suspension;

/**
 * What it costs that a session suspends and is resumed: two of them take turns, each resumes the
 * other one and suspends itself. So there is one of both for each turn.
 *
 * @param peer what suspends
 * @param warmup how many turns do not count at first
 * @param turns how many count
 */
public record SwitchRun(SwitchPeer peer, int warmup, int turns)
    implements ChildRun.Body<Measurement> {
  private static final int BATCH = 1_000;
  private static final long LIMIT_MS = 60_000;

  /** One of two that take turns. */
  private static final class Turn {
    private volatile Suspension place;
    private volatile boolean mine;

    void give() {
      mine = true;
      Suspension waiting = place;
      if (waiting != null) {
        waiting.resume();
      }
    }

    void await() throws InterruptedException {
      if (place == null) {
        place = Suspension.current();
      }
      while (!mine) {
        place.await(Suspension.FOR_EVER_NS);
      }
      mine = false;
    }
  }

  @Override
  public Measurement run() throws Exception {
    Meter meter = new Meter(BATCH, warmup, turns);
    switch (peer) {
      case DEFAULT -> virtual(meter);
      case RAW -> stepped(meter);
    }
    return meter.figure(1);
  }

  private static void virtual(Meter meter) throws Exception {
    int limit = Carriers.use().limit();
    Carriers.limit(1);
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      Session<Void> first = start(sessions, meter);
      if (!meter.await(LIMIT_MS)) {
        throw new IllegalStateException("the turns do not come to an end");
      }
      first.await().value();
    } finally {
      Carriers.limit(limit);
    }
  }

  private static void stepped(Meter meter) throws Exception {
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Session<Void> first = start(sessions, meter);
      sessions.runReady();
      first.await().value();
    }
  }

  /** Starts both; the first one's turns are counted with those of the other between them. */
  private static Session<Void> start(SessionStarter sessions, Meter meter) {
    Turn one = new Turn();
    Turn other = new Turn();
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
                more = meter.tick(turn);
              }
              return null;
            });
    sessions.start(
        "second",
        () -> {
          long total = meter.total();
          for (long turn = 0; turn < total; turn += 2) {
            other.await();
            one.give();
          }
          return null;
        });
    return first;
  }
}
