package dev.takt.cpu.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.admission.AdmissionTest;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.NanoClock;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rules by which the baton is handed over, in a time of the test's own. */
class BatonTest {
  private final List<Throwable> failures = new ArrayList<>();
  private final Baton baton = new Baton(new FilterChain(List.of(), failures::add));

  private Turn turn(Baton baton, long deadlineNs, long costNs, long slotNs) {
    Turn turn = new Turn(NanoClock.system(), () -> {});
    turn.become(deadlineNs, costNs, slotNs);
    baton.add(turn);
    return turn;
  }

  private Turn turn(long deadlineNs, long slotNs) {
    return turn(baton, deadlineNs, 1, slotNs);
  }

  @Test
  void shouldHandTheBatonToTheTaskWithTheShortestDeadlineOfThoseThatAreDue() {
    Turn slow = turn(100, 10);
    Turn fast = turn(50, 10);
    Turn later = turn(10, 10);
    slow.ask(5);
    fast.ask(7);
    later.ask(9);

    assertThat(baton.step(0)).as("the earliest is waited for").isEqualTo(5);
    assertThat(baton.holder()).isNull();
    assertThat(baton.step(8)).as("the end of its slot").isEqualTo(18);
    assertThat(baton.holder()).isSameAs(fast);
  }

  @Test
  void shouldHandItOnWhenItIsGivenBack() {
    Turn first = turn(50, 10);
    Turn second = turn(100, 10);
    first.ask(0);
    second.ask(0);
    baton.step(0);

    assertThat(baton.step(3)).as("nobody interrupts").isEqualTo(10);
    first.giveBack(4);
    baton.step(4);

    assertThat(baton.holder()).isSameAs(second);
    assertThat(baton.lost()).isZero();
  }

  @Test
  void shouldTakeItFromWhoKeepsItBeyondItsSlotAndLetThatOneAskAgainWhenItHasEnded() {
    Turn runaway = turn(50, 10);
    Turn other = turn(100, 10);
    runaway.ask(0);
    other.ask(0);
    baton.step(0);

    baton.step(10);

    assertThat(baton.holder()).isSameAs(other);
    assertThat(baton.lost()).isEqualTo(1);
    runaway.giveBack(15);
    runaway.ask(15);
    other.giveBack(16);
    baton.step(16);
    assertThat(baton.holder()).isSameAs(runaway);
  }

  @Test
  void shouldHandItAgainToWhoHasLeftAndIsBack() {
    Turn turn = turn(50, 10);
    turn.leave();
    assertThat(turn.ask(0)).isFalse();
    turn.rejoin();
    assertThat(turn.ask(0)).isTrue();
    turn.rejoin();
    baton.step(0);
    assertThat(baton.holder()).isSameAs(turn);
  }

  @Test
  void shouldWaitForNothingWhenNobodyAsks() {
    Turn turn = turn(50, 10);

    assertThat(baton.step(0)).isEqualTo(Baton.NEVER);
    turn.ask(5);
    turn.leave();
    assertThat(baton.step(10)).isEqualTo(Baton.NEVER);
    assertThat(baton.holder()).isNull();
  }

  @Test
  void shouldShortenASlotByTheFilterButNotBelowTheCost() {
    List<String> heard = new ArrayList<>();
    Baton filtered =
        new Baton(
            new FilterChain(
                List.of(
                    new RealTimeFilter() {
                      @Override
                      public long apply(Interval interval, long lengthNs) {
                        return 1;
                      }

                      @Override
                      public void ended(Interval interval, long expectedEndNs, long endNs) {
                        heard.add(interval + " " + expectedEndNs + " " + endNs);
                      }
                    }),
                failures::add));
    Turn turn = turn(filtered, 50, 7, 10);
    turn.ask(0);

    assertThat(filtered.step(0)).isEqualTo(7);
    turn.giveBack(6);
    filtered.step(8);
    assertThat(heard).containsExactly("SLOT 7 6");
  }

  @Test
  void shouldGoOnWithoutAFilterThatThrows() {
    RealTimeFilter broken =
        new RealTimeFilter() {
          @Override
          public long apply(Interval interval, long lengthNs) {
            throw new IllegalStateException("thrown by a test");
          }

          @Override
          public void ended(Interval interval, long expectedEndNs, long endNs) {
            throw new AssertionError("is left out by now");
          }
        };
    FilterChain chain = new FilterChain(List.of(broken, new LowFrequencyFilter()), failures::add);

    assertThat(chain.apply(Interval.PAUSE, 0, 10)).isEqualTo(10);
    chain.ended(Interval.PAUSE, 0, 8);

    assertThat(chain.apply(Interval.PAUSE, 0, 10)).as("the other filter").isEqualTo(9);
    assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldLeaveAnIntervalAloneThatIsOver() {
    FilterChain chain = new FilterChain(List.of(new LowFrequencyFilter()), failures::add);

    assertThat(chain.apply(Interval.PAUSE, 0, -297)).isEqualTo(-297);
    assertThat(chain.apply(Interval.SLOT, 10, 10)).isEqualTo(10);
    assertThat(failures).isEmpty();
  }

  /** One release takes 37 in place of 2: those that are due meanwhile are late, and none after. */
  @Test
  void shouldNotHandADelayOnToLaterReleases() {
    Baton filtered = new Baton(new FilterChain(List.of(new LowFrequencyFilter()), failures::add));
    Turn[] turns = {turn(filtered, 10, 2, 3), turn(filtered, 20, 4, 6)};
    long[] periodNs = {10, 20};
    long[] dueNs = {0, 0};
    List<Long> late = new ArrayList<>();
    turns[0].ask(0);
    turns[1].ask(0);
    long nowNs = 0;
    while (nowNs < 400) {
      long untilNs = filtered.step(nowNs);
      Turn holder = filtered.holder();
      if (holder == null) {
        nowNs = untilNs;
        continue;
      }
      int i = holder == turns[0] ? 0 : 1;
      nowNs += i == 0 ? 2 : dueNs[1] == 100 ? 37 : 4;
      if (nowNs > dueNs[i] + periodNs[i]) {
        late.add(dueNs[i]);
      }
      filtered.step(nowNs); // the scheduler looks before the task is done: a slot that was exceeded
      holder.giveBack(nowNs);
      dueNs[i] += periodNs[i];
      holder.ask(dueNs[i]);
    }

    assertThat(late)
        .as("due while it lasted, or made up for right after")
        .allMatch(due -> due >= 100 && due < 160);
    assertThat(late).isNotEmpty();
    assertThat(filtered.lost()).isPositive();
    assertThat(failures).isEmpty();
  }

  /**
   * Sets of tasks that pass the analysis meet their deadlines under these rules, with random phases
   * and costs up to the admitted ones.
   */
  @Test
  void shouldMeetTheDeadlinesOfAllSetsThatTheAnalysisAdmits() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    AdmissionTest test = new AdmissionTest(AdmissionTest.Kind.NON_PREEMPTIVE, 1, 1);
    int admitted = 0;
    int refusedAndMissed = 0;
    for (int i = 0; i < Seeds.size(3_000, 100_000); i++) {
      List<TaskModel> tasks = randomTasks(random);
      boolean passes = test.passes(tasks);
      boolean missed = missesIn(tasks, random);
      if (passes) {
        admitted++;
        assertThat(missed).as("set %s of %s: %s", i, Seeds.replay(seed), tasks).isFalse();
      } else if (missed) {
        refusedAndMissed++;
      }
    }
    assertThat(admitted).isPositive();
    assertThat(refusedAndMissed).as("the simulation can find a miss").isPositive();
  }

  private static List<TaskModel> randomTasks(Random random) {
    List<TaskModel> tasks = new ArrayList<>();
    for (int i = 2 + random.nextInt(4); i > 0; i--) {
      long periodNs = 4 + random.nextInt(40);
      long costNs = 1 + random.nextLong(Math.max(1, periodNs / 3));
      long deadlineNs = Math.min(periodNs, costNs + random.nextLong(periodNs));
      tasks.add(TaskModel.of("task " + i, costNs, periodNs, deadlineNs));
    }
    return tasks;
  }

  private boolean missesIn(List<TaskModel> tasks, Random random) {
    Baton rules = new Baton(new FilterChain(List.of(), failures::add));
    int n = tasks.size();
    Turn[] turns = new Turn[n];
    long[] dueNs = new long[n];
    for (int i = 0; i < n; i++) {
      TaskModel task = tasks.get(i);
      turns[i] = turn(rules, task.deadlineNs(), task.costNs(), task.costNs());
      dueNs[i] = random.nextBoolean() ? 0 : random.nextLong(task.periodNs());
      turns[i].ask(dueNs[i]);
    }
    boolean full = random.nextBoolean();
    long nowNs = 0;
    while (nowNs < 2_000) {
      long untilNs = rules.step(nowNs);
      Turn holder = rules.holder();
      if (holder == null) {
        nowNs = untilNs;
        continue;
      }
      int i = List.of(turns).indexOf(holder);
      TaskModel task = tasks.get(i);
      nowNs += full ? task.costNs() : 1 + random.nextLong(task.costNs());
      if (nowNs > dueNs[i] + task.deadlineNs()) {
        return true;
      }
      holder.giveBack(nowNs);
      dueNs[i] += task.periodNs();
      holder.ask(dueNs[i]);
    }
    return false;
  }
}
