package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.Releases;
import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.scripted.Account;
import dev.takt.scripted.SavingsAccount;
import dev.takt.testkit.Seeds;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a release changes comes back, whatever ended it and wherever. */
class UndoLogTest {
  private final TaskMemory memory = new TaskMemory("t", 1 << 20, 1 << 20);

  private static final List<BiConsumer<SavingsAccount, Random>> STORES =
      List.of(
          (a, r) -> a.open(r.nextBoolean()),
          (a, r) -> a.grade((byte) r.nextInt()),
          (a, r) -> a.branch((short) r.nextInt()),
          (a, r) -> a.letter((char) r.nextInt()),
          (a, r) -> a.count(r.nextInt()),
          (a, r) -> a.balance(r.nextLong()),
          (a, r) -> a.rate(Float.intBitsToFloat(r.nextInt())),
          (a, r) -> a.limit(Double.longBitsToDouble(r.nextLong())),
          (a, r) -> a.owner(Integer.toString(r.nextInt())),
          (a, r) -> a.next(r.nextBoolean() ? new Account() : null),
          (a, r) -> a.history(r.nextInt(2), r.nextLong()),
          (a, r) -> a.history(new long[2 + r.nextInt(4)]),
          (a, r) -> a.bonus(r.nextInt()),
          (a, r) -> a.tag(Integer.toString(r.nextInt())));

  @Test
  void shouldRestoreEveryFieldOfRandomObjectsAfterRandomStores() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    List<SavingsAccount> accounts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      accounts.add(new SavingsAccount());
    }
    Releases.run(
        memory,
        m -> {
          for (int round = 0; round < 5_000; round++) {
            List<String> before = accounts.stream().map(Object::toString).toList();
            m.begin();
            for (int i = random.nextInt(20); i >= 0; i--) {
              STORES
                  .get(random.nextInt(STORES.size()))
                  .accept(accounts.get(random.nextInt(accounts.size())), random);
            }
            if (random.nextInt(3) == 0) {
              m.commit();
            } else {
              m.undo();
              assertThat(accounts.stream().map(Object::toString).toList())
                  .as("seed %d, round %d", seed, round)
                  .isEqualTo(before);
            }
          }
        });
  }

  @Test
  void shouldKeepTheNumberOfAnObjectWhateverReleasesDo() {
    SavingsAccount account = new SavingsAccount();
    Undoable woven = (Undoable) (Object) account;
    Releases.run(
        memory,
        m -> {
          m.begin();
          account.balance(1);
          woven.$takt$number(7);
          m.undo();
          assertThat(woven.$takt$number()).isEqualTo(7);
          m.begin();
          account.bonus(2);
          m.commit();
        });
    assertThat(woven.$takt$number()).isEqualTo(7);
    assertThat(woven.$takt$stamp()).isPositive();
  }

  @Test
  void shouldSaveObjectOnceInEachAttempt() {
    Account account = new Account();
    Releases.run(
        memory,
        m -> {
          m.begin();
          account.count(1);
          account.count(2);
          account.balance(3);
          assertThat(m.objectCount).isEqualTo(1);
          account.history(0, 1);
          account.history(1, 1);
          assertThat(m.arrayCount).isEqualTo(1);
          m.commit();
          assertThat(m.objectCount + m.arrayCount).isZero();
          m.begin();
          account.count(4);
          assertThat(m.objectCount).isEqualTo(1);
          m.undo();
          assertThat(account.count()).isEqualTo(2);
        });
  }

  @Test
  void shouldNotSaveOutsideOfRelease() {
    Account account = new Account();
    account.count(5);
    Releases.run(
        memory,
        m -> {
          m.begin();
          m.undo();
        });
    assertThat(account.count()).isEqualTo(5);
    assertThat(memory.objectCount).isZero();
  }

  @Test
  void shouldRestoreOldestCopyOfObjectSavedTwice() {
    Account account = new Account();
    Releases.run(
        memory,
        m -> {
          m.begin();
          account.count(1);
          // As after an error between logging the object and marking it.
          clearStamp(account);
          account.count(2);
          assertThat(m.objectCount).isEqualTo(2);
          m.undo();
          assertThat(account.count()).isZero();
        });
  }

  private static void clearStamp(Account account) throws ReflectiveOperationException {
    Field stamp = Account.class.getDeclaredField("$takt$stamp");
    stamp.setAccessible(true);
    stamp.setLong(account, 0);
  }

  @Test
  void shouldRestoreOldestCopyOfArraySavedTwice() {
    long[] array = {1, 2};
    Releases.run(
        memory,
        m -> {
          m.begin();
          m.saveArray(array, array.clone(), 2);
          array[0] = 3;
          m.saveArray(array, array.clone(), 2);
          array[1] = 4;
          m.undo();
          assertThat(array).containsExactly(1, 2);
        });
  }

  @Test
  void shouldSkipValuesWhoseObjectWasNotLogged() {
    Account account = new Account();
    Account other = new Account();
    other.count(7);
    Releases.run(
        memory,
        m -> {
          m.begin();
          account.count(1);
          // As after an error in the middle of a save.
          m.saveLong(99);
          m.saveRef("garbage");
          other.count(8);
          m.saveInt(98);
          m.undo();
          assertThat(account.count()).isZero();
          assertThat(other.count()).isEqualTo(7);
        });
  }

  @Test
  void shouldRestoreStateAfterStackOverflowAnywhereInSaves() {
    Releases.run(
        memory,
        m -> {
          for (int round = 0; round < 50; round++) {
            List<SavingsAccount> accounts = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
              accounts.add(new SavingsAccount());
            }
            List<String> before = accounts.stream().map(Object::toString).toList();
            m.begin();
            try {
              sink(accounts, 0, round);
            } catch (StackOverflowError expected) {
              accounts.forEach(account -> account.balance(-1));
            }
            m.undo();
            assertThat(accounts.stream().map(Object::toString).toList()).isEqualTo(before);
          }
        });
  }

  /** Changes something in every frame, each round with another size of the first frame. */
  private static int sink(List<SavingsAccount> accounts, int depth, long shift) {
    SavingsAccount account = accounts.get((depth + (int) shift) % accounts.size());
    account.count(depth);
    account.bonus(depth);
    account.history(1, depth);
    return sink(accounts, depth + 1, shift) + 1;
  }

  @Test
  void shouldReuseShadowOfSameTypeAndLengthOnly() {
    int[] array = {1, 2, 3};
    Object shadow = TaskMemory.shadow(array, null);
    assertThat(shadow).isInstanceOf(int[].class).isNotSameAs(array);
    assertThat(TaskMemory.shadow(array, shadow)).isSameAs(shadow);
    assertThat(TaskMemory.shadow(new int[4], shadow)).isNotSameAs(shadow);
    assertThat(TaskMemory.shadow(new float[3], shadow)).isInstanceOf(float[].class);
  }

  @Test
  void shouldGrowForCutOffSavesUpToBound() {
    TaskMemory unreserved = new TaskMemory("t", 1 << 20, 1 << 20);
    Releases.run(
        unreserved,
        m -> {
          m.begin();
          for (int i = 0; i < UndoLog.SPARE; i++) {
            m.saveLong(i);
          }
          assertThatThrownBy(() -> m.saveLong(1))
              .isInstanceOf(StableMemoryExhausted.class)
              .hasMessageContaining("task t: the log of changes is full: entries=" + UndoLog.SPARE);
          assertThat(m.rollbackOnly()).isInstanceOf(StableMemoryExhausted.class);
          m.undo();
          assertThat(m.stats().logGrowths()).isPositive();
        });
  }

  @Test
  void shouldGrowEachPartUpToMultipleOfReservedCapacityAndNoFurther() {
    int bound = UndoLog.SPARE + 4 * 3_000;
    Account account = new Account();
    long[] array = new long[1];
    List<BiConsumer<TaskMemory, Integer>> parts =
        List.of(
            (m, i) -> m.saveLong(i),
            (m, i) -> m.saveRef("r"),
            (m, i) -> m.saved((Undoable) (Object) account),
            (m, i) -> m.saveArray(array, array, 1));
    for (int part = 0; part < parts.size(); part++) {
      BiConsumer<TaskMemory, Integer> save = parts.get(part);
      int[] sizes = {10, 10, 10, 10};
      sizes[part] = 3_000;
      TaskMemory bounded = new TaskMemory("t", 1 << 20, 1 << 20);
      bounded.reserve(sizes[0], sizes[1], sizes[2], sizes[3]);
      Releases.run(
          bounded,
          m -> {
            for (int round = 0; round < 2; round++) { // a cleared log has all of its room again
              m.begin();
              for (int i = 0; i < bound; i++) {
                save.accept(m, i);
              }
              assertThatThrownBy(() -> save.accept(m, 0))
                  .isInstanceOf(StableMemoryExhausted.class)
                  .hasMessageContaining("the log of changes is full: entries=" + bound);
              m.commit();
            }
          });
    }
  }

  @Test
  void shouldHaveRoomForWhatIsReservedAndDoubleItWhenThatIsFull() {
    Account account = new Account();
    long[] array = new long[1];
    List<BiConsumer<TaskMemory, Integer>> parts =
        List.of(
            (m, i) -> m.saveLong(i),
            (m, i) -> m.saveRef("r"),
            (m, i) -> m.saved((Undoable) (Object) account),
            (m, i) -> m.saveArray(array, array, 1));
    for (BiConsumer<TaskMemory, Integer> save : parts) {
      TaskMemory reserved = new TaskMemory("t", 1 << 20, 1 << 20);
      reserved.reserve(100, 100, 100, 100);
      Releases.run(
          reserved,
          m -> {
            m.begin();
            for (int i = 1; i <= 401; i++) {
              save.accept(m, i);
              int doublings = i <= 100 ? 0 : i <= 200 ? 1 : i <= 400 ? 2 : 3;
              assertThat(m.stats().logGrowths()).as("entries: %d", i).isEqualTo(doublings);
            }
            m.commit();
          });
    }
  }

  @Test
  void shouldNotGrowInReleaseWhenRegistered() {
    Account account = new Account();
    account.next(new SavingsAccount());
    memory.occupy(
        new StableGraph(new StableGraph.Registered(), "t", account, type -> true),
        List.of(Account.class));
    Releases.run(
        memory,
        m -> {
          Account first = null;
          for (int i = 0; i < 100; i++) {
            m.begin();
            Account made = Account.of(i);
            made.next(first);
            first = made;
            m.commit();
          }
          m.begin();
          account.count(1);
          account.next().count(2);
          for (@Nullable Account each = first; each != null; each = each.next()) {
            each.count(-1);
          }
          assertThat(m.objectCount).isEqualTo(102);
          m.undo();
        });
    assertThat(memory.stats().logGrowths()).isZero();
  }
}
