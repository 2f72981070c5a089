package dev.takt.stress.atomic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.woven.AtomicArrays;
import dev.takt.reflex.woven.AtomicCall;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.testkit.Seeds;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random operations on the task's arrays, on borrowed and on fresh ones, in calls that start again
 * and calls that fail, against the same operations on plain arrays.
 */
class AtomicArraysTest {
  private static final int LENGTH = 5;

  private final List<Object> tasks = new ArrayList<>();
  private final List<Object> borrowed = new ArrayList<>();
  private AtomicGate gate;

  @Test
  void shouldDoWhatPlainArraysDo() {
    long seed = Seeds.seed();
    int cases = Seeds.isReplay() ? 1 : Seeds.size(30_000, 3_000_000);
    for (int i = 0; i < cases; i++) {
      try {
        check(new SplittableRandom(seed + i));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(Seeds.replay(seed + i), e);
      }
    }
    System.out.printf("%,d calls from %s%n", cases, Seeds.replay(seed));
  }

  private void check(SplittableRandom random) {
    gate =
        new AtomicGate(new TaskMemory("arrays", 0, 0), NanoClock.system(), 1_000, 60_000_000_000L);
    fill(tasks, random);
    fill(borrowed, random);
    List<Object> expected = List.of();
    for (int i = 0; i < 2; i++) {
      expected = call(expected, random);
    }
    List<String> before = texts(borrowed);
    gate.enter();
    assertThat(texts(tasks)).isEqualTo(texts(expected).subList(0, tasks.size()));
    assertThat(texts(borrowed)).as("not the task's to change").isEqualTo(before);
    gate.exit();
  }

  private static void fill(List<Object> arrays, SplittableRandom random) {
    arrays.clear();
    for (Class<?> type : ArrayOps.TYPES) {
      Object array = Array.newInstance(type, LENGTH);
      for (int i = 0; i < LENGTH; i++) {
        ArrayOps.storePlain(array, i, ArrayOps.value(type, random));
      }
      arrays.add(array);
    }
  }

  /**
   * Makes a call of some operations.
   *
   * @param before what the task's arrays are after the calls so far; empty for the first
   * @return what they are then, and what the borrowed ones are
   */
  private List<Object> call(List<Object> before, SplittableRandom random) {
    List<Object> initial = new ArrayList<>();
    List<Object> seen = before.isEmpty() ? tasks : before.subList(0, tasks.size());
    seen.forEach(array -> initial.add(ArrayOps.copy(array)));
    borrowed.forEach(array -> initial.add(ArrayOps.copy(array)));
    int ops = random.nextInt(12);
    int abortAt = random.nextInt(3) == 0 ? random.nextInt(ops + 1) : -1;
    boolean fails = random.nextInt(5) == 0;
    long script = random.nextLong();
    int attempts = 0;
    AtomicCall call = gate.begin();
    while (true) {
      attempts++;
      List<Object> expected = new ArrayList<>();
      initial.forEach(array -> expected.add(ArrayOps.copy(array)));
      try {
        call.start();
        run(call, expected, new SplittableRandom(script), ops, attempts == 1 ? abortAt : -1);
        if (fails) {
          throw new UnsupportedOperationException("on purpose");
        }
        if (call.commit()) {
          List<Object> borrowedThen = expected.subList(tasks.size(), 2 * tasks.size());
          assertThat(texts(borrowed)).isEqualTo(texts(borrowedThen));
          return expected;
        }
      } catch (Throwable e) {
        try {
          call.failed(e);
        } catch (UnsupportedOperationException onPurpose) {
          assertThat(texts(borrowed))
              .as("after a call that failed")
              .isEqualTo(texts(initial.subList(tasks.size(), 2 * tasks.size())));
          return initial;
        }
      }
    }
  }

  private void run(
      AtomicCall call, List<Object> expected, SplittableRandom random, int ops, int abortAt) {
    List<Object> actual = new ArrayList<>();
    for (int i = 0; i < tasks.size(); i++) {
      actual.add(call.readRef(this, i, tasks.get(i)));
    }
    actual.addAll(borrowed);
    for (Class<?> type : ArrayOps.TYPES) {
      actual.add(call.fresh(Array.newInstance(type, LENGTH)));
      expected.add(Array.newInstance(type, LENGTH));
    }
    for (int i = 0; i <= ops; i++) {
      if (i == abortAt) {
        gate.enter();
        gate.exit();
      }
      if (i < ops) {
        step(call, actual, expected, random);
      }
    }
  }

  private static void step(
      AtomicCall call, List<Object> actual, List<Object> expected, SplittableRandom random) {
    int which = random.nextInt(actual.size());
    int other =
        random.nextInt(4) == 0
            ? random.nextInt(actual.size())
            : (which + random.nextInt(3) * ArrayOps.TYPES.length) % actual.size();
    int from = random.nextInt(LENGTH + 1) - random.nextInt(12) / 11;
    int to = random.nextInt(LENGTH + 1);
    int length = random.nextInt(LENGTH) - random.nextInt(12) / 11;
    Object array = actual.get(which);
    Object plain = expected.get(which);
    Object value = ArrayOps.value(array.getClass().getComponentType(), random);
    switch (random.nextInt(4)) {
      case 0 -> same(() -> ArrayOps.load(call, array, from), () -> Array.get(plain, from));
      case 1 ->
          same(
              () -> ArrayOps.store(call, array, from, value),
              () -> ArrayOps.storePlain(plain, from, value));
      case 2 ->
          same(
              () -> ArrayOps.fill(call, array, from, to, value),
              () -> ArrayOps.fillPlain(plain, from, to, value));
      default ->
          same(
              () -> AtomicArrays.arraycopy(array, from, actual.get(other), to, length, call),
              () -> System.arraycopy(plain, from, expected.get(other), to, length));
    }
  }

  private static void same(Runnable actual, Runnable expected) {
    same(
        () -> {
          actual.run();
          return null;
        },
        () -> {
          expected.run();
          return null;
        });
  }

  private interface Action {
    Object run();
  }

  private static void same(Action actual, Action expected) {
    Object found;
    try {
      found = actual.run();
    } catch (IndexOutOfBoundsException | ArrayStoreException | IllegalArgumentException e) {
      found = e.getClass();
    }
    Object wanted;
    try {
      wanted = expected.run();
    } catch (IndexOutOfBoundsException | ArrayStoreException | IllegalArgumentException e) {
      wanted = e.getClass();
    }
    assertThat(found).isEqualTo(wanted);
  }

  private static List<String> texts(List<Object> arrays) {
    return arrays.stream().map(ArrayOps::text).toList();
  }
}
