package dev.takt.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Why stages bound what they have, and not how fast it comes: the same arrivals, in virtual time,
 * under the limit of stages, under SEDA's controller of the rate (Welsh and Culler, Adaptive
 * overload control for busy Internet servers, USITS 2003, section 3.1, with its parameters) and
 * under CoDel (RFC 8289), which drops what has waited.
 */
class AdmissionComparisonTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long TARGET_NS = 50_000_000;
  private static final double MEAN_NS = 5e6;
  private static final int SECONDS = 30;
  private static final int WORKERS = 2;
  private static final int CAPACITY = 1_024;

  /** Until when a policy has learned. */
  private static final int FIRST_SECOND = 2;

  /** Decides what is accepted, and what is handled of that. */
  private interface Policy {
    boolean accepts(long nowNs, int inStage);

    /** Whether an item that was accepted is dropped where it would be handled. */
    default boolean drops(long nowNs, long waitedNs) {
      return false;
    }

    default void served(long serviceNs) {}

    default void responded(long acceptedNs, long nowNs) {}
  }

  private static final class Limit implements Policy {
    private final AdmissionLimit limit =
        new AdmissionLimit(TARGET_NS, WORKERS, CAPACITY + WORKERS, 0);

    @Override
    public boolean accepts(long nowNs, int inStage) {
      boolean accepts = inStage < limit.limit();
      if (!accepts) {
        limit.shed();
      }
      return accepts;
    }

    @Override
    public void served(long serviceNs) {
      limit.served(1, serviceNs);
    }

    @Override
    public void responded(long acceptedNs, long nowNs) {
      limit.responded(acceptedNs, nowNs);
    }
  }

  /** A token bucket whose rate is increased additively and decreased multiplicatively. */
  private static final class Rate implements Policy {
    private static final int REQUESTS = 100;
    private final List<Long> responses = new ArrayList<>();
    private double rate;
    private double tokens = 1;
    private long filledNs;
    private long changedNs;
    private double smoothNs;

    Rate(double rate) {
      this.rate = rate;
    }

    @Override
    public boolean accepts(long nowNs, int inStage) {
      tokens = Math.min(1, tokens + rate * (nowNs - filledNs) / SECOND_NS);
      filledNs = nowNs;
      if (tokens < 1 || inStage >= CAPACITY + WORKERS) {
        return false;
      }
      tokens--;
      return true;
    }

    @Override
    public void responded(long acceptedNs, long nowNs) {
      responses.add(nowNs - acceptedNs);
      if (responses.size() >= REQUESTS || nowNs - changedNs >= SECOND_NS) {
        Collections.sort(responses);
        double p90 = responses.get(responses.size() * 9 / 10);
        smoothNs = smoothNs == 0 ? p90 : 0.7 * smoothNs + 0.3 * p90;
        double error = (smoothNs - TARGET_NS) / TARGET_NS;
        if (error > 0) {
          rate /= 1.2;
        } else if (error < -0.5) {
          rate -= (error + 0.1) * 2;
        }
        rate = Math.clamp(rate, 0.05, 5_000);
        responses.clear();
        changedNs = nowNs;
      }
    }
  }

  private static final class CoDel implements Policy {
    private static final long INTERVAL_NS = 100_000_000;
    private long aboveSinceNs = -1;
    private long nextNs;
    private int dropped;
    private boolean dropping;

    @Override
    public boolean accepts(long nowNs, int inStage) {
      return inStage < CAPACITY + WORKERS;
    }

    @Override
    public boolean drops(long nowNs, long waitedNs) {
      if (waitedNs < TARGET_NS) {
        aboveSinceNs = -1;
        dropping = false;
        return false;
      }
      if (aboveSinceNs < 0) {
        aboveSinceNs = nowNs;
      }
      if (!dropping && nowNs - aboveSinceNs >= INTERVAL_NS) {
        dropping = true;
        dropped = 1;
        nextNs = nowNs + INTERVAL_NS;
        return true;
      }
      if (dropping && nowNs >= nextNs) {
        dropped++;
        nextNs += (long) (INTERVAL_NS / Math.sqrt(dropped));
        return true;
      }
      return false;
    }
  }

  /** Service times: their mean at a time, and how they spread around it. */
  private record Load(String name, LongFunction<Double> meanNs, boolean isHeavyTailed) {
    long serviceNs(long nowNs, Random random) {
      double mean = meanNs.apply(nowNs);
      double u = 1 - random.nextDouble();
      return (long) (isHeavyTailed ? mean * 0.6 * Math.pow(u, -1 / 2.5) : mean * -Math.log(u));
    }
  }

  /** What came of it. */
  private record Outcome(double p90, double worstSecond, double use, double droppedShare) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "p90 %6.2f of target, worst second %6.2f, processors used %5.1f %%, dropped late %4.1f"
              + " %%",
          p90,
          worstSecond,
          100 * use,
          100 * droppedShare);
    }
  }

  private static Outcome run(Policy policy, Load load, double arrivalsPerS, Random random) {
    PriorityQueue<long[]> ends = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
    ArrayDeque<Long> queue = new ArrayDeque<>();
    TimeHistogram all = new TimeHistogram();
    TimeHistogram second = new TimeHistogram();
    double worst = 0;
    long accepted = 0;
    long dropped = 0;
    long busyNs = 0;
    long nowNs = 0;
    long nextNs = 0;
    long beforeNs = 0;
    while (nowNs < SECONDS * SECOND_NS) {
      if (!ends.isEmpty() && ends.peek()[0] <= nextNs) {
        long[] end = ends.remove();
        nowNs = end[0];
        policy.served(nowNs - end[1]);
        policy.responded(end[2], nowNs);
        if (nowNs / SECOND_NS > beforeNs / SECOND_NS) {
          worst = beforeNs < FIRST_SECOND * SECOND_NS ? 0 : Math.max(worst, p90(second));
          second.clear();
        }
        beforeNs = nowNs;
        all.add(nowNs - end[2]);
        second.add(nowNs - end[2]);
      } else {
        nowNs = nextNs;
        nextNs += (long) (-Math.log(1 - random.nextDouble()) * SECOND_NS / arrivalsPerS);
        if (policy.accepts(nowNs, queue.size() + ends.size())) {
          queue.add(nowNs);
          accepted++;
        }
      }
      while (ends.size() < WORKERS && !queue.isEmpty()) {
        long acceptedNs = queue.remove();
        if (policy.drops(nowNs, nowNs - acceptedNs)) {
          dropped++;
        } else {
          long serviceNs = load.serviceNs(nowNs, random);
          busyNs += serviceNs;
          ends.add(new long[] {nowNs + serviceNs, nowNs, acceptedNs});
        }
      }
    }
    return new Outcome(
        p90(all), worst, busyNs / (double) (nowNs * WORKERS), dropped / (double) accepted);
  }

  private static double p90(TimeHistogram times) {
    return times.percentileNs(90) / (double) TARGET_NS;
  }

  @Test
  void shouldKeepTheTargetWhereARateDoesNot() {
    List<Load> loads =
        List.of(
            new Load("steady", _ -> MEAN_NS, false),
            new Load("heavy-tailed", _ -> MEAN_NS, true),
            new Load("4 times slower for 10 s", ns -> (isMiddle(ns) ? 4 : 1) * MEAN_NS, false),
            new Load("4 times faster for 10 s", ns -> (isMiddle(ns) ? 0.25 : 1) * MEAN_NS, false));
    for (Load load : loads) {
      double possiblePerS = WORKERS * SECOND_NS / MEAN_NS;
      List<Outcome> outcomes = new ArrayList<>();
      for (Policy each :
          List.of(new Limit(), new Rate(5_000), new Rate(possiblePerS), new CoDel())) {
        outcomes.add(run(each, load, 10 * possiblePerS, new Random(Seeds.seed())));
      }
      System.out.printf(
          "%s:%n  limit %s%n  SEDA  %s%n  right %s%n  CoDel %s%n",
          load.name(), outcomes.get(0), outcomes.get(1), outcomes.get(2), outcomes.get(3));
      Outcome limit = outcomes.removeFirst();
      String why = load.name() + ", " + Seeds.replay(Seeds.seed());
      assertThat(limit.p90()).as(why).isLessThan(1.5);
      assertThat(limit.use()).as(why).isGreaterThan(0.95);
      assertThat(outcomes).as(why).noneMatch(each -> each.p90() < 2 && each.use() > limit.use());
    }
  }

  private static boolean isMiddle(long nowNs) {
    return nowNs / (10 * SECOND_NS) == 1;
  }
}
