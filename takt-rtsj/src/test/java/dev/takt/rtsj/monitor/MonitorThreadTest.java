package dev.takt.rtsj.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.rtsj.monitor.MonitorFixture.Actor;
import dev.takt.rtsj.monitor.MonitorFixture.OtherClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known of a thread. */
class MonitorThreadTest {
  /** A thread that was begun by what it says. */
  private static final class Begun extends Thread {
    private final StackTraceElement[] calls;
    volatile MonitorThread known;

    Begun(StackTraceElement... calls) {
      this.calls = calls;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      return calls;
    }

    @Override
    public void run() {
      known = MonitorThread.current();
    }

    /** Runs it to its end, and returns how many more threads may linger then. */
    int lingering() throws InterruptedException {
      int before = MonitorThread.lingering();
      start();
      join();
      return MonitorThread.lingering() - before;
    }
  }

  private static StackTraceElement call(String type, String method) {
    return new StackTraceElement(type, method, null, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.Thread, run, 0",
    "dev.takt.rtsj.monitor.MonitorThreadTest$Begun, run, 0",
    "java.lang.Object, run, 0",
    "launcher.Launcher, main, 1",
    "launcher.Launcher, run, 1",
    "java.lang.Thread, main, 1",
  })
  void shouldTakeForLingeringWhatWasNotBegunByRunOfItsThread(
      String type, String method, int lingering) throws InterruptedException {
    Begun begun = new Begun(call("dev.takt.Work", "run"), call(type, method));
    int more = begun.lingering();
    // without native access there is no identifier, and nothing that lingers
    assertThat(more).isEqualTo(begun.known.threadId == 0 ? 0 : lingering);
    assertThat(MonitorThread.anyLingers()).isEqualTo(MonitorThread.lingering() > 0);
  }

  @Test
  void shouldTakeForLingeringWhatNothingIsKnownOf() throws InterruptedException {
    assertThat(MonitorThread.anyLingers()).isEqualTo(MonitorThread.lingering() > 0);
    Begun attached = new Begun();
    int lingering = attached.lingering();
    assertThat(lingering).isEqualTo(attached.known.threadId == 0 ? 0 : 1);
    assertThat(MonitorThread.anyLingers()).isEqualTo(MonitorThread.lingering() > 0);
  }

  @Test
  void shouldNotTakeForLingeringWhatIsVirtual() throws InterruptedException {
    int before = MonitorThread.lingering();
    MonitorThread[] made = {null};
    Thread.startVirtualThread(() -> made[0] = MonitorThread.current()).join();
    assertThat(made[0].threadId).isZero();
    assertThat(MonitorThread.lingering()).isEqualTo(before);
  }

  @Test
  void shouldKnowAPriorityUntilOneIsSet() {
    try (Actor actor = new Actor("known")) {
      MonitorThread thread = actor.self;
      assertThat(MonitorThread.priorityIn(thread.known(), 0)).isEqualTo(-1);
      thread.knowPriority(42, 4_711);
      assertThat(MonitorThread.priorityIn(thread.known(), 4_711)).isEqualTo(42);
      assertThat(MonitorThread.priorityIn(thread.known(), 4_712)).isEqualTo(-1);
      assertThat(MonitorThread.lastPriorityIn(thread.known())).isEqualTo(42);
      long before = thread.known();
      thread.knowPriority(before, Priorities.DEADLINE, 1L << 40);
      assertThat(MonitorThread.priorityIn(thread.known(), 1L << 40)).isEqualTo(100);
      thread.knowPriority(before, 7, 5);
      assertThat(MonitorThread.lastPriorityIn(thread.known())).as("noted meanwhile").isEqualTo(100);
    }
  }

  @Test
  void shouldKeepItsSleeperAsLongAsItsClock() {
    MonitorThread self = MonitorThread.current();
    OtherClock clock = new OtherClock();
    assertThat(self.sleeper(clock)).isSameAs(self.sleeper(clock));
    assertThat(self.sleeper(new OtherClock())).isNotSameAs(self.sleeper(clock));
  }
}
