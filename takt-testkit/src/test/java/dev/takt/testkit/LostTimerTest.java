package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.session.WaitLimit;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Some timers of a {@link WaitLimit} cannot be made: its later waits are limited all the same. */
class LostTimerTest {
  private static final ClassDesc SHARED_ACCESS = ClassDesc.of("dev.takt.testkit.SharedAccess");
  private static final MethodTypeDesc BEFORE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  /** Shorter than the time for which limits have one timer together. */
  private static final long SHORT_NS = 1_000_000;

  /** Longer than that. */
  private static final long LONG_NS = 250_000_000;

  /** A limit of another class loader. */
  public interface Limit {
    void make(long limitNs, LongUnaryOperator moreNs, Runnable exceeded);

    void begin();

    boolean end();
  }

  /** A limit where the loader of this class has put it. */
  public static final class LoadedLimit implements Limit {
    private WaitLimit limit;

    @Override
    public void make(long limitNs, LongUnaryOperator moreNs, Runnable exceeded) {
      limit = new WaitLimit(limitNs, exceeded);
      limit.excuse(moreNs);
    }

    @Override
    public void begin() {
      limit.begin();
    }

    @Override
    public boolean end() {
      return limit.end();
    }
  }

  private final FaultLoader loader =
      new FaultLoader(
          name -> name.startsWith("dev.takt.session.") || name.equals(LoadedLimit.class.getName()),
          false,
          LostTimerTest::callsBeforeTimers);

  /** Which timers are lost, by their numbers from 1 on. */
  private volatile IntPredicate isLost = _ -> false;

  private final AtomicInteger timers = new AtomicInteger();
  private final CountDownLatch lost = new CountDownLatch(1);
  private final CountDownLatch told = new CountDownLatch(1);

  private static boolean callsBeforeTimers(CodeBuilder code, CodeElement element, String method) {
    if (element instanceof InvokeInstruction call
        && (call.name().equalsString("delayedExecutor") || call.name().equalsString("start"))
        && method.startsWith("WaitLimit.")) {
      code.loadConstant(0).invokestatic(SHARED_ACCESS, "before", BEFORE);
    }
    return false;
  }

  @BeforeEach
  void loseTimers() {
    SharedAccess.setHook(
        _ -> {
          if (isLost.test(timers.incrementAndGet())) {
            lost.countDown();
            throw new OutOfMemoryError("no timer");
          }
        });
  }

  @AfterEach
  void keepTimers() {
    SharedAccess.setHook(null);
  }

  /** Makes a limit that ends no wait before a timer was lost, however slow the machine is. */
  private Limit limit(long limitNs, Runnable exceeded) {
    Limit limit = loader.newInstance(LoadedLimit.class.getName(), Limit.class);
    limit.make(limitNs, _ -> lost.getCount() > 0 ? limitNs : 0, exceeded);
    return limit;
  }

  private void shouldEndTheNextWaitOf(Limit limit) throws InterruptedException {
    limit.begin();
    assertThat(told.await(30, TimeUnit.SECONDS)).as("the wait is ended").isTrue();
    assertThat(limit.end()).isTrue();
  }

  @Test
  void shouldBeginNoWaitWithoutATimerAndLimitTheNextOne() throws Exception {
    Limit limit = limit(SHORT_NS, told::countDown);
    isLost = timer -> timer == 1;
    assertThatThrownBy(limit::begin).hasMessage("no timer");
    assertThat(limit.end()).isFalse();
    shouldEndTheNextWaitOf(limit);
  }

  @Test
  void shouldLimitTheWaitAfterOneWhoseTimerTogetherWithOthersIsLost() throws Exception {
    Limit limit = limit(LONG_NS, told::countDown);
    isLost = timer -> timer <= 2; // and the one of its own in its place
    assertThatThrownBy(limit::begin).hasMessage("no timer");
    shouldEndTheNextWaitOf(limit);
  }

  @Test
  void shouldNotTellOfAWaitThatHasNotBegunThoughItsOwnTimerWasMade() throws Exception {
    CountDownLatch toldOfNone = new CountDownLatch(1);
    Limit limit = limit(LONG_NS, toldOfNone::countDown);
    isLost = timer -> timer == 1;
    assertThatThrownBy(limit::begin).hasMessage("no timer");
    shouldEndTheNextWaitOf(limit(LONG_NS, told::countDown)); // which is looked at later
    assertThat(toldOfNone.getCount()).isEqualTo(1);
  }

  @Test
  void shouldLimitTheWaitsAfterOneWhoseOwnTimerIsLostLater() throws Exception {
    Limit limit = limit(LONG_NS, told::countDown);
    isLost = timer -> timer == 2;
    limit.begin();
    lost.await();
    assertThat(limit.end()).isFalse();
    // the next one may begin while the look that has lost its timer is on its way out
    for (int waits = 0; waits < 20 && told.getCount() > 0; waits++) {
      limit.end();
      limit.begin();
      told.await(1, TimeUnit.SECONDS);
    }
    assertThat(told.getCount()).as("no wait is ended").isZero();
  }
}
