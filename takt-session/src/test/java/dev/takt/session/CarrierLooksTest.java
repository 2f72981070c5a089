package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What looks at carriers say about who keeps one. */
class CarrierLooksTest {
  private final CarrierLooks looks = new CarrierLooks(100);
  private long nowNs;
  private long cpuNs;

  private static CarrierLooks.Look look(long carrier, int rider, long cpuNs) {
    return new CarrierLooks.Look(carrier, "carrier " + carrier, rider, cpuNs);
  }

  /** Looks at a carrier so many times, each after some time in which it has worked. */
  private List<CarrierLooks.Held> look(int times, int rider, long stepNs, long workNs) {
    List<CarrierLooks.Held> held = List.of();
    for (int i = 0; i < times; i++) {
      nowNs += stepNs;
      cpuNs += workNs;
      held = looks.add(List.of(look(1, rider, cpuNs)), nowNs);
    }
    return held;
  }

  @Test
  void shouldFindARiderThatHasUsedTheLimitOfProcessorTimeWithoutBeingSeenToLeave() {
    look(1, 7, 5, 1_000);
    assertThat(look(10, 7, 12, 9)).isEmpty();
    assertThat(look(1, 7, 12, 10))
        .containsExactly(new CarrierLooks.Held(look(1, 7, 1_100), 132, 100));
  }

  @Test
  void shouldNotFindARiderOfACarrierThatHadNoProcessorAtMostLooks() {
    look(1, 7, 10, 0);
    assertThat(look(CarrierLooks.LOOKS_AT_WORK - 1, 7, 10, 30)).isEmpty();
    assertThat(look(10, 7, 10, 0)).isEmpty();
    assertThat(look(1, 7, 10, 1)).hasSize(1);
  }

  @Test
  void shouldFindARiderThatStaysTenTimesAsLongWithoutWorking() {
    look(1, 7, 10, 0);
    assertThat(look(99, 7, 10, 0)).isEmpty();
    assertThat(look(1, 7, 10, 0)).hasSize(1);
  }

  @Test
  void shouldBeginAnewWhenAnotherRiderOrNobodyWasThere() {
    look(10, 7, 10, 10);
    assertThat(look(10, 8, 10, 10)).isEmpty();
    look(1, CarrierLooks.NOBODY, 10, 10);
    assertThat(look(10, 8, 10, 10)).isEmpty();
    looks.add(List.of(), nowNs);
    assertThat(look(10, 8, 10, 10)).isEmpty();
    assertThat(look(1, 8, 10, 10)).hasSize(1);
  }

  @Test
  void shouldNotTakeTheSameRiderOnAnotherCarrierForOneThatHasStayed() {
    look(10, 7, 10, 10);
    assertThat(looks.add(List.of(look(2, 7, 1_000)), 10_000)).isEmpty();
  }

  @Test
  void shouldTellARideOnceAndTheNextOneAgain() {
    assertThat(look(11, 7, 10, 10)).hasSize(1);
    looks.told(look(1, 7, cpuNs));
    assertThat(look(20, 7, 10, 10)).isEmpty();
    looks.add(List.of(), nowNs);
    assertThat(look(11, 7, 10, 10)).hasSize(1);
    looks.interrupted(look(1, 7, cpuNs));
    assertThat(look(10, 7, 10, 10)).isEmpty();
    assertThat(look(1, 7, 10, 10)).hasSize(1);
  }
}
