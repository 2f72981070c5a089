package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ThreadSchedulingTest {
  @Test
  void shouldRefusePrioritiesThatThePolicyHasNot() {
    assertThatThrownBy(() -> ThreadScheduling.fifo(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("priority=0 (expected: 1 to 99 with policy FIFO)");
    assertThatThrownBy(() -> ThreadScheduling.rr(100)).hasMessageContaining("priority=100");
    assertThatThrownBy(() -> new ThreadScheduling(Policy.OTHER, 5, 0, 0, 0, 0, 0, null, 0))
        .hasMessageContaining("expected: 0 with policy OTHER");
  }

  @Test
  void shouldRefuseSlicesThatTheKernelDoesNotTake() {
    assertThatThrownBy(() -> ThreadScheduling.OTHER.withSliceNs(99_999))
        .hasMessageContaining("sliceNs=99999");
    assertThatThrownBy(() -> ThreadScheduling.OTHER.withSliceNs(100_000_001))
        .hasMessageContaining("sliceNs=100000001");
    assertThatThrownBy(() -> ThreadScheduling.fifo(1).withSliceNs(100_000))
        .hasMessageContaining("with policy OTHER");
    assertThat(ThreadScheduling.OTHER.withSliceNs(100_000).sliceNs()).isEqualTo(100_000);
  }

  @Test
  void shouldRefuseNiceValuesThatThereAreNot() {
    assertThatThrownBy(() -> ThreadScheduling.OTHER.withNice(-21))
        .hasMessageContaining("nice=-21 (expected: 0, or -20 to 19 with policy OTHER)");
    assertThatThrownBy(() -> ThreadScheduling.OTHER.withNice(20)).hasMessageContaining("nice=20");
    assertThatThrownBy(() -> ThreadScheduling.fifo(1).withNice(-1))
        .hasMessageContaining("with policy OTHER");
    assertThat(ThreadScheduling.OTHER.withNice(-20).withSliceNs(100_000))
        .hasToString("OTHER, nice -20, slice 100000 ns");
  }

  @Test
  void shouldRefuseABudgetBeyondItsDeadlineOrPeriod() {
    assertThatThrownBy(() -> ThreadScheduling.deadline(1_023, 2_000, 3_000))
        .hasMessageContaining("runtimeNs=1023");
    assertThatThrownBy(() -> ThreadScheduling.deadline(2_001, 2_000, 3_000))
        .hasMessageContaining("runtimeNs <= deadlineNs");
    assertThatThrownBy(() -> ThreadScheduling.deadline(2_000, 3_001, 3_000))
        .hasMessageContaining("deadlineNs <= periodNs");
    assertThatThrownBy(() -> ThreadScheduling.OTHER.withTimerSlackNs(-1))
        .hasMessageContaining("timerSlackNs=-1");
  }

  @Test
  void shouldTellPeopleWhatDiffersFromTheDefault() {
    assertThat(ThreadScheduling.OTHER).hasToString("OTHER");
    assertThat(ThreadScheduling.OTHER.withSliceNs(100_000).withTimerSlackNs(1))
        .hasToString("OTHER, slice 100000 ns, timer slack 1 ns");
    assertThat(ThreadScheduling.fifo(50).withCpus(CpuSet.of(3, 1)))
        .hasToString("FIFO 50, processors 1,3");
    assertThat(ThreadScheduling.deadline(50_000, 900_000, 1_000_000))
        .hasToString("DEADLINE 50000 ns of 1000000 ns within 900000 ns");
  }

  @Test
  void shouldRefuseProcessorsThatCannotBe() {
    assertThatThrownBy(() -> CpuSet.of()).hasMessageContaining("no cpu");
    assertThatThrownBy(() -> CpuSet.of(-1)).hasMessageContaining("cpu=-1");
    assertThatThrownBy(() -> CpuSet.of(CpuSet.LIMIT)).hasMessageContaining("cpu=1024");
    CpuSet set = CpuSet.of(5, 0, 5);
    assertThat(set.toArray()).containsExactly(0, 5);
    assertThat(set.size()).isEqualTo(2);
    assertThat(set.contains(5)).isTrue();
    assertThat(set.contains(4)).isFalse();
    assertThat(set).isEqualTo(CpuSet.of(0, 5)).isNotEqualTo(CpuSet.of(0));
  }
}
