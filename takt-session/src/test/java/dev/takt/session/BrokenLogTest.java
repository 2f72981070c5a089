package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A failure cannot be logged: its session has ended all the same. */
@Timeout(60)
class BrokenLogTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Logger log = Logger.getLogger(Sessions.LOG);

  @BeforeEach
  void breakLog() {
    log.setFilter(
        _ -> {
          throw new OutOfMemoryError("of the log");
        });
  }

  @AfterEach
  void mendLog() {
    log.setFilter(null);
  }

  @Test
  void shouldEndASessionWhoseFailureCannotBeLogged() throws Exception {
    RuntimeException failure = new IllegalStateException("of the session");
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS.withMaxSessions(1))) {
      Session<Object> failed =
          sessions.start(
              "failed",
              () -> {
                throw failure;
              });
      assertThat(failed.await(LONG)).isEqualTo(new SessionOutcome.Failed<>(failure));
      assertThat(sessions.start("in its place", () -> 1).await().value()).isEqualTo(1);
      assertThat(sessions.drain(LONG)).isEmpty();
      assertThat(sessions.stats().failed()).isEqualTo(1);
    }
  }
}
