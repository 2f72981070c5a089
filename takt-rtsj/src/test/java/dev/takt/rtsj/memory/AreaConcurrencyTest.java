package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Many threads in the same areas, and what is left when they are gone. */
class AreaConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = Boolean.getBoolean("takt.full") ? 200_000 : 3_000;

  private static final class Order {}

  /** What a thread does, with its number and its own random numbers. */
  private interface Body {
    void run(int thread, Random random);
  }

  private static void runConcurrently(Body body) {
    long seed = Seeds.seed();
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      start.await();
                      body.run(number, new Random(seed + number));
                    } catch (Throwable e) {
                      failures.add(e);
                    }
                  }));
    }
    for (Thread each : threads) {
      try {
        each.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(failures).as("seed %d", seed).isEmpty();
  }

  @Test
  void shouldGiveEveryThreadItsOwnZeroMemoryWhileLivesComeAndGo() {
    ScopedArea area = ScopedArea.variableTime("shared", 256, 2_048);
    AreaPool<Order> orders = area.register(Order.class, Order::new, THREADS);
    runConcurrently(
        (thread, random) -> {
          MemoryView view = new MemoryView();
          for (int round = 0; round < ROUNDS; round++) {
            int bytes = 1 + random.nextInt(64);
            boolean wantsSegment = random.nextInt(8) == 0;
            area.enter(
                () -> {
                  if (area.tryAllocate(view, bytes, 8)) {
                    fill(view, bytes, thread + 1);
                  }
                  if (orders.lentCount() < THREADS) {
                    tryUse(orders);
                  }
                  if (wantsSegment) {
                    use(area, thread + 1);
                  }
                });
          }
        });
    assertThat(area.referenceCount()).isZero();
    assertThat(area.consumedBytes()).isZero();
    area.close();
  }

  private static void fill(MemoryView view, int bytes, int mark) {
    for (int i = 0; i < bytes; i++) {
      assertThat(view.getByte(i)).isZero();
      view.putByte(i, (byte) mark);
    }
    for (int i = 0; i < bytes; i++) {
      assertThat(view.getByte(i)).isEqualTo((byte) mark);
    }
  }

  private static void tryUse(AreaPool<Order> orders) {
    try {
      assertThat(orders.get(orders.newHandle())).isNotNull();
    } catch (AreaExhaustedException e) {
      assertThat(e.used()).isEqualTo(THREADS); // others came first
    }
  }

  private static void use(ScopedArea area, int mark) {
    MemorySegment segment;
    try {
      segment = area.allocate(8, 8);
    } catch (AreaExhaustedException e) {
      assertThat(e.limit()).isEqualTo(2_048); // nobody was the last for long
      return;
    }
    assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isZero();
    segment.set(ValueLayout.JAVA_LONG, 0, mark);
    assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(mark);
  }

  @Test
  void shouldLendAnInstanceToOneThreadOnly() {
    ScopedArea area = ScopedArea.linearTime("pool", 8);
    int count = THREADS * 500;
    area.register(Order.class, Order::new, count);
    List<List<Order>> lent = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      lent.add(new ArrayList<>());
    }
    area.enter(
        () ->
            runConcurrently(
                (thread, _) -> {
                  for (int i = 0; i < count / THREADS; i++) {
                    area.enter(() -> lent.get(thread).add(area.newInstance(Order.class)));
                  }
                }));
    Set<Order> all = new HashSet<>();
    lent.forEach(all::addAll);
    assertThat(all).hasSize(count);
    area.close();
  }

  @Test
  void shouldLetOneOfTwoParentsWinAndRefuseTheOther() {
    ScopedArea left = ScopedArea.linearTime("left", 8);
    ScopedArea right = ScopedArea.linearTime("right", 8);
    ScopedArea child = ScopedArea.linearTime("child", 8);
    runConcurrently(
        (thread, _) -> {
          ScopedArea parent = thread % 2 == 0 ? left : right;
          Runnable look = () -> assertThat(child.parent()).isSameAs(parent);
          for (int round = 0; round < ROUNDS; round++) {
            parent.enter(
                () -> {
                  try {
                    child.enter(look);
                  } catch (ScopedCycleException e) {
                    assertThat(e).hasMessageContaining("entered below " + parent);
                  }
                });
          }
        });
    for (ScopedArea each : List.of(child, left, right)) {
      assertThat(each.referenceCount()).isZero();
      each.close();
    }
  }

  /** Each epoch with segments has an arena; whoever ends it, exactly one thread closes it. */
  @Test
  void shouldEndTheSegmentsOfEveryEpoch() {
    ScopedArea area = ScopedArea.variableTime("ends", 1 << 16, 1 << 20);
    Set<MemorySegment.Scope> scopes = ConcurrentHashMap.newKeySet();
    int runs = 25;
    for (int run = 0; run < runs; run++) {
      runConcurrently(
          (_, random) -> {
            for (int round = 0; round < 200; round++) {
              boolean wantsSegment = round == 0 || random.nextInt(3) > 0;
              area.enter(
                  () -> {
                    if (wantsSegment && area.remainingBytes() > 1 << 16) {
                      MemorySegment.Scope scope = area.allocate(64).scope();
                      assertThat(scope.isAlive()).isTrue();
                      scopes.add(scope);
                    }
                  });
            }
          });
    }
    assertThat(scopes).hasSizeGreaterThanOrEqualTo(runs);
    assertThat(scopes).noneMatch(MemorySegment.Scope::isAlive);
    area.close();
  }
}
