package dev.takt.handwoven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.MemoryStats;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.ReleaseError;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.StableMemoryExhausted;
import dev.takt.reflex.TaskControl;
import dev.takt.reflex.TransientMemoryExhausted;
import dev.takt.reflex.memory.Saved;
import dev.takt.reflex.memory.TaskMemory;
import dev.takt.reflex.memory.Woven;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Stable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Woven tasks in a runtime: who may run, and what becomes of their memory. */
class WovenReleaseTest {
  private static final Event ANY_A = new Event("a", null);
  private static final long LIMIT_NS = 30_000_000_000L;

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final ReflexRuntime runtime =
      ReflexRuntime.create(
          space, RuntimeSettings.DEVELOPMENT.withWorkers(1).withMaxFailures(3).withWarmUpNs(0));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().startsWith("takt-"));
  }

  static void await(BooleanSupplier condition) {
    long endNs = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).isNegative();
      Thread.onSpinWait();
    }
  }

  private TaskControl run(WovenTask task) {
    TaskControl control = runtime.active("task", task, Schedule.continuous());
    runtime.start();
    return control;
  }

  @Nested
  class Undoing {
    private void shouldRestore(Consumer<WovenTask> end) {
      Account outer = new SavingsAccount();
      outer.next(new Account());
      AtomicInteger releases = new AtomicInteger();
      WovenTask task =
          new WovenTask(
              t -> {
                t.count(t.count() + 1);
                outer.balance(5);
                outer.history(1, t.count());
                outer.next().owner("me");
                outer.next().next(Account.$takt$new().$takt$init(9));
                t.account(outer.next());
                Node.of(1, null);
                releases.incrementAndGet();
                end.accept(t);
              });
      task.account(outer);
      String before = outer + "/" + outer.next();
      TaskControl control = run(task);
      await(() -> releases.get() >= 3);
      runtime.close();
      assertThat(control.stats().commits()).isZero();
      assertThat(task.count()).isZero();
      assertThat(task.account()).isSameAs(outer);
      assertThat(outer + "/" + outer.next()).isEqualTo(before);
    }

    @Test
    void shouldRestoreObjectsAndArraysWhenTaskAborts() {
      shouldRestore(WovenTask::doAbort);
    }

    @Test
    void shouldRestoreWhenExceptionEscapes() {
      shouldRestore(
          task -> {
            throw new IllegalStateException("wrong");
          });
    }

    @Test
    void shouldRestoreWhenStackOverflows() {
      shouldRestore(task -> overflow(task, 0));
    }

    private static int overflow(WovenTask task, int depth) {
      task.account().history(0, depth);
      task.count(depth);
      return overflow(task, depth + 1) + 1;
    }

    @Test
    void shouldRestoreWhenHeapIsFull() {
      shouldRestore(
          task -> {
            throw new OutOfMemoryError("as if");
          });
    }

    @Test
    void shouldRestoreWhenTransientMemoryIsExhausted() {
      shouldRestore(
          task -> {
            while (true) {
              Node.of(0, null);
            }
          });
    }

    @Test
    void shouldRestoreWhenStableMemoryIsExhausted() {
      shouldRestore(
          task -> {
            while (true) {
              Account.$takt$new();
            }
          });
    }

    @Test
    void shouldRestoreWhenReleaseLosesConflict() {
      AtomicInteger attempts = new AtomicInteger();
      WovenTask task =
          new WovenTask(
              t -> {
                if (attempts.incrementAndGet() > 3) {
                  return;
                }
                t.count(t.count() + 1);
                t.doTest(ANY_A);
                if (attempts.get() < 3) {
                  space.transact(
                      1_000,
                      transaction -> {
                        transaction.write(new Event("a", 1));
                        return null;
                      });
                  space.take(ANY_A);
                }
                t.doWrite(new Event("b", t.count()));
              });
      run(task);
      await(() -> attempts.get() > 3);
      runtime.close();
      assertThat(task.count()).isEqualTo(1);
      assertThat(space.take(new Event("b", null)).getLong("b")).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatCommittedReleasesChanged() {
      WovenTask task =
          new WovenTask(
              t -> {
                if (t.count() < 100) {
                  Account next = Account.$takt$new().$takt$init(t.count());
                  next.next(t.account());
                  t.account(next);
                  t.count(t.count() + 1);
                }
              });
      TaskControl control = run(task);
      await(() -> control.stats().commits() > 100);
      runtime.close();
      int length = 0;
      for (Account each = task.account(); each != null; each = each.next()) {
        length++;
        assertThat(each.count()).isEqualTo(100 - length);
      }
      assertThat(length).isEqualTo(100);
      assertThat(control.failure()).isNull();
    }
  }

  @Nested
  class Exhausting {
    @Test
    void shouldReportSizesAndPlaceAndStopTask() {
      TaskControl control =
          run(
              new WovenTask(
                  48,
                  10_000,
                  t -> {
                    Node.of(1, Node.of(2, Node.of(3, null)));
                  }));
      await(control::isStopped);
      assertThat(control.failure())
          .isInstanceOf(TransientMemoryExhausted.class)
          .hasMessageContaining(
              "task task: transient memory exhausted: asked=24 bytes for dev.takt.handwoven.Node,"
                  + " used=48, limit=48, at ")
          .hasMessageContaining("transientSizeBytes");
      assertThat(control.stats().failures()).isEqualTo(3);
      MemoryStats memory = control.stats().memory();
      assertThat(memory.transientPeakBytes()).isEqualTo(48);
      assertThat(memory.transientLimitBytes()).isEqualTo(48);
      assertThat(memory.stableLimitBytes()).isEqualTo(10_000);
    }

    @Test
    void shouldNotCommitWhenTaskSwallowsError() {
      WovenTask task =
          new WovenTask(
              0,
              10_000,
              t -> {
                t.count(t.count() + 1);
                t.doWrite(new Event("a", 1));
                try {
                  Node.of(1, null);
                } catch (ReleaseError swallowed) {
                  t.count(77);
                }
              });
      TaskControl control = run(task);
      await(control::isStopped);
      runtime.close();
      assertThat(task.count()).isZero();
      assertThat(space.count(ANY_A)).isZero();
      assertThat(control.failure()).isInstanceOf(TransientMemoryExhausted.class);
      assertThat(control.stats().commits()).isZero();
    }

    @Test
    void shouldNotHideExhaustionBehindAbort() {
      TaskControl control =
          run(
              new WovenTask(
                  0,
                  10_000,
                  t -> {
                    try {
                      Node.of(1, null);
                    } catch (ReleaseError swallowed) {
                      t.doAbort();
                    }
                  }));
      await(control::isStopped);
      assertThat(control.stats().aborts()).isZero();
    }

    @Test
    void shouldRethrowWhatEndsReleaseFromWovenHandlers() {
      assertThatThrownBy(() -> TaskMemory.passAbort(new StableMemoryExhausted("full")))
          .isInstanceOf(StableMemoryExhausted.class);
      space.transact(
          transaction -> {
            try {
              transaction.abort();
            } catch (Abort abort) {
              assertThatThrownBy(() -> TaskMemory.passAbort(abort)).isSameAs(abort);
              throw abort;
            }
          });
      TaskMemory.passAbort(new AssertionError("for the handler"));
    }

    @Test
    void shouldCountObjectsOfRegistration() {
      WovenTask task = new WovenTask(t -> {});
      Account account = new Account();
      account.next(new SavingsAccount());
      task.account(account);
      TaskControl control = runtime.active("task", task, Schedule.continuous());
      long expected = control.stats().memory().stableUsedBytes();
      TaskControl smaller = runtime.active("other", new WovenTask(t -> {}), Schedule.continuous());
      assertThat(expected - smaller.stats().memory().stableUsedBytes())
          .isEqualTo(
              TaskSizes.of(Account.class) + TaskSizes.of(SavingsAccount.class) + 2 * (16 + 4 * 8));
    }
  }

  @Nested
  class Refusing {
    static final class Unwoven extends ReflexTask {
      @Override
      public void execute() {}
    }

    @Woven(abi = Woven.ABI)
    static final class Unverified extends Base {}

    @Woven(abi = Woven.ABI + 1, verified = true)
    static final class Newer extends Base {}

    static class UnwovenBase extends ReflexTask {
      @Override
      public void execute() {}
    }

    @Woven(abi = Woven.ABI, verified = true)
    static final class HalfWoven extends UnwovenBase implements Saved {
      @Override
      public void $takt$save(TaskMemory memory) {}

      @Override
      public void $takt$restore(TaskMemory memory) {}

      @Override
      public void $takt$apply(int field, long bits, Object reference) {}
    }

    static final class UnwovenStable implements Stable {}

    @Woven(abi = Woven.ABI, verified = true)
    static final class Holder extends ReflexTask implements Saved {
      final Stable held;

      Holder(Stable held) {
        this.held = held;
      }

      @Override
      public void execute() {}

      @Override
      public void $takt$save(TaskMemory memory) {}

      @Override
      public void $takt$restore(TaskMemory memory) {}

      @Override
      public void $takt$apply(int field, long bits, Object reference) {}
    }

    @Woven(abi = Woven.ABI, verified = true)
    static final class Forged extends ReflexTask {
      @Override
      public void execute() {}
    }

    /** With what every woven task has. */
    @Woven(abi = Woven.ABI, verified = true)
    abstract static class Base extends WovenTask {
      Base() {
        super(task -> {});
      }
    }

    @Woven(abi = Woven.ABI, verified = true, live = "no.such.Type")
    static final class Dangling extends Base {}

    @Woven(abi = Woven.ABI, verified = true, arrays = "I16")
    static final class Garbled extends Base {}

    @Woven(abi = Woven.ABI, verified = true, code = "dev.takt.handwoven.Releases")
    static final class HelperCompiledAgain extends Base {}

    private void shouldRefuse(ReflexTask task, String... messages) {
      try (ReflexRuntime strict = ReflexRuntime.create(space)) {
        shouldRefuse(strict, task, messages);
      }
    }

    /** What even development does not allow. */
    private void shouldAlwaysRefuse(ReflexTask task, String... messages) {
      shouldRefuse(runtime, task, messages);
    }

    private static void shouldRefuse(ReflexRuntime runtime, ReflexTask task, String... messages) {
      assertThatThrownBy(() -> runtime.active("t", task, Schedule.continuous()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("task t: ")
          .hasMessageContainingAll(messages);
    }

    @Test
    void shouldRefuseUnwovenTaskAndSayWhatMendsIt() {
      shouldRefuse(
          new Unwoven(),
          Unwoven.class.getName() + " is not woven",
          "takt:weave",
          "takt:test-weave",
          "./takt weave",
          "./takt run",
          "-javaagent:takt-safety.jar",
          "RuntimeSettings.DEVELOPMENT",
          "-Dtakt.development=true");
    }

    @Test
    void shouldRefuseTaskWhoseSuperclassIsNotWoven() {
      shouldRefuse(new HalfWoven(), UnwovenBase.class.getName() + " is not woven");
    }

    @Test
    void shouldRefuseUnverifiedTask() {
      shouldRefuse(new Unverified(), "was not verified", "./takt check");
    }

    @Test
    void shouldRefuseTaskWovenForAnotherVersion() {
      shouldRefuse(new Newer(), "abi=" + (Woven.ABI + 1), "expected: " + Woven.ABI, "./takt weave");
    }

    @Test
    void shouldRefuseStableObjectThatIsNotWoven() {
      shouldAlwaysRefuse(
          new Holder(new UnwovenStable()), UnwovenStable.class.getName(), "is not woven");
    }

    @Test
    void shouldRefuseMarkThatTheWeaverDidNotMake() {
      shouldRefuse(new Forged(), Forged.class.getName() + " is not woven");
    }

    @Test
    void shouldRefuseMarkWithoutTheSealOfTheWeaver() {
      shouldRefuse(new WovenTask(t -> {}), "rule R1", "WovenTask$TaktSeal", "./takt weave");
    }

    @Test
    void shouldRefuseTaskWhoseHelperWasCompiledAgain() {
      shouldRefuse(
          new HelperCompiledAgain(),
          Releases.class.getName() + ", whose code its releases run, is not woven",
          "./takt weave");
    }

    @Test
    void shouldRefuseNotesThatCannotBeRead() {
      shouldAlwaysRefuse(new Dangling(), "no.such.Type", "weave again");
      shouldAlwaysRefuse(new Garbled(), "I16", "weave again");
    }

    @Test
    void shouldRefuseStableObjectOfAnotherTask() {
      Account shared = new Account();
      WovenTask first = new WovenTask(t -> {});
      first.account(shared);
      runtime.active("first", first, Schedule.continuous());
      Account between = new Account();
      between.next(shared);
      WovenTask second = new WovenTask(t -> {});
      second.account(between);
      shouldAlwaysRefuse(second, "dev.takt.handwoven.Account belongs to task first already");
    }

    @Test
    void shouldRefuseTaskWhoseObjectsDoNotFit() {
      WovenTask task = new WovenTask(0, 100, t -> {});
      task.account(new Account());
      shouldAlwaysRefuse(task, "stableSizeBytes=100", "larger stable size");
    }

    @Test
    void shouldRunUnwovenAndUnverifiedTasksInDevelopment() {
      try (ReflexRuntime lenient = ReflexRuntime.create(space, RuntimeSettings.DEVELOPMENT)) {
        lenient.active("unwoven", new Unwoven(), Schedule.continuous());
        lenient.active("unverified", new Unverified2(), Schedule.continuous());
        lenient.start();
      }
    }

    @Woven(abi = Woven.ABI)
    static final class Unverified2 extends WovenTask {
      Unverified2() {
        super(t -> {});
      }
    }
  }

  @Nested
  class Developing {
    /** Not woven itself, but with a woven object: as a task with a stable collection in an IDE. */
    static final class Mixed extends ReflexTask {
      /** What the runtime cannot name. */
      private enum Side {
        BUY,
        SELL
      }

      private final Account account = new Account();
      private Side side = Side.BUY;
      private int count;
      private final transient AtomicInteger releases = new AtomicInteger();

      @Override
      public void execute() {
        count++;
        side = count == 1 ? Side.SELL : Side.BUY;
        account.count(count);
        account.history(1, 5);
        account.next(Account.$takt$new().$takt$init(1));
        if (releases.incrementAndGet() > 1) {
          abort();
        }
      }
    }

    @Test
    void shouldUndoWovenObjectsOfTaskThatIsNotWoven() {
      Mixed task = new Mixed();
      try (ReflexRuntime lenient = ReflexRuntime.create(space, RuntimeSettings.DEVELOPMENT)) {
        TaskControl control = lenient.active("mixed", task, Schedule.continuous());
        lenient.start();
        await(() -> control.stats().aborts() > 3);
      }
      assertThat(task.count).isEqualTo(1);
      assertThat(task.side).isEqualTo(Mixed.Side.SELL);
      assertThat(task.account.count()).isEqualTo(1);
      assertThat(task.account.next().count()).isEqualTo(1);
    }
  }

  @Nested
  class SettingUp {
    @Test
    void shouldInitializeOnThreadWithMemory() {
      AtomicInteger made = new AtomicInteger();
      WovenTask task =
          new WovenTask(
              1_000,
              10_000,
              t -> {
                assertThat(TaskMemory.current()).isNotNull();
                Node.of(1, null);
                t.account(Account.$takt$new().$takt$init(3));
                made.incrementAndGet();
              },
              t -> {},
              t -> {});
      run(task);
      assertThat(made.get()).isEqualTo(1);
      assertThat(task.account().count()).isEqualTo(3);
      assertThat(TaskMemory.current()).isNull();
    }

    @Test
    void shouldRefuseRegistrationInInitialize() {
      WovenTask task =
          new WovenTask(
              0,
              10_000,
              t -> runtime.active("inner", new WovenTask(x -> {}), Schedule.continuous()),
              t -> {},
              t -> {});
      runtime.active("outer", task, Schedule.continuous());
      assertThatThrownBy(runtime::start)
          .hasMessageContaining("outer failed to initialize")
          .hasMessageContaining("in initialize()");
    }
  }
}
