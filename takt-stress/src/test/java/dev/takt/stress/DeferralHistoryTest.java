package dev.takt.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Abort;
import dev.takt.space.ConflictDeferral;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import dev.takt.testkit.History;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import dev.takt.testkit.Seeds;
import dev.takt.testkit.SerialChecker;
import dev.takt.testkit.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What one thread does for several users, an operation of one after an operation of another, is
 * strictly serializable, and each user comes to an end: no conflict is waited for on the thread.
 */
@Timeout(600)
class DeferralHistoryTest {
  private static final int USERS = 5;
  private static final int TRANSACTIONS = 8;
  private static final int OPS = 4;
  private static final int KEYS = 2;
  private static final int IDS = 2;
  private static final int MAX_STEPS = 100_000;
  private static final Pattern ALL = new Pattern(History.ANY, History.ANY);

  private long deferred;
  private long deferredCommits;
  private long lost;

  /** One history: a space, its users, and the time by which conflicts are over. */
  private final class Run {
    private final SplittableRandom random;
    private final VirtualClock clock = new VirtualClock(1);
    private final EventSpace space =
        EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(256).withPatience(100), clock);

    private final List<Unit> units = new ArrayList<>();
    private final List<User> users = new ArrayList<>();
    private long steps;

    Run(long seed) {
      random = new SplittableRandom(seed);
      for (int i = 0; i < USERS; i++) {
        users.add(new User(i));
      }
    }

    List<Unit> history() {
      List<User> left = new ArrayList<>(users);
      while (!left.isEmpty()) {
        assertThat(++steps).as("steps without an end").isLessThan(MAX_STEPS);
        User user = left.get(random.nextInt(left.size()));
        if (user.step()) {
          left.remove(user);
        }
        // mostly shorter than a conflict may last
        clock.advance(
            random.nextInt(10) == 0 ? random.nextInt(200_000_000) : random.nextInt(1_000));
      }
      users.forEach(user -> user.transaction.close());
      drain();
      assertThat(space.stats().events()).isZero();
      return units;
    }

    private void drain() {
      List<Op> ops = new ArrayList<>();
      for (Event each = space.take(ALL_EVENTS); each != null; each = space.take(ALL_EVENTS)) {
        ops.add(new Op(Kind.TAKE, ALL, fact(each)));
      }
      ops.add(new Op(Kind.TAKE, ALL, null));
      units.add(new Unit(USERS, steps + 1, steps + 1, Outcome.COMMITTED, ops));
    }

    /** Does one step of its program each time that it is its turn. */
    private final class User {
      private final int number;
      private final Transaction transaction = space.newTransaction();
      private final ConflictDeferral deferral = new ConflictDeferral(space);
      private final List<Op> ops = new ArrayList<>();
      private int left = TRANSACTIONS;
      private int opsLeft;
      private int retries;
      private long begin;

      /** What was deferred. */
      private Runnable again;

      User(int number) {
        this.number = number;
      }

      /** Returns whether it has come to its end. */
      boolean step() {
        if (again != null) {
          if (deferral.mayGoOn(clock.nanoTime())) {
            attempt(again);
          }
        } else if (transaction.isBegun()) {
          attempt(opsLeft-- > 0 ? within() : this::commit);
        } else {
          begin = steps;
          ops.clear();
          if (random.nextInt(3) == 0) {
            attempt(alone());
          } else {
            transaction.begin(random.nextInt(2), retries);
            opsLeft = random.nextInt(OPS);
          }
        }
        return left == 0 && !transaction.isBegun();
      }

      private void attempt(Runnable operation) {
        again = null;
        deferral.begin();
        try {
          operation.run();
          deferral.clear();
        } catch (ConflictDeferral.Deferred _) {
          again = operation;
          deferred++;
        } catch (Abort abort) {
          assertThat(abort.reason()).isEqualTo(Abort.Reason.CONFLICT);
          deferral.clear();
          giveUp();
        } finally {
          deferral.end();
        }
      }

      private void giveUp() {
        lost++;
        retries++;
        transaction.rollback();
        end(Outcome.ABORTED);
      }

      private void end(Outcome outcome) {
        units.add(new Unit(number, begin, steps, outcome, ops));
        left -= outcome == Outcome.COMMITTED ? 1 : 0;
      }

      private void commit() {
        boolean isCommitted;
        try {
          isCommitted = transaction.commit();
        } catch (ConflictDeferral.Deferred again) {
          deferredCommits++;
          throw again;
        }
        if (isCommitted) {
          retries = 0;
          end(Outcome.COMMITTED);
        } else {
          giveUp();
        }
      }

      private Runnable alone() {
        Fact fact = new Fact(random.nextInt(KEYS), random.nextInt(IDS));
        Pattern pattern = pattern();
        Event into = new Event();
        int kind = random.nextInt(5);
        return () -> {
          switch (kind) {
            case 0, 1 -> {
              space.write(event(fact));
              ops.add(new Op(Kind.WRITE, null, fact));
            }
            case 2 -> found(Kind.TAKE, pattern, space.take(template(pattern), into), into);
            case 3 -> found(Kind.READ, pattern, space.read(template(pattern), into), into);
            default -> present(pattern, space.test(template(pattern)));
          }
          end(Outcome.COMMITTED);
        };
      }

      private Runnable within() {
        Fact fact = new Fact(random.nextInt(KEYS), random.nextInt(IDS));
        Pattern pattern = pattern();
        Event into = new Event();
        int kind = random.nextInt(8);
        return () -> {
          switch (kind) {
            case 0, 1, 2 -> {
              transaction.write(event(fact));
              ops.add(new Op(Kind.WRITE, null, fact));
            }
            case 3, 4 -> found(Kind.TAKE, pattern, transaction.take(template(pattern), into), into);
            case 5 -> found(Kind.READ, pattern, transaction.read(template(pattern), into), into);
            case 6 -> present(pattern, transaction.test(template(pattern)));
            default -> {
              List<Fact> all = new ArrayList<>();
              transaction.forEach(template(pattern), each -> all.add(fact(each)));
              ops.add(new Op(Kind.READ_ALL, pattern, null, all));
            }
          }
        };
      }

      private Pattern pattern() {
        return new Pattern(
            random.nextInt(4) == 0 ? History.ANY : random.nextInt(KEYS),
            random.nextInt(2) == 0 ? History.ANY : random.nextInt(IDS));
      }

      private void found(Kind kind, Pattern pattern, boolean isFound, Event event) {
        ops.add(new Op(kind, pattern, isFound ? fact(event) : null));
      }

      private void present(Pattern pattern, boolean is) {
        ops.add(new Op(is ? Kind.PRESENT : Kind.ABSENT, pattern, null));
      }
    }
  }

  private static final Event ALL_EVENTS = template(ALL);

  private static Event event(Fact fact) {
    return new Event("key", fact.key()).add("id", fact.id());
  }

  private static Fact fact(Event event) {
    return new Fact((int) event.getLong("key"), (int) event.getLong("id"));
  }

  private static Event template(Pattern pattern) {
    return number(number(new Event(), "key", pattern.key()), "id", pattern.id());
  }

  private static Event number(Event template, String key, int number) {
    return number == History.ANY ? template.add(key, (Object) null) : template.add(key, number);
  }

  @Test
  void shouldFindASerialOrderForHistoriesOfManyUsersOfOneThread() {
    int count = Seeds.isReplay() ? 1 : Seeds.size(2_000, 100_000);
    for (long seed = Seeds.seed(); seed < Seeds.seed() + count; seed++) {
      List<Unit> history = new Run(seed).history();
      assertThat(SerialChecker.violation(history)).as(Seeds.replay(seed)).isNull();
    }
    System.out.printf(
        "%,d users of one thread: %,d histories, %,d times deferred, %,d of these in a commit, %,d"
            + " attempts lost; from %s%n",
        USERS, count, deferred, deferredCommits, lost, Seeds.replay(Seeds.seed()));
    assertThat(deferredCommits).as("deferred commits").isPositive();
    assertThat(deferred).as("deferred operations").isGreaterThan(deferredCommits);
    assertThat(lost).as("conflicts that were lost").isPositive();
  }
}
