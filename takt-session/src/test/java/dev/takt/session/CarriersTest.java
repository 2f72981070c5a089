package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.OperatingSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many sessions run at the same time can be limited while they run, without a flag. */
class CarriersTest {
  @Test
  void shouldRunNoMoreSessionsAtTheSameTimeThanTheLimit() throws Exception {
    int before = Carriers.use().limit();
    Carriers.limit(1);
    try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      AtomicInteger inside = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      CountDownLatch ended = new CountDownLatch(20);
      for (int i = 0; i < 20; i++) {
        sessions.start(
            "computes",
            () -> {
              for (int round = 0; round < 50; round++) {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                for (int spin = 0; spin < 10_000; spin++) {
                  Thread.onSpinWait();
                }
                inside.decrementAndGet();
                Thread.yield();
              }
              ended.countDown();
              return null;
            });
      }
      ended.await();
      assertThat(most).hasValue(1);
      assertThat(Carriers.use().limit()).isEqualTo(1);
    } finally {
      Carriers.limit(before);
    }
  }

  @Test
  void shouldStayOffTheProcessorsThatAConfinementKeepsForRealTimeThreads() throws Exception {
    OperatingSystem system = OperatingSystems.current();
    CpuSet one = CpuSet.of(0);
    try (CpuConfinement confinement = system.confine(one);
        Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
      List<Session<String>> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(sessions.start("looks", CarriersTest::allowedCpus));
      }
      for (Session<String> each : all) {
        String allowed = each.await().value();
        // what a machine refuses to one process it refuses here, too
        assertThat(allowed).isEqualTo(confinement.isGranted() ? "0" : ownAllowedCpus);
      }
    }
  }

  private final String ownAllowedCpus = allowedCpus();

  /** Returns on which processors the thread below the caller may run. */
  private static String allowedCpus() {
    Path status = Path.of("/proc/thread-self/status");
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (NoSuchFileException notLinux) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldRefuseALimitThatIsNone() {
    assertThatThrownBy(() -> Carriers.limit(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit=0 (expected: 1 to 32767)");
  }
}
