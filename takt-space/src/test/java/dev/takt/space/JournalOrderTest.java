package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * The order in which a journal is shown transactions is a serialization order: done one after the
 * other in that order, each sees what it saw; and what the journal was shown makes up the space.
 */
class JournalOrderTest {
  private static final int THREADS = 3;
  private static final int KINDS = 3;

  private final long seed = Seeds.seed();
  private final AtomicLong identities = new AtomicLong();

  /**
   * An operation of a committed transaction and what it returned.
   *
   * @param kind of the events that it was about
   * @param identity of the event that was written, taken or read; 0: there was none
   */
  private record Step(String what, int kind, long identity) {}

  private static Event template(int kind) {
    return new Event("kind", kind);
  }

  private Event fresh(int kind) {
    return template(kind).add("identity", identities.incrementAndGet());
  }

  private void step(SpaceTransaction transaction, Random random, List<Step> steps) {
    int kind = random.nextInt(KINDS);
    Event into = new Event();
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        Event event = fresh(kind);
        transaction.write(event);
        steps.add(new Step("write", kind, event.getLong("identity")));
      }
      case 2 -> steps.add(found("take", kind, transaction.take(template(kind), into), into));
      case 3 -> {
        if (transaction.poll(template(kind), into)) {
          steps.add(found("take", kind, true, into));
        }
      }
      case 4 -> steps.add(found("read", kind, transaction.read(template(kind), into), into));
      case 5 -> steps.add(new Step("test", kind, transaction.test(template(kind)) ? 1 : 0));
      default -> {
        long[] count = {0};
        transaction.forEach(template(kind), event -> count[0]++);
        steps.add(new Step("count", kind, count[0]));
      }
    }
  }

  private static Step found(String what, int kind, boolean isFound, Event into) {
    return new Step(what, kind, isFound ? into.getLong("identity") : 0);
  }

  /** One thread: transactions of some steps, and single operations. */
  private void work(
      EventSpace space, NumberingJournal journal, Random random, Map<Long, List<Step>> history) {
    for (int i = 0; i < 30; i++) {
      List<Step> steps = new ArrayList<>();
      int kind = random.nextInt(KINDS);
      Event into = new Event();
      switch (random.nextInt(6)) {
        case 0 -> {
          Event event = fresh(kind);
          space.write(event);
          steps.add(new Step("write", kind, event.getLong("identity")));
        }
        case 1 -> steps.add(found("take", kind, space.take(template(kind), into), into));
        default -> {
          long again = random.nextLong();
          space.transact(
              random.nextInt(3),
              transaction -> {
                Random same = new Random(again);
                steps.clear();
                for (int j = 1 + same.nextInt(4); j > 0; j--) {
                  step(transaction, same, steps);
                }
                return steps;
              });
        }
      }
      Long ticket = journal.takeLast();
      if (ticket != null && journal.outcomes.getOrDefault(ticket, false)) {
        history.put(ticket, steps);
      }
    }
  }

  private void run(long seed) throws Exception {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_024));
    NumberingJournal journal = new NumberingJournal();
    space.commits().journal(journal);
    Map<Long, List<Step>> history = new ConcurrentSkipListMap<>();
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Throwable> thrown = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  work(space, journal, random, history);
                } catch (Throwable e) {
                  synchronized (thrown) {
                    thrown.add(e);
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(thrown).as(Seeds.replay(seed)).isEmpty();
    assertThat(journal.outcomes.keySet()).isEqualTo(journal.shown.keySet());
    checkSerial(seed, history);
    checkContent(seed, space, journal);
  }

  /** Does all transactions one after the other on a model. */
  private void checkSerial(long seed, Map<Long, List<Step>> history) {
    List<LinkedHashMap<Long, Boolean>> model = new ArrayList<>();
    for (int kind = 0; kind < KINDS; kind++) {
      model.add(new LinkedHashMap<>());
    }
    history.forEach(
        (ticket, steps) -> {
          for (Step step : steps) {
            String what = "ticket %d of %s: %s".formatted(ticket, Seeds.replay(seed), step);
            LinkedHashMap<Long, Boolean> there = model.get(step.kind);
            if (step.identity == 0) {
              assertThat(there).as(what).isEmpty();
              continue;
            }
            switch (step.what) {
              case "write" -> there.put(step.identity, true);
              case "take" -> assertThat(there.remove(step.identity)).as(what).isNotNull();
              case "read" -> assertThat(there).as(what).containsKey(step.identity);
              case "test" -> assertThat(there).as(what).isNotEmpty();
              default -> assertThat((long) there.size()).as(what).isEqualTo(step.identity);
            }
          }
        });
  }

  /** What was shown and committed, in the order of the tickets, makes up what is there. */
  private void checkContent(long seed, EventSpace space, NumberingJournal journal) {
    Map<Long, Event> content = new HashMap<>();
    new TreeMap<>(journal.shown)
        .forEach(
            (ticket, shown) -> {
              if (journal.outcomes.get(ticket)) {
                for (long number : shown.taken()) {
                  assertThat(content.remove(number))
                      .as("taken, %s", Seeds.replay(seed))
                      .isNotNull();
                }
                content.putAll(shown.written());
              }
            });
    Map<Long, Event> there = new HashMap<>();
    space.commits().scan((event, number) -> there.put(number, event.copy()));
    assertThat(content).as(Seeds.replay(seed)).isEqualTo(there);
  }

  @Test
  void shouldGiveASerializationOrderOfAllThatIsCommitted() throws Exception {
    int runs = Seeds.isReplay() ? 1 : Seeds.size(300, 20_000);
    for (int i = 0; i < runs; i++) {
      run(seed + 1_000L * i);
    }
  }
}
