package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.reflex.Releases;
import dev.takt.reflex.limit.ReleaseStopped;
import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.reflex.limit.TransientMemoryExhausted;
import dev.takt.scripted.Account;
import dev.takt.scripted.Node;
import dev.takt.scripted.SavingsAccount;
import dev.takt.space.Event;
import dev.takt.space.EventPool;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is in a memory, what it counts, and how much room it has. */
class TaskMemoryTest {
  private static final int STRINGS = ArrayPools.slot(String.class, 8, false);
  private static final int LONGS = ArrayPools.slot(long.class, 0, false);
  private static final int NODE = Layout.sizeOf(Node.class);
  private static final int ACCOUNT = Layout.sizeOf(Account.class);

  private final TaskMemory memory = new TaskMemory("t", 1_000_000, 1_000_000);
  private final TransientArea area = new TransientArea();
  private final EventPool events = new EventPool(8);

  /** Runs something on a task thread, without a release around it. */
  private static void onTaskThread(Releases.Body body) {
    Releases.run(
        new TaskMemory("other", 1_000, 1_000),
        other -> {
          other.exit();
          body.run(other);
          other.enter(new TransientArea(), new EventPool(1));
        });
  }

  @Test
  void shouldKnowWhoHasEnteredUntilItHasLeft() {
    assertThat(memory.isEntered()).isFalse();
    onTaskThread(
        other -> {
          memory.enter(area, events);
          assertThat(TaskMemory.current()).isSameAs(memory);
          assertThat(memory.isEntered()).isTrue();
          assertThat(memory.isLeft()).isTrue();
          assertThat(other.isLeft()).isFalse();
          boolean[] elsewhere = {true};
          Thread thread = new Thread(() -> elsewhere[0] = memory.isLeft());
          thread.start();
          thread.join();
          assertThat(elsewhere[0]).isFalse();
          memory.exit();
          assertThat(TaskMemory.current()).isNull();
          assertThat(memory.isEntered()).isFalse();
          assertThat(memory.isLeft()).isFalse();
        });
  }

  @Test
  void shouldTellASinkWhatBecomesOfChanges() {
    List<String> told = new ArrayList<>();
    ChangeSink sink =
        new ChangeSink() {
          @Override
          public void applied(Object changed) {
            told.add("applied");
          }

          @Override
          public void committed() {
            told.add("committed");
          }

          @Override
          public void undone() {
            told.add("undone");
          }
        };
    Account account = new Account();
    assertThat(memory.changed()).isNull();
    memory.changes(sink);
    Releases.run(
        memory,
        m -> {
          m.begin();
          assertThat(m.changed()).as("the first commit").isSameAs(sink);
          m.commit();
          m.begin();
          assertThat(m.changed()).isNull();
          account.count(1);
          assertThat(m.changed()).isSameAs(sink);
          assertThat(m.savedObjects()).isEqualTo(1);
          assertThat(m.savedObject(0)).isSameAs(account);
          m.undo();
          m.begin();
          account.count(2);
          m.commit();
        });
    assertThat(told).containsExactly("committed", "undone", "committed");
    assertThat(account.count()).isEqualTo(2);
  }

  @Test
  void shouldBeLeftByTheThreadThatEnteredLast() {
    for (int round = 0; round < 3; round++) {
      Releases.run(memory, m -> assertThat(m.isLeft()).isTrue());
    }
  }

  @Test
  void shouldUseAreaAndEventsItWasLastGiven() {
    EventPool otherEvents = new EventPool(8);
    TransientArea otherArea = new TransientArea();
    onTaskThread(
        other -> {
          Object first = lent(area, events);
          assertThat(lent(area, events)).isSameAs(first);
          assertThat(events.inUse()).isEqualTo(2);
          assertThat(lent(area, otherEvents)).isSameAs(first);
          assertThat(otherEvents.inUse()).isEqualTo(1);
          Object second = lent(otherArea, otherEvents);
          assertThat(second).isNotSameAs(first);
          assertThat(lent(area, otherEvents)).isSameAs(first);
          assertThat(lent(otherArea, otherEvents)).isSameAs(second);
        });
  }

  private Object lent(TransientArea area, EventPool events) {
    memory.enter(area, events);
    memory.begin();
    Object node = Node.of(1, null);
    EventValues.newEvent();
    memory.commit();
    memory.exit();
    return node;
  }

  @Test
  void shouldLendZerosFromArraysThatAnotherTaskHasMade() {
    int kind = ArrayPools.slot(int.class, 3, true);
    TaskMemory other = new TaskMemory("other", 1_000, 0);
    onTaskThread(
        thread -> {
          memory.enter(area, events); // sees an area without arrays
          memory.exit();
          other.enter(area, events);
          other.begin();
          ((int[]) TaskMemory.newArray(kind, 3))[1] = 7;
          other.commit();
          other.exit();
          memory.enter(area, events);
          memory.begin();
          assertThat(TaskMemory.newArray(kind, 3)).isEqualTo(new int[3]);
          memory.commit();
          memory.exit();
        });
  }

  @Test
  void shouldRefuseNegativeLengthOfKindThatWasLentBefore() {
    Releases.run(
        memory,
        m -> {
          m.begin();
          TaskMemory.newArray(STRINGS, 3);
          assertThatThrownBy(() -> TaskMemory.newArray(STRINGS, -1))
              .isInstanceOf(NegativeArraySizeException.class);
          m.undo();
        });
  }

  @Test
  void shouldCountHowOftenPoolsGrow() {
    Releases.run(
        memory,
        m -> {
          for (int round = 0; round < 2; round++) {
            m.begin();
            for (int i = 0; i < 12; i++) {
              Node.of(i, null);
            }
            m.commit();
            // To 1, 2, 3, 4, 6, 8, 11 and 14 objects, in the first round.
            assertThat(m.stats().poolGrowths()).isEqualTo(8);
            assertThat(m.stats().logGrowths()).isZero();
          }
        });
  }

  @Test
  void shouldMakeStableArrayThatJustFits() {
    int sizeBytes = Layout.arraySize(long.class, 5);
    Releases.run(
        new TaskMemory("t", 0, sizeBytes),
        m -> {
          m.begin();
          TaskMemory.newStableArray(LONGS, 5);
          m.commit();
          assertThat(m.stats().stableUsedBytes()).isEqualTo(sizeBytes);
        });
  }

  @Test
  void shouldHaveRoomWhileLessThanHalfIsLent() {
    Releases.run(
        new TaskMemory("t", 4L * NODE, 0),
        m -> {
          m.begin();
          for (int i = 0; i < 2; i++) {
            assertThat(m.hasRoom()).isTrue();
            Node.of(i, null);
          }
          assertThat(m.hasRoom()).isFalse();
          m.commit();
        });
    Releases.run(
        new TaskMemory("t", 1, 0), // room for nothing, and nothing lent
        m -> {
          m.begin();
          assertThat(m.hasRoom()).isTrue();
          m.commit();
        });
  }

  @Test
  void shouldHaveRoomWhileHalfOfTheEventsAreFree() {
    Releases.run( // with 8 events
        memory,
        m -> {
          m.begin();
          for (int i = 0; i < 4; i++) {
            assertThat(m.hasRoom()).as("lent: %d", i).isTrue();
            EventValues.newEvent();
          }
          assertThat(m.hasRoom()).isFalse();
          m.undo();
        });
  }

  @Test
  void shouldLeaveEventsToWhoKeepsThem() {
    onTaskThread(
        other -> {
          memory.enter(area, events);
          memory.begin();
          Event kept = EventValues.newEvent().add("key", 1);
          memory.keepTransients();
          memory.commit();
          events.reclaim();
          assertThat(kept.getLong("key")).isEqualTo(1);
          assertThat(EventValues.newEvent()).isNotSameAs(kept);
          memory.exit();
        });
  }

  @Test
  void shouldForgetThatItWasToStop() {
    Releases.run(
        memory,
        m -> {
          assertThat(TaskMemory.stop()).isNull();
          m.requestStop();
          assertThatThrownBy(TaskMemory::stop).isInstanceOf(ReleaseStopped.class);
          m.forgetStop();
          assertThat(TaskMemory.stop()).isNull();
        });
  }

  @Test
  void shouldMakeObjectsOfEachClassForItsPartOfTheMemoryThatIsLeft() {
    Account root = new Account();
    StableGraph graph = new StableGraph(new StableGraph.Registered(), "t", root, type -> true);
    long restBytes = 20L * ACCOUNT;
    TaskMemory two = new TaskMemory("t", 0, graph.sizeBytes() + restBytes);
    two.occupy(graph, List.of(Account.class, SavingsAccount.class));
    assertThat(two.stats().stableUsedBytes()).isEqualTo(graph.sizeBytes()).isPositive();
    assertThat(growths(two, 10)).isZero();
    assertThat(growths(two, 11)).isEqualTo(1);
    TaskMemory one = new TaskMemory("t", 0, graph.sizeBytes() + restBytes);
    one.occupy(graph, List.of(Account.class));
    assertThat(growths(one, 20)).isZero();
  }

  @Test
  void shouldMakeNoMoreObjectsThanSomeBeforehand() {
    StableGraph graph =
        new StableGraph(new StableGraph.Registered(), "t", new Account(), type -> true);
    TaskMemory large = new TaskMemory("t", 0, 10_000_000);
    large.occupy(graph, List.of(Account.class));
    int most = TaskMemory.MAX_PREPARED_BYTES / ACCOUNT;
    assertThat(growths(large, most)).isZero();
    assertThat(growths(large, most + 1)).isEqualTo(1);
  }

  /** How many of so many stable objects had to be made. */
  private static long growths(TaskMemory memory, int objects) {
    Releases.run(
        memory,
        m -> {
          m.begin();
          for (int i = 0; i < objects; i++) {
            Account.of(0);
          }
          m.undo();
        });
    return memory.stats().poolGrowths();
  }

  /** What a task asks for by mistake is often larger than the machine. */
  @Test
  void shouldMakeNothingOfWhatDoesNotFit() {
    int bytes = ArrayPools.slot(byte.class, Integer.MAX_VALUE, false);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Releases.run(
        memory,
        m -> {
          long beforeBytes = threads.getCurrentThreadAllocatedBytes();
          for (int length : new int[] {1_000_000, 100_000_000, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> TaskMemory.newArray(bytes, length))
                .isInstanceOf(TransientMemoryExhausted.class)
                .hasMessageContaining("byte[" + length + "]");
            assertThatThrownBy(() -> TaskMemory.newStableArray(bytes, length))
                .isInstanceOf(StableMemoryExhausted.class)
                .hasMessageContaining("byte[" + length + "]");
          }
          assertThat(threads.getCurrentThreadAllocatedBytes() - beforeBytes).isLessThan(900_000);
        });
  }
}
