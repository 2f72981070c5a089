package dev.takt.space;

import dev.takt.space.WaiterQueue.Waiter;
import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the queue of waiters: a wake-up goes to the first waiter of its fingerprint,
 * once, and no waiter is lost while others are added, leave, and are unlinked.
 *
 * <p>The waiters that leave have another fingerprint than those that are woken: a wake-up may reach
 * a waiter that leaves at the same time, which then passes it on (see {@link Waiters}, and {@code
 * HandOverLincheckTest} for that).
 */
@Param(name = "waiter", gen = IntGen.class, conf = "0:1")
public class WaiterQueueLincheckTest {
  private static final EventSpace SPACE = EventSpace.create();
  private static final Event WOKEN = new Event("key", 0);
  private static final Event LEAVING = new Event("key", 1);
  private static final LookupPlan PLAN = SPACE.table.plan(WOKEN);

  private final WaiterQueue queue = new WaiterQueue();
  private final Waiter[] waiters = {
    new Waiter(WOKEN, PLAN, WaitClock.system()),
    new Waiter(WOKEN, PLAN, WaitClock.system()),
    new Waiter(LEAVING, PLAN, WaitClock.system()),
    new Waiter(LEAVING, PLAN, WaitClock.system())
  };

  @Operation(runOnce = true)
  public void addFirst() {
    queue.add(waiters[0]);
  }

  @Operation(runOnce = true)
  public void addSecond() {
    queue.add(waiters[1]);
  }

  @Operation(runOnce = true)
  public void addThird() {
    queue.add(waiters[2]);
  }

  @Operation(runOnce = true)
  public void addFourth() {
    queue.add(waiters[3]);
  }

  @Operation(runOnce = true)
  public void leaveThird() {
    queue.leave(waiters[2]);
  }

  @Operation(runOnce = true)
  public void leaveFourth() {
    queue.leave(waiters[3]);
  }

  @Operation
  public void wakeNext() {
    queue.wakeNext(waiters[0].fingerprint);
  }

  /** A wake-up by the sweep, which names the waiter: true for the first one alone. */
  @Operation(params = "waiter")
  public boolean wake(int waiter) {
    return waiters[waiter].wake();
  }

  @Operation(params = "waiter")
  public boolean isNotified(int waiter) {
    return waiters[waiter].isNotified();
  }

  @Operation
  public int first() {
    Waiter first = queue.first();
    return first == null ? -1 : List.of(waiters).indexOf(first);
  }

  @Test
  void shouldBeLinearizableAndObstructionFree() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .sequentialSpecification(Model.class)
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(3)
        .iterations(Seeds.size(6, 200))
        .invocationsPerIteration(Seeds.size(200, 10_000))
        .check(WaiterQueueLincheckTest.class);
  }

  /** The same operations on a list. */
  public static final class Model {
    private final List<Integer> queue = new ArrayList<>();
    private final boolean[] gone = new boolean[4];

    public void addFirst() {
      queue.add(0);
    }

    public void addSecond() {
      queue.add(1);
    }

    public void addThird() {
      queue.add(2);
    }

    public void addFourth() {
      queue.add(3);
    }

    public void leaveThird() {
      gone[2] = true;
    }

    public void leaveFourth() {
      gone[3] = true;
    }

    public void wakeNext() {
      for (int waiter : queue) {
        if (waiter < 2 && wake(waiter)) {
          return;
        }
      }
    }

    public boolean wake(int waiter) {
      boolean isFirst = !gone[waiter];
      gone[waiter] = true;
      return isFirst;
    }

    public boolean isNotified(int waiter) {
      return gone[waiter];
    }

    public int first() {
      for (int waiter : queue) {
        if (!gone[waiter]) {
          return waiter;
        }
      }
      return -1;
    }
  }
}
