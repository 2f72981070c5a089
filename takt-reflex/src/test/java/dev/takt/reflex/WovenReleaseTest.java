package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.limit.MemoryStats;
import dev.takt.reflex.limit.ReleaseError;
import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.reflex.limit.TransientMemoryExhausted;
import dev.takt.reflex.woven.StableGraph;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Woven;
import dev.takt.scripted.Account;
import dev.takt.scripted.Node;
import dev.takt.scripted.SavingsAccount;
import dev.takt.scripted.Scripted;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Stable;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.Interfaces;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
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
          space, Settings.FOR_TESTS.withWorkers(1).withMaxFailures(3).withWarmUpNs(0));

  @AfterEach
  void stop() {
    runtime.close();
    assertThat(Await.runtimeThreads()).isEmpty();
  }

  static void await(BooleanSupplier condition) {
    long endNs = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).isNegative();
      Thread.onSpinWait();
    }
  }

  private TaskControl run(Scripted task) {
    TaskControl control = runtime.active("task", task, Schedule.continuous());
    runtime.start();
    return control;
  }

  @Nested
  class Undoing {
    private void shouldRestore(Scripted.Script end) {
      Account outer = new SavingsAccount();
      outer.next(new Account());
      AtomicInteger releases = new AtomicInteger();
      Scripted task =
          new Scripted(
              t -> {
                t.count(t.count() + 1);
                outer.balance(5);
                outer.history(1, t.count());
                outer.next().owner("me");
                outer.next().next(Account.of(9));
                t.account(outer.next());
                Node.of(1, null);
                releases.incrementAndGet();
                end.run(t);
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
      shouldRestore(Scripted::doAbort);
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

    private static int overflow(Scripted task, int depth) {
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
              Account.of(0);
            }
          });
    }

    @Test
    void shouldRestoreWhenReleaseLosesConflict() {
      AtomicInteger attempts = new AtomicInteger();
      Scripted task =
          new Scripted(
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
      Scripted task =
          new Scripted(
              t -> {
                if (t.count() < 100) {
                  Account next = Account.of(t.count());
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
              new Scripted(
                  48,
                  10_000,
                  t -> {
                    Node.of(1, Node.of(2, Node.of(3, null)));
                  }));
      await(control::isStopped);
      assertThat(control.failure())
          .isInstanceOf(TransientMemoryExhausted.class)
          .hasMessageContaining(
              "task task: transient memory exhausted: asked=24 bytes for dev.takt.scripted.Node,"
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
      Scripted task =
          new Scripted(
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
              new Scripted(
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

    private static long sizeBytes(Account account) {
      return new StableGraph(new StableGraph.Registered(), "t", account, type -> true).sizeBytes();
    }

    @Test
    void shouldCountObjectsOfRegistration() {
      Scripted task = new Scripted(t -> {});
      Account account = new Account();
      account.next(new SavingsAccount());
      task.account(account);
      TaskControl control = runtime.active("task", task, Schedule.continuous());
      long expected = control.stats().memory().stableUsedBytes();
      TaskControl smaller = runtime.active("other", new Scripted(t -> {}), Schedule.continuous());
      assertThat(expected - smaller.stats().memory().stableUsedBytes())
          .isEqualTo(sizeBytes(new Account()) + sizeBytes(new SavingsAccount()));
    }
  }

  @Nested
  class Refusing {
    static class Base extends ReflexTask {
      @Override
      public void execute() {}
    }

    static final class Derived extends Base {}

    static final class Holder extends ReflexTask {
      final Stable held;

      Holder(Stable held) {
        this.held = held;
      }

      @Override
      public void execute() {}
    }

    private void shouldRefuse(ReflexTask task, String... messages) {
      shouldRefuse(runtime, task, messages);
    }

    private static void shouldRefuse(ReflexRuntime runtime, ReflexTask task, String... messages) {
      assertThatThrownBy(() -> runtime.active("t", task, Schedule.continuous()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("task t: ")
          .hasMessageContainingAll(messages);
    }

    private static ReflexTask altered(ClassTransform change) {
      return new AlteredClasses().with(Base.class, change).task(Base.class);
    }

    private static AnnotationValue strings(String value) {
      return AnnotationValue.ofArray(AnnotationValue.ofString(value));
    }

    @Test
    void shouldRefuseUnwovenTaskAndSayWhatMendsIt() {
      shouldRefuse(
          altered(AlteredClasses.unmarked()),
          Base.class.getName() + " is not woven",
          "takt:weave",
          "takt:test-weave",
          "./takt weave",
          "./takt run",
          "-javaagent:takt-safety.jar");
    }

    @Test
    void shouldRefuseTaskWhoseSuperclassIsNotWoven() {
      ReflexTask task =
          new AlteredClasses()
              .with(Base.class, AlteredClasses.unmarked())
              .with(Derived.class, ClassTransform.ACCEPT_ALL)
              .task(Derived.class);
      shouldRefuse(task, Base.class.getName() + " is not woven");
    }

    @Test
    void shouldRefuseUnverifiedTask() {
      ReflexTask task = altered(AlteredClasses.element("verified", AnnotationValue.of(false)));
      RuntimeSettings checked = Settings.FOR_TESTS.withUncheckedTasks(false);
      try (ReflexRuntime runtime = ReflexRuntime.create(space, checked)) {
        shouldRefuse(runtime, task, "was not verified", "./takt check", "takt.unchecked");
      }
    }

    @Test
    void shouldRefuseTaskWovenForAnotherVersion() {
      int newer = Woven.ABI + 1;
      ReflexTask task = altered(AlteredClasses.element("abi", AnnotationValue.of(newer)));
      shouldRefuse(task, "abi=" + newer, "expected: " + Woven.ABI, "./takt weave");
    }

    @Test
    void shouldRefuseStableObjectThatIsNotWoven() {
      Object unwoven =
          Proxy.newProxyInstance(
              getClass().getClassLoader(), new Class<?>[] {Stable.class}, (p, m, a) -> null);
      shouldRefuse(new Holder((Stable) unwoven), unwoven.getClass().getName(), "is not woven");
    }

    @Test
    void shouldRefuseMarkThatTheWeaverDidNotMake() {
      ReflexTask task =
          altered(
              (to, element) -> {
                if (!(element instanceof Interfaces)) {
                  to.with(element);
                }
              });
      shouldRefuse(task, Base.class.getName() + " is not woven");
    }

    @Test
    void shouldRefuseMarkWithoutTheSealOfTheWeaver() {
      ReflexTask task =
          new AlteredClasses(true).with(Base.class, ClassTransform.ACCEPT_ALL).task(Base.class);
      shouldRefuse(task, "rule R1", "Base$TaktSeal", "./takt weave");
    }

    @Test
    void shouldRefuseTaskWhoseHelperWasCompiledAgain() {
      shouldRefuse(
          altered(AlteredClasses.element("code", strings(Releases.class.getName()))),
          Releases.class.getName() + ", whose code its releases run, is not woven",
          "./takt weave");
    }

    @Test
    void shouldRefuseNotesThatCannotBeRead() {
      shouldRefuse(
          altered(AlteredClasses.element("live", strings("no.such.Type"))),
          "no.such.Type",
          "weave again");
      shouldRefuse(altered(AlteredClasses.element("arrays", strings("I16"))), "I16", "weave again");
    }

    @Test
    void shouldTakeTheSameClassUnaltered() {
      runtime.active("t", altered(ClassTransform.ACCEPT_ALL), Schedule.continuous());
    }

    @Test
    void shouldRefuseStableObjectOfAnotherTask() {
      Account shared = new Account();
      Scripted first = new Scripted(t -> {});
      first.account(shared);
      runtime.active("first", first, Schedule.continuous());
      Account between = new Account();
      between.next(shared);
      Scripted second = new Scripted(t -> {});
      second.account(between);
      shouldRefuse(second, Account.class.getName() + " belongs to task first already");
    }

    @Test
    void shouldTakeObjectsOfATaskThatWasRefused() {
      Account account = new Account();
      account.next(new SavingsAccount());
      Scripted tooSmall = new Scripted(0, 100, t -> {});
      tooSmall.account(account);
      shouldRefuse(tooSmall, "stableSizeBytes=100");
      Scripted task = new Scripted(t -> {});
      task.account(account);
      TaskControl control = runtime.active("task", task, Schedule.continuous());
      Scripted like = new Scripted(t -> {});
      Account fresh = new Account();
      fresh.next(new SavingsAccount());
      like.account(fresh);
      assertThat(control.stats().memory().stableUsedBytes())
          .isEqualTo(
              runtime
                  .active("like", like, Schedule.continuous())
                  .stats()
                  .memory()
                  .stableUsedBytes());
      Scripted second = new Scripted(t -> {});
      second.account(account.next());
      shouldRefuse(second, "belongs to task task already");
    }

    @Test
    void shouldCountACircleOnce() {
      Account account = new Account();
      account.next(account);
      Scripted circle = new Scripted(t -> {});
      circle.account(account);
      Scripted line = new Scripted(t -> {});
      line.account(new Account());
      TaskControl first = runtime.active("circle", circle, Schedule.continuous());
      TaskControl second = runtime.active("line", line, Schedule.continuous());
      assertThat(first.stats().memory().stableUsedBytes())
          .isEqualTo(second.stats().memory().stableUsedBytes());
    }

    @Test
    void shouldRefuseTaskWhoseObjectsDoNotFit() {
      Scripted task = new Scripted(0, 100, t -> {});
      task.account(new Account());
      shouldRefuse(task, "stableSizeBytes=100", "larger stable size");
    }
  }

  @Nested
  class SettingUp {
    @Test
    void shouldInitializeOnThreadWithMemory() {
      AtomicInteger made = new AtomicInteger();
      Scripted task =
          new Scripted(
              1_000,
              10_000,
              t -> {
                assertThat(TaskMemory.current()).isNotNull();
                Node.of(1, null);
                t.account(Account.of(3));
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
      Scripted task =
          new Scripted(
              0,
              10_000,
              t -> runtime.active("inner", new Scripted(x -> {}), Schedule.continuous()),
              t -> {},
              t -> {});
      runtime.active("outer", task, Schedule.continuous());
      assertThatThrownBy(runtime::start)
          .hasMessageContaining("outer failed to initialize")
          .hasMessageContaining("in initialize()");
    }
  }
}
