package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Long histories on real threads, too long for a search, by what must hold whatever the order. */
@ExtendWith(LeakCheck.class)
class InvariantTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private final long seed = Seeds.seed();

  /** One part has failed, so that the others need not wait for it. */
  private volatile boolean failed;

  private final EventSpace space =
      EventSpace.create(
          SpaceSettings.DEFAULTS
              .withCapacity(4096)
              .withMaxTransactions(16)
              .withMaxSubscriptions(64));

  /**
   * Runs the parts at the same time, each on a thread of its own; throws what one of them threw.
   */
  private void together(List<Callable<Void>> parts) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(parts.size());
    try {
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(Seeds.replay(seed), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private interface Body {
    void run() throws Exception;
  }

  private Callable<Void> part(Body body) {
    return () -> {
      try {
        body.run();
        return null;
      } catch (Exception | Error e) {
        failed = true;
        throw e;
      }
    };
  }

  @Test
  void shouldKeepEveryTokenExactlyOnce() throws Exception {
    int tokens = 64;
    int places = 8;
    for (int i = 0; i < tokens; i++) {
      space.write(new Event("place", i % places).add("token", i));
    }
    int moves = Seeds.size(60_000, 3_000_000);
    AtomicLong conflicts = new AtomicLong();
    List<Callable<Void>> movers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      int priority = i;
      movers.add(part(() -> conflicts.addAndGet(move(random, moves, places, priority))));
    }
    together(movers);
    BitSet seen = new BitSet();
    int taken =
        space.takeAll(
            new Event("token", null),
            4096,
            event -> {
              int token = (int) event.getLong("token");
              assertThat(seen.get(token))
                  .as("token %d is there twice, %s", token, Seeds.replay(seed))
                  .isFalse();
              seen.set(token);
            });
    System.out.printf(
        "tokens: %,d moves, %,d conflicts, %s%n", 4L * moves, conflicts.get(), Seeds.replay(seed));
    assertThat(taken).as(Seeds.replay(seed)).isEqualTo(tokens);
    assertThat(space.stats().events()).isZero();
  }

  private long move(SplittableRandom random, int moves, int places, int priority) {
    Event template = new Event();
    Event into = new Event();
    long conflicts = 0;
    try (Transaction transaction = space.newTransaction()) {
      for (int i = 0; i < moves; i++) {
        transaction.begin(priority, 0);
        try {
          boolean found =
              transaction.take(template.clear().add("place", random.nextInt(places)), into);
          if (found) {
            transaction.write(into.add("place", random.nextInt(places)));
          }
          if (random.nextInt(10) == 0) {
            transaction.rollback();
          } else {
            conflicts += transaction.commit() ? 0 : 1;
          }
        } catch (Abort abort) {
          assertThat(abort.reason()).isEqualTo(Abort.Reason.CONFLICT);
          conflicts++;
          transaction.rollback();
        }
      }
    }
    return conflicts;
  }

  @Test
  void shouldKeepSumOfTransfersWheneverSomebodyLooks() throws Exception {
    int accounts = 6;
    for (int i = 0; i < accounts; i++) {
      space.write(new Event("account", i).add("balance", 100));
    }
    int transfers = Seeds.size(20_000, 1_000_000);
    AtomicInteger running = new AtomicInteger(2);
    AtomicInteger audits = new AtomicInteger();
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      parts.add(
          part(
              () -> {
                try {
                  for (int n = 0; n < transfers; n++) {
                    transfer(random, accounts);
                  }
                } finally {
                  running.decrementAndGet();
                }
              }));
    }
    parts.add(
        part(
            () -> {
              while (!failed && (running.get() > 0 || audits.get() == 0)) {
                assertThat(audit(accounts))
                    .as("sum at audit %d, %s", audits.get(), Seeds.replay(seed))
                    .isEqualTo(600);
                audits.incrementAndGet();
              }
            }));
    together(parts);
    System.out.printf(
        "transfers: %,d, %,d audits, %s%n", 2L * transfers, audits.get(), space.stats());
    assertThat(audit(accounts)).isEqualTo(600);
  }

  private void transfer(SplittableRandom random, int accounts) {
    int from = random.nextInt(accounts);
    int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
    int amount = random.nextInt(50);
    space.transact(
        transaction -> {
          Event one = transaction.take(new Event("account", from));
          Event other = transaction.take(new Event("account", to));
          assertThat(one).isNotNull();
          assertThat(other).isNotNull();
          transaction.write(
              new Event("account", from).add("balance", one.getLong("balance") - amount));
          transaction.write(
              new Event("account", to).add("balance", other.getLong("balance") + amount));
        });
  }

  private long audit(int accounts) {
    Event into = new Event();
    return space.transact(
        1,
        transaction -> {
          long sum = 0;
          for (int i = 0; i < accounts; i++) {
            assertThat(transaction.read(new Event("account", i), into)).isTrue();
            sum += into.getLong("balance");
          }
          return sum;
        });
  }

  @Test
  void shouldNeverLetTwoIn() throws Exception {
    // Each enters only if the other is not in; write skew would let both in.
    int rounds = Seeds.size(40_000, 2_000_000);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger entries = new AtomicInteger();
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Event mine = new Event("in", i);
      Event other = new Event("in", 1 - i);
      parts.add(
          part(
              () -> {
                for (int n = 0; n < rounds; n++) {
                  boolean isIn =
                      space.transact(
                          0,
                          transaction -> {
                            if (transaction.test(other)) {
                              return false;
                            }
                            transaction.write(mine);
                            return true;
                          });
                  if (isIn) {
                    assertThat(inside.incrementAndGet()).as("who is in, round %d", n).isEqualTo(1);
                    entries.incrementAndGet();
                    inside.decrementAndGet();
                    assertThat(space.take(mine)).isNotNull();
                  }
                }
              }));
    }
    together(parts);
    System.out.printf("mutual exclusion: %,d rounds, %,d entries%n", 2L * rounds, entries.get());
    assertThat(entries.get()).isPositive();
  }

  @Test
  void shouldKeepOrderOfEachProducer() throws Exception {
    int producers = 3;
    int count = Seeds.size(50_000, 2_000_000);
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      int producer = i;
      parts.add(
          part(
              () -> {
                Event event = new Event();
                for (int n = 0; n < count; n++) {
                  event.clear().add("type", "item").add("producer", producer).add("n", n);
                  while (!failed && !isWritten(event)) {
                    Thread.yield();
                  }
                }
              }));
    }
    parts.add(
        part(
            () -> {
              long[] next = new long[producers];
              Event items = new Event("type", "item");
              for (int n = 0; n < producers * count; n++) {
                Event item = space.take(items, LONG);
                assertThat(item).as("event %d within two minutes", n).isNotNull();
                int producer = (int) item.getLong("producer");
                assertThat(item.getLong("n"))
                    .as("next of producer %d", producer)
                    .isEqualTo(next[producer]++);
              }
            }));
    together(parts);
    assertThat(space.test(new Event())).isFalse();
  }

  private boolean isWritten(Event event) {
    try {
      space.write(event);
      return true;
    } catch (Abort abort) {
      assertThat(abort.reason()).isEqualTo(Abort.Reason.SPACE_FULL);
      return false;
    }
  }

  @Test
  void shouldDeliverEachEventOnceToCompetingTakers() throws Exception {
    int count = Seeds.size(40_000, 2_000_000);
    AtomicInteger left = new AtomicInteger(2 * count);
    AtomicIntegerBits seen = new AtomicIntegerBits(2 * count);
    List<Callable<Void>> parts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int first = i * count;
      parts.add(
          part(
              () -> {
                Event event = new Event();
                for (int n = first; n < first + count; n++) {
                  event.clear().add("kind", n & 3).add("n", n);
                  while (!failed && !isWritten(event)) {
                    Thread.yield();
                  }
                }
              }));
      parts.add(
          part(
              () -> {
                Event any = new Event("n", null);
                while (!failed && left.get() > 0) {
                  Event event = space.take(any, Duration.ofMillis(1));
                  if (event != null) {
                    int n = (int) event.getLong("n");
                    assertThat(event.getLong("kind")).isEqualTo(n & 3);
                    assertThat(seen.set(n)).as("first delivery of %d", n).isTrue();
                    left.decrementAndGet();
                  }
                }
              }));
    }
    together(parts);
    assertThat(left.get()).isZero();
    assertThat(space.stats().events()).isZero();
  }

  /** A set of small numbers that several threads add to. */
  private static final class AtomicIntegerBits {
    private final java.util.concurrent.atomic.AtomicIntegerArray words;

    AtomicIntegerBits(int size) {
      words = new java.util.concurrent.atomic.AtomicIntegerArray((size >> 5) + 1);
    }

    /** Adds a number; false if it was there. */
    boolean set(int n) {
      int bit = 1 << n;
      return (words.getAndUpdate(n >> 5, word -> word | bit) & bit) == 0;
    }
  }
}
