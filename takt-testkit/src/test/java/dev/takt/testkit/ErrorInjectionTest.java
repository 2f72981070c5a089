package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An error may end any call and any allocation of the space, at any depth, and a program may catch
 * it and go on: the space is as if what was cut off had not happened.
 */
@ExtendWith(LeakCheck.class)
class ErrorInjectionTest {
  private static final int OPERATIONS_OF_A_SPACE = 2_000;
  private static final long STACK_BYTES = 256 * 1024;
  private static final ClassDesc SHARED_ACCESS = ClassDesc.of("dev.takt.testkit.SharedAccess");
  private static final MethodTypeDesc BEFORE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  /** A run in another class loader. */
  public interface Run {
    /** Runs on a new space; returns how many operations were cut off. */
    long run(long seed, int operations, Injector injector);
  }

  /** Runs an action so that it may be cut off. */
  public interface Injector {
    /** Runs the action; may throw an error out of its middle. */
    void run(SplittableRandom random, Runnable action);
  }

  /** Fails at the n-th call or allocation from now on, and then at some or all that follow. */
  private static final class Calls implements Injector {
    private final List<String> places = new ArrayList<>();
    private boolean armed;
    private boolean failing;
    private int left;
    private int oneIn;
    private SplittableRandom random;
    private String last = "";

    boolean emits(CodeBuilder code, CodeElement element, String method) {
      boolean mayFail =
          element instanceof InvokeInstruction
              || element instanceof NewObjectInstruction
              || element instanceof NewPrimitiveArrayInstruction
              || element instanceof NewReferenceArrayInstruction;
      if (mayFail && !method.contains("<clinit>") && !isDriver(method)) {
        places.add(method + " " + element);
        code.loadConstant(places.size() - 1).invokestatic(SHARED_ACCESS, "before", BEFORE);
      }
      return false;
    }

    private static boolean isDriver(String method) {
      return method.startsWith("ErrorRun") || method.startsWith("RandomEvents");
    }

    void before(int site) {
      if (armed && (failing ? random.nextInt(oneIn) == 0 : --left < 0)) {
        failing = true;
        last = places.get(site);
        throw random.nextBoolean() ? new StackOverflowError() : new OutOfMemoryError("injected");
      }
    }

    @Override
    public void run(SplittableRandom random, Runnable action) {
      this.random = random;
      left = random.nextInt(random.nextBoolean() ? 60 : 600);
      // a stack that is full makes all calls fail until it is left
      oneIn = random.nextBoolean() ? 1 : 1 + random.nextInt(20);
      failing = false;
      armed = random.nextInt(3) != 0;
      try {
        action.run();
      } finally {
        armed = false;
      }
    }

    @Override
    public String toString() {
      return last;
    }
  }

  /** Runs the action with so little stack left that it overflows somewhere, or just not. */
  private static final class Depths implements Injector {
    private int deepest;

    @Override
    public void run(SplittableRandom random, Runnable action) {
      if (random.nextInt(2) == 0) {
        action.run();
        return;
      }
      if (deepest == 0 || random.nextInt(20) == 0) {
        deepest = measure(0);
      }
      dive(Math.max(1, deepest - random.nextInt(80)), action);
    }

    private static int measure(int depth) {
      try {
        return measure(depth + 1);
      } catch (StackOverflowError e) {
        return depth;
      }
    }

    private static void dive(int depth, Runnable action) {
      if (depth == 0) {
        action.run();
      } else {
        dive(depth - 1, action);
      }
    }
  }

  private final long seed = Seeds.seed();

  @Test
  void shouldEqualTheModelWhereverACallFails() {
    Calls calls = new Calls();
    Run run =
        new FaultLoader(
                name ->
                    name.startsWith("dev.takt.space.")
                        || name.startsWith(ErrorRun.class.getName())
                        || name.startsWith(RandomEvents.class.getName()),
                false,
                calls::emits)
            .newInstance(ErrorRun.class.getName(), Run.class);
    SharedAccess.setHook(calls::before);
    try {
      repeat("calls that fail", run, calls, Seeds.size(60_000, 1_000_000));
    } finally {
      SharedAccess.setHook(null);
    }
    assertThat(calls.places).hasSizeGreaterThan(500);
  }

  @Test
  void shouldEqualTheModelHoweverLittleStackIsLeft() throws Exception {
    Throwable[] failed = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () ->
                repeat("full stacks", new ErrorRun(), new Depths(), Seeds.size(20_000, 1_000_000)),
            "takt-overflow",
            STACK_BYTES);
    thread.setUncaughtExceptionHandler((any, e) -> failed[0] = e);
    thread.start();
    thread.join();
    assertThat(failed[0]).isNull();
  }

  private void repeat(String what, Run run, Injector injector, long wanted) {
    Thread.UncaughtExceptionHandler handler = Thread.currentThread().getUncaughtExceptionHandler();
    // what subscribers throw; the handler throws, too
    Thread.currentThread()
        .setUncaughtExceptionHandler(
            (thread, e) -> {
              if (e instanceof AssertionError) {
                handler.uncaughtException(thread, e);
              }
              throw new IllegalStateException(e);
            });
    long done = 0;
    long cutOff = 0;
    long spaces = 0;
    try {
      while (done < wanted) {
        long current = seed + spaces++;
        try {
          cutOff += run.run(current, OPERATIONS_OF_A_SPACE, injector);
        } catch (RuntimeException | Error e) {
          throw new AssertionError(Seeds.replay(current) + ": " + e, e);
        }
        done += OPERATIONS_OF_A_SPACE;
      }
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(handler);
    }
    System.out.printf(
        "%s: %,d operations on %,d spaces, %,d cut off, from %s%n",
        what, done, spaces, cutOff, Seeds.replay(seed));
    assertThat(cutOff).as("operations that were cut off").isGreaterThan(wanted / 100);
  }
}
