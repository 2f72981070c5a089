package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.scripted.Account;
import dev.takt.scripted.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What areas make, beforehand and when they have too little. */
class TransientAreaTest {
  private static final int NODE = Layout.sizeOf(Node.class);
  private static final int ACCOUNT = Layout.sizeOf(Account.class);

  private final TransientArea area = new TransientArea();
  private int made;

  private static Class<?> initialized(Class<?> type) {
    try {
      return Class.forName(type.getName());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private int count(Class<?> type) {
    return area.pool(Pools.slotOf(type)).objects.length;
  }

  private Pool counting(int sizeBytes) {
    return new Pool(
        () -> {
          made++;
          return new Object();
        },
        () -> "object",
        sizeBytes);
  }

  @Test
  void shouldMakeNothingForPlanWithoutClasses() {
    area.prepare(new TransientPlan(3, List.of(), List.of(), 1_000));
    assertThat(area.pools).isEmpty();
    assertThat(area.arrays).isEmpty();
  }

  @Test
  void shouldGiveEachClassAllOfLittleMemory() {
    int limitBytes = TransientPlan.FULL_BYTES;
    area.prepare(
        new TransientPlan(
            0,
            List.of(initialized(Node.class), initialized(Account.class)),
            List.of(),
            limitBytes));
    assertThat(count(Node.class)).isEqualTo(limitBytes / NODE);
    assertThat(count(Account.class)).isEqualTo(limitBytes / ACCOUNT);
  }

  @Test
  void shouldShareMuchMemoryEvenlyAmongClassesAndArrays() {
    int eight = ArrayPools.slot(long.class, 8, true);
    int shareBytes = 2 * TransientPlan.FULL_BYTES;
    area.prepare(
        new TransientPlan(
            0,
            List.of(initialized(Node.class), initialized(Account.class)),
            List.of(eight),
            3L * shareBytes));
    assertThat(count(Node.class)).isEqualTo(shareBytes / NODE);
    assertThat(count(Account.class)).isEqualTo(shareBytes / ACCOUNT);
    assertThat(area.arrayPool(eight).pool(8).objects)
        .hasSize(shareBytes / Layout.arraySize(long.class, 8));
  }

  @Test
  void shouldMakeTwoArraysOfEachLengthAsFarAsTheMemoryGoes() {
    int upToFour = ArrayPools.slot(long.class, 4, false);
    // 16, 24, 32 bytes: two each take 144.
    area.prepare(new TransientPlan(0, List.of(), List.of(upToFour), 144));
    assertThat(lengthsWithTwo(area.arrayPool(upToFour))).containsExactly(0, 1, 2);
    TransientArea less = new TransientArea();
    less.prepare(new TransientPlan(0, List.of(), List.of(upToFour), 143));
    assertThat(lengthsWithTwo(less.arrayPool(upToFour))).containsExactly(0, 1);
    TransientArea all = new TransientArea();
    all.prepare(new TransientPlan(0, List.of(), List.of(upToFour), 10_000));
    assertThat(lengthsWithTwo(all.arrayPool(upToFour))).containsExactly(0, 1, 2, 3, 4);
  }

  private static List<Integer> lengthsWithTwo(ArrayPool kind) {
    return java.util.stream.IntStream.range(0, kind.byLength.length)
        .filter(length -> kind.byLength[length] != null)
        .peek(length -> assertThat(kind.byLength[length].objects).hasSize(2))
        .boxed()
        .toList();
  }

  @Test
  void shouldHaveRoomForTwiceAsManyLengthsButForNoneThatCannotBe() {
    ArrayPool kind = new ArrayPool(new ArrayPools.Entry(int.class, 10, false));
    int[] rooms = {1, 2, 4, 4, 8, 8, 8, 8, 11, 11, 11};
    for (int length = 0; length < rooms.length; length++) {
      kind.pool(length);
      assertThat(kind.byLength).as("length %d", length).hasSize(rooms[length]);
    }
  }

  @Test
  void shouldMakeAQuarterMoreWhenAllAreLent() {
    Pool pool = counting(8);
    int[] sizes = {1, 2, 3, 4, 6, 6, 8, 8, 11, 11, 11, 14};
    for (int i = 0; i < sizes.length; i++) {
      pool.next(1);
      assertThat(pool.objects).as("lent: %d", i + 1).hasSize(sizes[i]);
    }
    assertThat(made).isEqualTo(14);
  }

  @Test
  void shouldLendOthersWhenThereIsNoMemoryForThoseGivenAway() {
    boolean[] fails = {false};
    Pool pool =
        new Pool(
            () -> {
              if (fails[0]) {
                throw new OutOfMemoryError("thrown by a test");
              }
              return new Object();
            },
            () -> "object",
            8);
    List<Object> kept = List.of(pool.next(1), pool.next(1));
    fails[0] = true;
    pool.giveAway(1);
    fails[0] = false;
    assertThat(pool.next(1)).isNotIn(kept);
    assertThat(pool.next(1)).isNotIn(kept);
  }

  @Test
  void shouldGiveAwayArraysOfAllLengths() {
    ArrayPool kind = new ArrayPool(new ArrayPools.Entry(int.class, 2, false));
    for (int length = 0; length <= 2; length++) {
      Object kept = kind.pool(length).next(7);
      kind.giveAway(7);
      assertThat(kind.pool(length).next(8)).isNotSameAs(kept);
    }
  }
}
