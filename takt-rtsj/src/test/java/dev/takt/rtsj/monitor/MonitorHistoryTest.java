package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Random histories of threads of different priorities, as far as they are granted, in nested
 * monitors of both kinds, which they enter in one order, by all the ways there are, and exit in
 * any.
 */
class MonitorHistoryTest {
  private static final int THREADS = 5;
  private static final int ROUNDS = 3_000;

  private final OperatingSystem system = OperatingSystems.current();
  private final List<Monitor> monitors =
      List.of(
          Monitor.inheritance("a"),
          Monitor.ceiling("b", 20),
          Monitor.inheritance("c"),
          Monitor.ceiling("d", 15));
  private final List<MonitorCondition> conditions =
      monitors.stream().map(each -> each.newCondition("changed")).toList();
  private final long[] counts = new long[monitors.size()];

  @Test
  void shouldLoseNothingAndPutPrioritiesBack() {
    long seed = Seeds.seed();
    long[][] own = new long[THREADS][monitors.size()];
    List<Actor> actors = new ArrayList<>();
    List<Future<?>> works = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      long[] counted = own[i];
      ThreadScheduling asked = i < 2 ? ThreadScheduling.OTHER : ThreadScheduling.fifo(5 + 2 * i);
      Actor actor = new Actor("actor " + i);
      actors.add(actor);
      actor.does(() -> system.schedule(asked));
      int before = system.priority(actor.self.threadId);
      works.add(
          actor.begins(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  goThrough(random, counted);
                }
                assertThat(system.priority(actor.self.threadId)).isEqualTo(before);
              }));
    }
    works.forEach(Actor::get);
    actors.forEach(Actor::close);
    for (int m = 0; m < monitors.size(); m++) {
      long sum = 0;
      for (long[] each : own) {
        sum += each[m];
      }
      assertThat(counts[m]).as("seed %d, %s", seed, monitors.get(m)).isEqualTo(sum);
      assertThat(monitors.get(m).owner()).isNull();
    }
  }

  private void goThrough(Random random, long[] counted) {
    List<Integer> inside = new ArrayList<>();
    for (int m = 0; m < monitors.size(); m++) {
      if (random.nextInt(3) == 0 && enters(monitors.get(m), random)) {
        inside.add(m);
      }
    }
    for (int m : inside) {
      counts[m]++;
      counted[m]++;
    }
    if (inside.size() == 1) {
      // Who waits while inside another one as well would keep those out that could signal.
      useCondition(conditions.get(inside.getFirst()), random);
    }
    Collections.shuffle(inside, random);
    inside.forEach(m -> monitors.get(m).exit());
  }

  private static boolean enters(Monitor monitor, Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> monitor.tryEnter();
      case 1 -> monitor.tryEnter(random.nextInt(300_000));
      default -> {
        monitor.enter();
        yield true;
      }
    };
  }

  private static void useCondition(MonitorCondition condition, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> condition.await(random.nextInt(300_000));
      case 1 -> condition.signalAll();
      default -> condition.signal();
    }
  }
}
