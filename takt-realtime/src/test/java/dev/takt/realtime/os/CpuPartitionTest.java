package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuPartitionTest {
  private final OperatingSystem system = OperatingSystems.current();

  private CpuSet ownCpus() {
    return system.granted(system.threadId()).scheduling().cpus();
  }

  @Test
  void shouldGiveTheUpperHalfToRealtimeThreads() {
    assertThat(CpuPartition.of(CpuSet.of(0, 1), null))
        .contains(new CpuPartition(CpuSet.of(1), CpuSet.of(0)));
    assertThat(CpuPartition.of(CpuSet.of(2, 5, 7), null))
        .contains(new CpuPartition(CpuSet.of(5, 7), CpuSet.of(2)));
    assertThat(CpuPartition.of(CpuSet.of(0, 1, 2, 3), null))
        .contains(new CpuPartition(CpuSet.of(2, 3), CpuSet.of(0, 1)));
  }

  @Test
  void shouldPreferProcessorsThatTheMachineKeepsFree() {
    assertThat(CpuPartition.of(CpuSet.of(0, 1, 2), CpuSet.of(3)))
        .contains(new CpuPartition(CpuSet.of(3), CpuSet.of(0, 1, 2)));
    assertThat(CpuPartition.of(CpuSet.of(0, 1, 2), CpuSet.of(1)))
        .contains(new CpuPartition(CpuSet.of(1), CpuSet.of(0, 2)));
  }

  @Test
  void shouldHaveNoneOfASingleProcessor() {
    assertThat(CpuPartition.of(CpuSet.of(3), null)).isEqualTo(Optional.empty());
    assertThat(CpuPartition.of(CpuSet.of(3), CpuSet.of(3))).isEqualTo(Optional.empty());
  }

  @Test
  void shouldPassOverProcessorsThatThisProcessMayNotUse() throws Exception {
    CpuSet before = ownCpus();
    CpuSet first = before == null ? null : CpuSet.of(before.toArray()[0]);
    CpuSet none = CpuSet.of(CpuSet.LIMIT - 1);
    assertThat(CpuPartition.usable(system, none)).isNull();
    if (first != null) {
      assertThat(CpuPartition.usable(system, first)).isEqualTo(first);
      assertThat(CpuPartition.usable(system, first.or(none))).isEqualTo(first);
    }
    assertThat(ownCpus()).isEqualTo(before);
  }

  @Test
  void shouldRefuseAProcessorOnBothSides() {
    assertThatThrownBy(() -> new CpuPartition(CpuSet.of(1, 2), CpuSet.of(0, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("realtime=1,2, housekeeping=0,1");
  }

  @Test
  void shouldReadTheKernelsList(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("isolated");
    Files.writeString(file, "2-4,7\n");
    assertThat(CpuPartition.isolated(file)).isEqualTo(CpuSet.of(2, 3, 4, 7));
    Files.writeString(file, "\n");
    assertThat(CpuPartition.isolated(file)).isNull();
    Files.writeString(file, "all but 3");
    assertThat(CpuPartition.isolated(file)).isNull();
    assertThat(CpuPartition.isolated(folder.resolve("none"))).isNull();
  }
}
