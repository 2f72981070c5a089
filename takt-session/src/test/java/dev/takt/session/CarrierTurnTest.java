package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a session is to let others run: by the time of its set, which goes on only in waits. */
class CarrierTurnTest {
  private static final long MS = 1_000_000;

  @Test
  void shouldPassTheCarrierOnAfterAMillisecondWithoutAWait() throws Exception {
    List<Boolean> over = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      Session<Long> session =
          sessions.start(
              "greedy",
              () -> {
                Suspension here = Suspension.current();
                CarrierTurn turn = new CarrierTurn();
                over.add(turn.isOver());
                here.await(MS - 1);
                over.add(turn.isOver());
                here.await(1);
                over.add(turn.isOver());
                long beganNs = here.nanoTime();
                turn.pass();
                over.add(turn.isOver());
                return here.nanoTime() - beganNs;
              });
      sessions.runUntil(sessions.nanoTime() + 1_000 * MS);
      assertThat(session.await().value()).as("how long it has let others run").isPositive();
    }
    assertThat(over).containsExactly(false, false, true, false);
  }

  @Test
  void shouldBeginATurnWhenWorkWasWaitedFor() throws Exception {
    List<Boolean> over = new ArrayList<>();
    try (SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      sessions.start(
          "modest",
          () -> {
            Suspension here = Suspension.current();
            CarrierTurn turn = new CarrierTurn();
            for (int i = 0; i < 21; i++) {
              turn.isOver();
              here.await(49_999); // too short to have been a wait for work
              turn.beginIfWaited();
            }
            over.add(turn.isOver());
            here.await(50_000);
            turn.beginIfWaited();
            over.add(turn.isOver());
            here.await(MS);
            over.add(turn.isOver());
            turn.begin();
            over.add(turn.isOver());
            return null;
          });
      sessions.runUntil(sessions.nanoTime() + 1_000 * MS);
    }
    assertThat(over).containsExactly(true, false, true, false);
  }
}
