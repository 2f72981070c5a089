package dev.takt.rtsj.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.rtsj.event.AsyncEvent;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random lives of timers, beside a model that looks at each timer at each moment. */
class TimerModelTest {
  private static final int TIMERS = 5;
  private static final long UNIT_NS = Timer.MIN_INTERVAL_NS;

  private static final int HISTORIES = 20_000;
  private static final int STEPS = 60;

  @Test
  void shouldDoWhatTheModelDoes() {
    long first = Seeds.seed();
    int histories = Seeds.isReplay() ? 1 : HISTORIES;
    for (long seed = first; seed < first + histories; seed++) {
      new Run(seed).run();
    }
    System.out.printf("timers: %,d histories from %s%n", histories, Seeds.replay(first));
  }

  private static final class Run {
    private final long seed;
    private final SplittableRandom random;
    private long nowNs;
    private final TimerClock clock = TimerClock.of(() -> nowNs);
    private final TimerEngine engine = new TimerEngine(() -> nowNs, TIMERS, 1_000_000, () -> {});
    private final List<Timer> timers = new ArrayList<>();
    private final List<Model> models = new ArrayList<>();

    Run(long seed) {
      this.seed = seed;
      random = new SplittableRandom(seed);
      nowNs = random.nextBoolean() ? Long.MAX_VALUE - 20 * UNIT_NS - 1 : 0;
      for (int i = 0; i < TIMERS; i++) {
        timers.add(null);
        models.add(null);
        renew(i);
      }
    }

    private void renew(int i) {
      boolean relative = random.nextBoolean();
      long startNs = relative ? time() : nowNs + time();
      long intervalNs = random.nextBoolean() ? 0 : UNIT_NS * random.nextInt(1, 4);
      timers.set(i, engine.make(new AsyncEvent("e" + i), clock, relative, startNs, intervalNs));
      models.set(i, new Model(relative, startNs, intervalNs));
    }

    private long time() {
      return random.nextInt(4) * (UNIT_NS / 2);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int i = random.nextInt(TIMERS);
        act(i, timers.get(i), models.get(i), "seed " + seed + ", step " + step);
        if (random.nextInt(3) == 0) {
          poll("seed " + seed + ", step " + step, -1);
        }
      }
    }

    private void act(int i, Timer timer, Model model, String where) {
      switch (random.nextInt(9)) {
        case 0, 1 -> start(timer, model, random.nextInt(4) > 0);
        case 2 -> assertThat(timer.stop()).as(where).isEqualTo(model.stop());
        case 3 -> {
          timer.enable();
          model.enabled |= model.active;
        }
        case 4 -> {
          timer.disable();
          model.enabled = false;
        }
        case 5 -> {
          long delayNs = time();
          assertThat(timer.rescheduleAfter(delayNs)).as(where).isEqualTo(model.active);
          model.reschedule(true, delayNs, nowNs);
        }
        case 6 -> {
          long timeNs = nowNs + time() - UNIT_NS;
          assertThat(timer.rescheduleAt(timeNs)).as(where).isEqualTo(model.active);
          model.reschedule(false, timeNs, nowNs);
        }
        case 7 -> {
          long intervalNs = random.nextBoolean() ? 0 : UNIT_NS * random.nextInt(1, 4);
          timer.setIntervalNs(intervalNs);
          model.intervalNs = intervalNs;
        }
        default -> {
          timer.close();
          poll(where, i); // which makes room
          renew(i);
        }
      }
    }

    private void start(Timer timer, Model model, boolean enabled) {
      if (model.active) {
        return;
      }
      if (enabled) {
        timer.start();
      } else {
        timer.startDisabled();
      }
      model.start(enabled, nowNs);
    }

    private void poll(String where, int closed) {
      nowNs += time();
      final long wakeNs = engine.poll();
      long leastNs = TimerEngine.NEVER;
      for (int i = 0; i < TIMERS; i++) {
        Timer timer = timers.get(i);
        Model model = models.get(i);
        if (i != closed) {
          model.poll(nowNs);
          assertThat(timer.fireCount()).as(where).isEqualTo(model.fires);
          assertThat(timer.event().fireCount()).as(where).isEqualTo(model.fires);
          assertThat(timer.missedTicks()).as(where).isEqualTo(model.missed);
          assertThat(timer.isRunning()).as(where).isEqualTo(model.active && model.enabled);
          assertThat(timer.nextFireNs())
              .as(where)
              .isEqualTo(model.active ? model.dueNs : Timer.NEVER);
          if (model.active && (leastNs == TimerEngine.NEVER || model.dueNs - leastNs < 0)) {
            leastNs = model.dueNs;
          }
        }
      }
      assertThat(wakeNs).as(where).isEqualTo(leastNs);
    }
  }

  /** One timer, as plainly as can be. */
  private static final class Model {
    private boolean relative;
    private long startNs;
    private long intervalNs;
    private boolean active;
    private boolean enabled;
    private long dueNs;
    private long fires;
    private long missed;

    Model(boolean relative, long startNs, long intervalNs) {
      this.relative = relative;
      this.startNs = startNs;
      this.intervalNs = intervalNs;
    }

    void start(boolean enable, long nowNs) {
      active = true;
      enabled = enable;
      dueNs = relative ? nowNs + startNs : startNs;
    }

    boolean stop() {
      boolean was = active && enabled;
      active = false;
      enabled = false;
      return was;
    }

    void reschedule(boolean isRelative, long ns, long nowNs) {
      relative = isRelative;
      startNs = ns;
      if (active) {
        dueNs = relative ? nowNs + startNs : startNs;
      }
    }

    void poll(long nowNs) {
      if (!active || dueNs - nowNs > 0) {
        return;
      }
      fires += enabled ? 1 : 0;
      if (intervalNs == 0) {
        stop();
        return;
      }
      dueNs += intervalNs;
      while (dueNs - nowNs <= 0) {
        dueNs += intervalNs;
        missed++;
      }
    }
  }
}
