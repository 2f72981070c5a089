package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValuesTest {
  record Pair(String a, int[] b) {}

  /** A place in a space: an event's regions somewhere in larger arrays. */
  private static final class Slot {
    final long[] extra = new long[200];
    final Object[] refs = new Object[50];
    int extraBase;
    int refBase;

    void store(Event event, Random random) {
      extraBase = random.nextInt(extra.length - event.extraCount);
      refBase = random.nextInt(refs.length - event.refCount);
      System.arraycopy(event.extra, 0, extra, extraBase, event.extraCount);
      System.arraycopy(event.refs, 0, refs, refBase, event.refCount);
    }
  }

  private static Event random(Random random) {
    Event event = new Event();
    int noise = random.nextInt(3);
    for (int i = 0; i < noise; i++) {
      event.add("noise" + i, random.nextBoolean() ? "text" + i : new Pair("noise", new int[i]));
    }
    return event.add("key", randomValue(random));
  }

  private static Object randomValue(Random random) {
    int small = random.nextInt(3);
    return switch (random.nextInt(5)) {
      case 0 -> "s" + small;
      case 1 -> new int[small];
      case 2 -> new byte[] {(byte) small, 1};
      case 3 -> new double[] {small};
      default ->
          new Pair(
              small == 0 ? null : "s" + small, random.nextBoolean() ? null : new int[] {small});
    };
  }

  private static boolean same(Event a, Slot slotA, Event b, Slot slotB) {
    int keyA = a.shape.ordinal("key");
    int keyB = b.shape.ordinal("key");
    int type = Types.at(a.types, keyA);
    return type == Types.at(b.types, keyB)
        && Values.sameContent(
            type,
            slotA.extra,
            slotA.extraBase,
            slotA.refs,
            slotA.refBase,
            a.words[keyA],
            slotB.extra,
            slotB.extraBase,
            slotB.refs,
            slotB.refBase,
            b.words[keyB]);
  }

  private static boolean sameValue(Object a, Object b) {
    return a instanceof Pair p && b instanceof Pair q
        ? Objects.equals(p.a(), q.a()) && Objects.deepEquals(p.b(), q.b())
        : Objects.deepEquals(a, b);
  }

  @Test
  void shouldCompareContentWhereverItIs() {
    long seed = Seeds.seed();
    System.out.println("ValuesTest places seed=" + seed);
    Random random = new Random(seed);
    Slot slotA = new Slot();
    Slot slotB = new Slot();
    int equal = 0;
    for (int i = 0; i < 50_000; i++) {
      Event a = random(random);
      Event b = random(random);
      slotA.store(a, random);
      slotB.store(b, random);
      boolean expected = sameValue(a.get("key"), b.get("key"));
      equal += expected ? 1 : 0;

      assertThat(same(a, slotA, b, slotB))
          .as("seed=%s step=%s %s %s", seed, i, a, b)
          .isEqualTo(expected);
    }
    assertThat(equal).isGreaterThan(1_000);
  }

  private static boolean same(
      int type, long[] extraA, Object[] refsA, long[] extraB, Object[] refsB, int length) {
    long word = Values.extraWord(0, length, 7);
    return Values.sameContent(type, extraA, 0, refsA, 0, word, extraB, 0, refsB, 0, word);
  }

  @Test
  void shouldLookAtContentWhenHashesAgree() {
    Object[] refs = {"a", "b"};
    long[] record = {Values.header(1, 0, 1), 5};

    assertThat(same(Types.RECORD, record, refs, new long[] {Values.header(1, 0, 1), 5}, refs, 2))
        .isTrue();
    assertThat(same(Types.RECORD, record, refs, new long[] {Values.header(2, 0, 1), 5}, refs, 2))
        .isFalse();
    assertThat(same(Types.RECORD, record, refs, new long[] {Values.header(1, 0, 2), 5}, refs, 2))
        .isFalse();
    assertThat(same(Types.RECORD, record, refs, new long[] {Values.header(1, 1, 1), 5}, refs, 2))
        .isFalse();
    assertThat(same(Types.RECORD, record, refs, new long[] {Values.header(1, 0, 1), 6}, refs, 2))
        .isFalse();
    assertThat(same(Types.LONGS, new long[] {1, 5}, refs, new long[] {1, 5}, refs, 2)).isTrue();
    assertThat(same(Types.LONGS, new long[] {1, 5}, refs, new long[] {1, 6}, refs, 2)).isFalse();
    assertThat("Aa").hasSameHashCodeAs("BB");
    assertThat(new Event("key", "Aa").matches(new Event("key", "BB"))).isFalse();
  }

  @Test
  void shouldLoadEventFromPartsOfArrays() {
    long seed = Seeds.seed();
    System.out.println("ValuesTest load seed=" + seed);
    Random random = new Random(seed);
    Slot slot = new Slot();
    Event into = new Event();
    for (int i = 0; i < 10_000; i++) {
      Event event = random(random);
      slot.store(event, random);
      long[] words = new long[20];
      System.arraycopy(event.words, 0, words, 3, event.size());
      into.load(
          event.shape,
          event.types,
          0,
          words,
          3,
          slot.extra,
          slot.extraBase,
          event.extraCount,
          slot.refs,
          slot.refBase,
          event.refCount);

      assertThat(into).as("seed=%s step=%s", seed, i).isEqualTo(event);
      assertThat(sameValue(into.get("key"), event.get("key"))).isTrue();
    }
  }

  @Test
  void shouldSurviveGarbage() {
    long seed = Seeds.seed();
    System.out.println("ValuesTest garbage seed=" + seed);
    Random random = new Random(seed);
    Object[] refs = {"a", null, EventPoolTest.class, Thread.State.NEW, "b"};
    long[] extra = new long[64];
    int equal = 0;
    for (int i = 0; i < 500_000; i++) {
      for (int k = 0; k < 4; k++) {
        extra[random.nextInt(extra.length)] = garbage(random);
      }
      long word = garbage(random);
      long other =
          random.nextBoolean() ? word : garbage(random) & ~0xFFFF_FFFFL | word & 0xFFFF_FFFFL;
      int type = Types.STRING + random.nextInt(12);
      int base = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(70);
      int otherBase = random.nextBoolean() ? base : random.nextInt(70);
      equal +=
          Values.sameContent(
                  type, extra, base, refs, base & 7, word, extra, otherBase, refs, otherBase, other)
              ? 1
              : 0;
    }
    assertThat(equal).isPositive();
  }

  private static long garbage(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> random.nextLong();
      case 1 -> Values.extraWord(random.nextInt(80), random.nextInt(20), random.nextInt(3));
      default -> Values.header(random.nextInt(2), random.nextInt(6), random.nextInt(6));
    };
  }

  @Test
  void shouldHashStringsByAllTheirBitsAndEnumConstantsByTheirNames() {
    assertThat("BB".hashCode()).isEqualTo("Aa".hashCode());
    assertThat((int) new Event("key", "BB").words[0])
        .isNotEqualTo((int) new Event("key", "Aa").words[0]);
    record Wrapped(Thread.State state) {}
    record Named(String state) {}
    Event constant = new Event("key", new Wrapped(Thread.State.NEW));
    int codec = RecordCodec.of(Wrapped.class).id;
    assertThat((int) constant.words[0])
        .isEqualTo(Values.hashOfRecord(codec, constant.extra, 1, 1, new Object[] {"NEW"}, 0, 1));
    assertThat(new Event("key", new Named("NEW")).matches(constant)).isFalse();
  }
}
