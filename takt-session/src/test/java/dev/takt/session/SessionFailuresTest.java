package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Who learns that a session has failed when nobody asks for its outcome. */
class SessionFailuresTest {
  private static final long SECOND_NS = 1_000_000_000;

  private static Object fail(Exception failure) throws Exception {
    throw failure;
  }

  @Test
  void shouldTellTheHandlerOfEachSessionThatFailsAndOfNoOther() throws Exception {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    SessionSettings settings =
        SessionSettings.DEFAULTS
            .withFailureHandler(
                (session, failure) ->
                    told.add(session + " " + failure.getMessage() + " " + session.outcome()))
            .withMaxSessions(10)
            .withCloseTimeout(SessionSettings.DEFAULTS.closeTimeout());
    try (Logged logged = new Logged();
        Sessions sessions = Sessions.open(settings)) {
      sessions.start("a", () -> fail(new IllegalStateException("first"))).await();
      sessions.start("b", () -> 1).await();
      Session<Object> cancelled =
          sessions.start(
              "c",
              () -> {
                new CountDownLatch(1).await();
                return null;
              });
      cancelled.cancel();
      cancelled.await();
      sessions.start("d", () -> fail(new IOException("second"))).await();
      assertThat(logged.records).isEmpty();
    }
    assertThat(told).containsExactly("session a first null", "session d second null");
  }

  @Test
  void shouldEndASessionWhoseHandlerThrowsAndLogThat() throws Exception {
    Error ofHandler = new AssertionError("of the handler");
    SessionSettings settings =
        SessionSettings.DEFAULTS.withFailureHandler(
            (session, failure) -> {
              throw ofHandler;
            });
    try (Logged logged = new Logged();
        Sessions sessions = Sessions.open(settings)) {
      Exception failure = new Exception("of the session");
      assertThat(sessions.start("a", () -> fail(failure)).await())
          .isEqualTo(new SessionOutcome.Failed<>(failure));
      LogRecord record = logged.records.remove();
      assertThat(record.getMessage()).isEqualTo("the failure handler has failed for session a");
      assertThat(record.getThrown()).isSameAs(ofHandler);
      assertThat(logged.records).isEmpty();
      assertThat(sessions.stats().failed()).isEqualTo(1);
    }
  }

  @Test
  void shouldLogTheFirstFailureAndThenOneInTenSecondsWithTheNumberOfThoseLeftOut() {
    try (Logged logged = new Logged();
        SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      for (int second = 0; second <= 20; second += 5) {
        sessions.runUntil(second * SECOND_NS);
        sessions.start("at " + second, () -> fail(new Exception("checked, too")));
        sessions.runReady();
      }
      List<LogRecord> records = List.copyOf(logged.records);
      assertThat(records)
          .extracting(LogRecord::getMessage)
          .containsExactly(
              "session at 0 has failed",
              "session at 10 has failed; 1 failures before it were not logged",
              "session at 20 has failed; 1 failures before it were not logged");
      assertThat(records).extracting(LogRecord::getLevel).containsOnly(Level.WARNING);
      assertThat(records).allMatch(each -> each.getThrown().getStackTrace().length > 0);
    }
  }

  @Test
  void shouldLogLostConnectionsForWhoLooksForThem() {
    try (Logged logged = new Logged();
        SteppedSessions sessions = SteppedSessions.open(SessionSettings.DEFAULTS)) {
      for (int i = 0; i < 2; i++) {
        sessions.start("lost", () -> fail(new IOException("Connection reset")));
      }
      sessions.runReady();
      assertThat(logged.records).hasSize(2).allMatch(each -> each.getLevel() == Level.FINE);
    }
  }
}
