package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerEvent;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.PlainBudget;
import dev.takt.realtime.NanoClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LinkWarmUpTest {
  private static final long PERIOD_NS = 10_000_000;
  private static final long MAX_NS = 300_000_000;

  private final Queue<ManagerEvent> events = new ConcurrentLinkedQueue<>();
  @TempDir private Path temporary;

  /** The budget is what some operations take at first. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void shouldRaiseNoAlarmWhateverTheWarmUpTakes() throws Exception {
    Path folder = temporary.resolve("host");
    Files.createDirectories(folder);
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults().withEvents(events::add));
        PlainBudget budget = manager.admitPlain("links", 50_000, PERIOD_NS)) {
      int rounds =
          LinkWarmUp.run(
              HostSettings.of(folder),
              budget,
              NanoClock.system(),
              Thread.ofPlatform().factory(),
              MAX_NS);

      assertThat(rounds).isPositive();
      assertThat(budget.periodsExceeded()).isZero();
      assertThat(budget.lastUsedNs()).isZero();
    }
    assertThat(events)
        .extracting(ManagerEvent::kind)
        .containsExactly(ManagerEvent.Kind.ADMITTED, ManagerEvent.Kind.ENDED);
    assertThat(folder).isEmptyDirectory();
  }
}
