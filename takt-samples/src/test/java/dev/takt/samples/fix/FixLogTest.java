package dev.takt.samples.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lines about connections, when there are many. */
class FixLogTest {
  @Test
  void shouldLeaveOutLinesBeyondTheLimitAndTellHowMany() {
    List<String> lines = new ArrayList<>();
    AtomicLong nowNs = new AtomicLong(-5);
    FixLog log = new FixLog(lines::add, nowNs::get);

    for (int i = 0; i < FixLog.MAX_LINES + 7; i++) {
      log.tell("one");
    }
    assertThat(lines).hasSize(FixLog.MAX_LINES).containsOnly("one");

    nowNs.addAndGet(FixLog.WINDOW_NS);
    log.tell("two");
    log.tell("three");
    assertThat(lines).endsWith("two (lines left out before: 7)", "three");
  }
}
