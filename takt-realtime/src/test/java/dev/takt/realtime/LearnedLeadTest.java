package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rule of the lead, with simulated wake-ups: no thread, no time. */
class LearnedLeadTest {
  private static final long SEED = 20_261_121;
  private static final long MAX_LEAD_NS = 150_000;

  private final Random random = new Random(SEED);

  /** About 9 us at least, 20 at p50, 30 at p99, and one of 1,000 up to 5 ms late. */
  private long machineNs() {
    if (random.nextInt(1_000) == 0) {
      return 200_000 + random.nextInt(4_800_000);
    }
    return Math.max(9_000, (long) (20_000 + 4_300 * random.nextGaussian()));
  }

  /** What a thread would see that is released by this lead. */
  private static final class Simulation {
    final LearnedLead lead = new LearnedLead(LeadBounds.DEFAULTS, 0);
    final long periodNs;
    final long workNs;
    final LongSupplier latenessNs;
    long nowNs;
    long releaseNs;
    long spunNs;
    long[] releasedNs = new long[0];

    Simulation(long periodNs, long workNs, LongSupplier latenessNs) {
      this.periodNs = periodNs;
      this.workNs = workNs;
      this.latenessNs = latenessNs;
    }

    void run(int releases) {
      releasedNs = new long[releases];
      for (int i = 0; i < releases; i++) {
        releaseNs += periodNs;
        while (releaseNs + periodNs < nowNs) {
          releaseNs += periodNs;
        }
        long wakeNs = releaseNs - lead.begin(nowNs, 0);
        if (nowNs < wakeNs) {
          long late = latenessNs.getAsLong();
          nowNs = wakeNs + late;
          lead.woken(late);
        }
        if (nowNs < releaseNs) {
          lead.spun(releaseNs - nowNs);
          spunNs += releaseNs - nowNs;
          nowNs = releaseNs;
        }
        releasedNs[i] = nowNs;
        nowNs += workNs;
      }
    }

    /** How far the time between two releases is from the period: the given part is below that. */
    long interArrivalErrorNs(double part) {
      long[] errors = new long[releasedNs.length - 1];
      for (int i = 0; i < errors.length; i++) {
        errors[i] = Math.abs(releasedNs[i + 1] - releasedNs[i] - periodNs);
      }
      Arrays.sort(errors);
      return errors[(int) (errors.length * part)];
    }
  }

  @Nested
  class Machine {
    @Test
    void shouldHit50MicrosecondPeriodsWithinTheSpinShare() {
      Simulation simulation = new Simulation(50_000, 5_000, LearnedLeadTest.this::machineNs);
      simulation.run(1_000);
      long spunBeforeNs = simulation.spunNs;
      long beginNs = simulation.nowNs;
      simulation.run(200_000);
      assertThat(simulation.interArrivalErrorNs(0.5)).isLessThan(1_000);
      assertThat(simulation.interArrivalErrorNs(0.99)).isLessThan(15_000);
      double share = (double) (simulation.spunNs - spunBeforeNs) / (simulation.nowNs - beginNs);
      // What it costs to wait for the latest but one of 256, not what the outliers would cost.
      assertThat(share).isBetween(0.1, 0.25);
    }

    @Test
    void shouldFindTheQuantileWithinFewWakeUps() {
      Simulation simulation = new Simulation(1_000_000, 5_000, LearnedLeadTest.this::machineNs);
      simulation.run(200);
      assertThat(simulation.lead.leadNs()).isBetween(25_000L, 36_000L);
    }

    @Test
    void shouldFollowWhenTheMachineGetsSlower() {
      long[] addedNs = {0};
      Simulation simulation =
          new Simulation(1_000_000, 5_000, () -> LearnedLeadTest.this.machineNs() + addedNs[0]);
      simulation.run(2_000);
      addedNs[0] = 50_000;
      simulation.run(300);
      assertThat(simulation.lead.leadNs()).isBetween(74_000L, 90_000L);
      addedNs[0] = 0;
      simulation.run(8_000);
      assertThat(simulation.lead.leadNs()).isBetween(25_000L, 36_000L);
    }
  }

  @Nested
  class Outliers {
    @Test
    void shouldLearnNothingFromWakeUpsLaterThanTheLargestLead() {
      LearnedLead lead = new LearnedLead(LeadBounds.DEFAULTS, 0);
      for (int i = 0; i < 1_000; i++) {
        lead.woken(20_000);
      }
      long before = lead.leadNs();
      for (int i = 0; i < 1_000; i++) {
        lead.woken(MAX_LEAD_NS + 1);
      }
      assertThat(lead.leadNs()).isEqualTo(before);
    }

    @Test
    void shouldHardlyMoveForOneLateWakeUp() {
      LearnedLead lead = new LearnedLead(LeadBounds.DEFAULTS, 0);
      for (int i = 0; i < LearnedLead.FINE_DIVISOR; i++) {
        lead.woken(20_000);
      }
      long before = lead.leadNs();
      lead.woken(MAX_LEAD_NS);
      assertThat(lead.leadNs() - before).isBetween(1L, before / 30);
    }

    @Test
    void shouldStayWithinBoundsWhateverItIsTold() {
      LearnedLead lead = new LearnedLead(LeadBounds.DEFAULTS, 0);
      for (int i = 0; i < 100_000; i++) {
        lead.woken(random.nextBoolean() ? random.nextLong(200_000) : 0);
        if (random.nextInt(1_000) == 0) {
          for (int j = 0; j < 500; j++) {
            lead.woken(MAX_LEAD_NS);
          }
        }
        assertThat(lead.leadNs()).isBetween(LeadBounds.DEFAULT_MIN_LEAD_NS, MAX_LEAD_NS);
      }
    }
  }

  @Nested
  class SpinShare {
    /** Whatever happens: no more than the share, and twice the largest lead, in any time. */
    @Test
    void shouldHoldInEveryIntervalWhateverHappens() {
      for (int round = 0; round < 200; round++) {
        LearnedLead lead = new LearnedLead(LeadBounds.DEFAULTS, 0);
        long nowNs = 0;
        // The largest of (spun - 0.3 * time) - (the same, earlier): how far above the line.
        double lowest = 0;
        double spun = 0;
        for (int i = 0; i < 500; i++) {
          long mayNs = lead.begin(nowNs, 0);
          assertThat(mayNs).isLessThanOrEqualTo(Math.min(lead.leadNs(), lead.creditNs()));
          lead.woken(random.nextLong(MAX_LEAD_NS));
          long spinNs = random.nextBoolean() ? mayNs : random.nextLong(mayNs + 1);
          lead.spun(spinNs);
          lowest = Math.min(lowest, spun - 0.3 * nowNs);
          spun += spinNs;
          nowNs += spinNs + random.nextLong(round % 2 == 0 ? 60_000 : 600_000);
          assertThat(spun - 0.3 * nowNs - lowest)
              .as("seed %d, round %d, wait %d", SEED, round, i)
              .isLessThanOrEqualTo(2 * MAX_LEAD_NS);
        }
      }
    }

    @Test
    void shouldSpendTheWholeShareWhenLatenessVariesMuch() {
      Simulation simulation = new Simulation(50_000, 1_000, () -> 10_000 + random.nextLong(80_000));
      simulation.run(100_000);
      assertThat((double) simulation.spunNs / simulation.nowNs).isBetween(0.2, 0.301);
    }

    @Test
    void shouldEarnAgainAfterNegativeClockValues() {
      LearnedLead lead = new LearnedLead(LeadBounds.DEFAULTS, -1_000_000_000);
      lead.woken(100_000);
      lead.spun(2 * MAX_LEAD_NS);
      assertThat(lead.begin(-999_999_000, 0)).isLessThan(200);
      assertThat(lead.begin(-900_000_000, 0)).isEqualTo(100_000);
    }
  }

  @Nested
  class Exactly {
    @Test
    void shouldEarnItsShareOfAllTimeThatPassesUntilItsCreditIsFull() {
      LearnedLead lead = new LearnedLead(new LeadBounds(10, 10_000, 0.5), 0);
      assertThat(lead.creditNs()).isEqualTo(20_000);
      assertThat(lead.begin(0, 0)).isEqualTo(10);
      lead.spun(20_000);
      lead.begin(1, 0);
      assertThat(lead.creditNs()).isZero();
      lead.begin(2, 0);
      assertThat(lead.creditNs()).as("the half of 1 ns was not forgotten").isOne();
      lead.begin(2_050, 0);
      assertThat(lead.creditNs()).isEqualTo(1_025);
      assertThat(lead.begin(2_050, 5_000)).as("half of it").isEqualTo(512);
      lead.begin(1L << 60, 0);
      assertThat(lead.creditNs()).isEqualTo(20_000);
      assertThat(lead.begin(1L << 60, 5_000)).isEqualTo(5_010);
      assertThat(lead.begin(1L << 60, 50_000)).isEqualTo(10_000);
    }

    @Test
    void shouldMoveByUnitsThatGetFiner() {
      LearnedLead lead = new LearnedLead(new LeadBounds(0, 1_000_000, 0.5), 0);
      lead.woken(4_096);
      assertThat(lead.leadNs()).isEqualTo(4_096);
      lead.woken(4_097);
      assertThat(lead.leadNs()).isEqualTo(4_096 + 255 * 5);
      lead.woken(5_371);
      assertThat(lead.leadNs()).as("not later than the lead").isEqualTo(5_371 - 6);
    }

    @Test
    void shouldHaveNothingToSpendWhenNothingMayBeSpun() {
      LearnedLead lead = new LearnedLead(new LeadBounds(0, 10_000, 0), 0);
      assertThat(lead.begin(1L << 60, 5_000)).isZero();
      assertThat(lead.creditNs()).isZero();
    }

    @Test
    void shouldStopGettingFiner() {
      LearnedLead lead = new LearnedLead(new LeadBounds(16_384, 1_000_000, 0.5), 0);
      for (int i = 0; i < 20_000; i++) {
        lead.woken(0);
      }
      assertThat(lead.leadNs()).isEqualTo(16_384);
      lead.woken(1_000_000);
      assertThat(lead.leadNs()).isEqualTo(16_384 + 255 * 2);
    }
  }
}
