package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.takt.realtime.OperatingSystems;
import dev.takt.testsupport.OtherJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is asked of the JVM's collector, and where its threads may run. */
class CollectorTest {
  private static String maxFree() {
    return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .getVMOption("MaxHeapFreeRatio")
        .getValue();
  }

  @Test
  void shouldTellTheCollectorsThatStopAllThreads() {
    assertThat(Collector.stoppingTheWorld(List.of("G1 Young Generation", "G1 Old Generation")))
        .contains("G1");
    assertThat(Collector.stoppingTheWorld(List.of("PS Scavenge", "PS MarkSweep")))
        .contains("Parallel");
    assertThat(Collector.stoppingTheWorld(List.of("Copy", "MarkSweepCompact"))).contains("Serial");
    assertThat(Collector.stoppingTheWorld(List.of("ZGC Minor Cycles", "ZGC Minor Pauses")))
        .isEmpty();
    assertThat(Collector.stoppingTheWorld(List.of("Epsilon Heap"))).isEmpty();
  }

  @Test
  void shouldLetTheJvmGiveMemoryBackAgainWhenTheLastHoldIsClosed() {
    String before = maxFree();
    Collector.Hold first = Collector.collectAndHold();
    Collector.Hold second = Collector.collectAndHold();
    first.close();
    first.close();
    assertThat(maxFree()).isEqualTo("100");
    second.close();
    assertThat(maxFree()).isEqualTo(before);
  }

  /** Prints by how many megabytes a collection makes the heap smaller, without a hold and with. */
  static final class Shrinking {
    private static final int MEGA = 1 << 20;

    private Shrinking() {}

    public static void main(String[] args) {
      System.out.println("without=" + lost(false) + " with=" + lost(true));
    }

    private static long lost(boolean held) {
      byte[][] garbage = new byte[200][];
      for (int i = 0; i < garbage.length; i++) {
        garbage[i] = new byte[MEGA];
      }
      long grown = Runtime.getRuntime().totalMemory();
      garbage = null;
      if (held) {
        Collector.collectAndHold().close();
      } else {
        System.gc();
      }
      return (grown - Runtime.getRuntime().totalMemory()) / MEGA;
    }
  }

  @Test
  void shouldNotLetTheHeapShrinkWhenItCollects() throws Exception {
    String said = OtherJvm.run(Shrinking.class, "-Xms16m", "-Xmx512m");
    assertThat(said).doesNotContain("without=0").contains(" with=0");
  }

  /**
   * Prints where the JVM's thread may run that does the work of pauses, while others are kept
   * apart.
   */
  static final class Pausing {
    private Pausing() {}

    public static void main(String[] args) throws IOException {
      CpuPartition usual = CpuPartition.usual(OperatingSystems.current()).orElse(null);
      if (usual == null) {
        System.out.println("nothing to keep apart");
        return;
      }
      try (CpuConfinement _ = OperatingSystems.current().confine(usual.housekeeping());
          Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
        for (Path task : tasks.toList()) {
          String name = Files.readString(task.resolve("comm")).strip();
          if (name.equals("VM Thread") || name.equals("Signal Dispatch")) {
            int thread = Integer.parseInt(task.getFileName().toString());
            CpuSet cpus = OperatingSystems.current().granted(thread).scheduling().cpus();
            System.out.println(
                name + ": all=" + usual.realtime().or(usual.housekeeping()).equals(cpus));
          }
        }
      }
    }
  }

  @Test
  void shouldKeepTheThreadsApartThatDoNotWorkInPauses() throws Exception {
    String said = OtherJvm.run(Pausing.class, "--enable-native-access=ALL-UNNAMED");
    if (!said.contains("nothing to keep apart")) {
      assertThat(said.lines())
          .containsExactlyInAnyOrder("VM Thread: all=true", "Signal Dispatch: all=false");
    }
  }
}
