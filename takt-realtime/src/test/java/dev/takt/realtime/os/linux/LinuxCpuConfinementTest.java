package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.testkit.Seeds;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads of a machine that is made up: where they run while others are held, and afterwards. */
class LinuxCpuConfinementTest {
  private static final CpuSet ALL = CpuSet.of(0, 1, 2, 3);
  private static final int CALLER = 1;
  private static final int OTHER = 2;

  /** And above. */
  private static final int PAUSE_WORKER = 1_000;

  private final Map<Integer, CpuSet> cpus = new TreeMap<>(Map.of(CALLER, ALL, OTHER, ALL));
  private final Map<Integer, Policy> policies = new HashMap<>();
  private final List<CpuConfinement> held = new ArrayList<>();
  private boolean canList = true;

  private final OperatingSystem system =
      (OperatingSystem)
          Proxy.newProxyInstance(
              OperatingSystem.class.getClassLoader(),
              new Class<?>[] {OperatingSystem.class},
              (_, method, arguments) ->
                  switch (method.getName()) {
                    case "threadId" -> CALLER;
                    case "policy" -> policies.getOrDefault((int) arguments[0], Policy.OTHER);
                    case "granted" -> granted((int) arguments[0]);
                    case "bind" -> bind((int) arguments[0], (CpuSet) arguments[1]);
                    default -> throw new AssertionError(method);
                  });

  private final LinuxCpuConfinement confinement =
      new LinuxCpuConfinement(
          system,
          new StarvationMonitor(OperatingSystems.portable()),
          () -> canList ? cpus.keySet().stream().mapToInt(Integer::intValue).toArray() : new int[0],
          thread -> thread >= PAUSE_WORKER);

  private Grant granted(int thread) {
    return new Grant(thread, ThreadScheduling.OTHER.withCpus(cpus.get(thread)), List.of());
  }

  private Errno bind(int thread, CpuSet to) {
    return cpus.replace(thread, to) == null ? Errno.ESRCH : Errno.NONE;
  }

  private CpuConfinement confine(int... to) {
    CpuConfinement each = confinement.confine(CpuSet.of(to));
    held.add(each);
    return each;
  }

  private void assertRunsOn(int thread, int... expected) {
    assertThat(cpus.get(thread)).isEqualTo(CpuSet.of(expected));
  }

  @Test
  void shouldLetTheWorkersOfPausesUseEveryProcessor() {
    cpus.put(PAUSE_WORKER, ALL);
    CpuConfinement first = confine(0, 1);
    assertRunsOn(OTHER, 0, 1);
    assertRunsOn(PAUSE_WORKER, 0, 1, 2, 3);

    cpus.put(PAUSE_WORKER + 1, CpuSet.of(0, 1)); // started by a confined thread
    CpuConfinement second = confine(0);
    assertRunsOn(OTHER, 0);
    assertRunsOn(PAUSE_WORKER, 0, 1, 2, 3);

    second.close();
    first.close();
    assertRunsOn(PAUSE_WORKER, 0, 1, 2, 3);
    assertRunsOn(PAUSE_WORKER + 1, 0, 1, 2, 3);
  }

  @AfterEach
  void letGo() {
    held.forEach(CpuConfinement::close); // also the guard
  }

  @Test
  void shouldLeaveAThreadBoundThatWasBoundToJustTheseProcessors() {
    cpus.put(OTHER, CpuSet.of(0, 1));
    CpuConfinement each = confine(0, 1);
    assertRunsOn(OTHER, 0, 1);
    each.close();
    assertRunsOn(OTHER, 0, 1);
    assertRunsOn(CALLER, 0, 1, 2, 3);
  }

  @Test
  void shouldGiveBackProcessorsToAThreadThatWasBoundToSomeOfThese() {
    cpus.put(OTHER, CpuSet.of(1, 2));
    CpuConfinement each = confine(0, 1);
    assertRunsOn(OTHER, 1);
    each.close();
    assertRunsOn(OTHER, 1, 2);
  }

  @Test
  void shouldLetAThreadRunAnywhereThatWasStartedUnderOneOfTwo() {
    CpuConfinement outer = confine(0, 1, 2);
    cpus.put(3, cpus.get(OTHER));
    CpuConfinement inner = confine(0, 1);
    cpus.put(4, cpus.get(3));
    assertRunsOn(3, 0, 1);
    inner.close();
    assertRunsOn(3, 0, 1, 2);
    assertRunsOn(4, 0, 1, 2);
    outer.close();
    assertRunsOn(3, 0, 1, 2, 3);
    assertRunsOn(4, 0, 1, 2, 3);
  }

  @Test
  void shouldLeaveAThreadWhereSomebodyElseHasBoundItMeanwhile() {
    CpuConfinement each = confine(0, 1);
    cpus.put(OTHER, CpuSet.of(3));
    each.close();
    assertRunsOn(OTHER, 3);
  }

  @Test
  void shouldLetAThreadGoThatHasBecomeRealtimeMeanwhile() {
    CpuConfinement each = confine(0, 1);
    policies.put(OTHER, Policy.FIFO);
    each.close();
    assertRunsOn(OTHER, 0, 1, 2, 3);
  }

  @Test
  void shouldKnowTheProcessorsOfTheProcessThoughTheCallerIsBound() {
    cpus.put(CALLER, CpuSet.of(3));
    assertThat(confinement.processCpus()).isEqualTo(ALL);
    CpuConfinement each = confine(0, 1);
    assertThat(each.isGranted()).isTrue();
    cpus.put(3, cpus.get(OTHER));
    each.close();
    assertRunsOn(3, 0, 1, 2, 3);
    assertRunsOn(CALLER, 3);
  }

  @Test
  void shouldNotTakeProcessorsOfRealtimeThreadsForTheProcesss() {
    cpus.put(OTHER, CpuSet.of(7));
    policies.put(OTHER, Policy.FIFO);
    assertThat(confinement.processCpus()).isEqualTo(ALL);
  }

  @Test
  void shouldSaySoIfThreadsCannotBeListedAndLetGoAllTheSame() {
    CpuConfinement each = confine(0, 1);
    canList = false;
    CpuConfinement refused = confine(0);
    assertThat(refused.isGranted()).isFalse();
    assertThat(refused.shortfalls().getFirst().toString()).contains("cannot be listed", "/proc");
    each.close();
    assertRunsOn(OTHER, 0, 1, 2, 3);
  }

  /** Threads start, are bound, become real-time, and end, while some hold them and let go. */
  @Test
  void shouldPutEverythingBackInTheEndWhateverHappensMeanwhile() {
    CpuSet all = CpuSet.of(0, 1, 2, 3, 8, 9, 10, 11);
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      Map<Integer, CpuSet> expected = new TreeMap<>();
      cpus.clear();
      policies.clear();
      cpus.put(CALLER, all);
      for (int thread = OTHER; thread < 8; thread++) {
        cpus.put(thread, random.nextBoolean() ? all : some(random));
      }
      expected.putAll(cpus);
      int next = 8;
      List<CpuConfinement> open = new ArrayList<>();
      for (int step = 0; step < 20; step++) {
        int thread = random.nextInt(OTHER, 8);
        switch (random.nextInt(5)) {
          case 0 -> open.add(confine(some(random).toArray()));
          case 1 -> {
            if (!open.isEmpty()) {
              open.remove(random.nextInt(open.size())).close();
            }
          }
          case 2 -> {
            cpus.put(next, cpus.get(CALLER));
            expected.put(next++, all);
          }
          case 3 -> {
            CpuSet bound = CpuSet.of(8 + random.nextInt(4)); // where none is confined to
            cpus.replace(thread, bound);
            expected.replace(thread, bound);
          }
          default -> policies.put(thread, random.nextBoolean() ? Policy.FIFO : Policy.OTHER);
        }
      }
      open.forEach(CpuConfinement::close);
      assertThat(cpus).as("seed %s, round %s", seed, round).isEqualTo(expected);
    }
  }

  private static CpuSet some(Random random) {
    return CpuSet.of(
        random.ints(1 + random.nextInt(3), 0, 4).boxed().distinct().mapToInt(i -> i).toArray());
  }
}
