package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  enum Side {
    BUY,
    SELL {
      @Override
      int sign() {
        return -1;
      }
    };

    int sign() {
      return 1;
    }
  }

  record Primitives(boolean z, byte b, short s, char c, int i, long j, float f, double d) {}

  record Boxes(Boolean z, Byte b, Short s, Character c, Integer i, Long j, Float f, Double d) {}

  record Refs(String text, Side side) {}

  record Arrays8(
      boolean[] z, byte[] b, short[] s, char[] c, int[] i, long[] j, float[] f, double[] d) {}

  record Point(int x, int y) {}

  record Line(Point from, Point to, String name) {}

  record Nothing() {}

  private record Hidden(int value) {}

  record Node(int value, Node next) {}

  record Quote(
      String stock, Side side, long priceCents, int quantity, double weight, boolean firm) {}

  record Bad(int fine, List<String> list) {}

  record Outer(int fine, Bad bad) {}

  record Generic<T>(T value) {}

  record Picky(int value) {
    static boolean refuses;

    Picky {
      if (refuses) {
        throw new IllegalArgumentException("value=" + value);
      }
    }
  }

  record Leaky(int value) {
    @Override
    public int value() {
      throw new UnsupportedOperationException("no value today");
    }
  }

  private static Object roundTrip(Object value) {
    return new Event("key", value).get("key");
  }

  @Test
  void shouldRoundTripPrimitives() {
    Primitives least =
        new Primitives(
            false,
            Byte.MIN_VALUE,
            Short.MIN_VALUE,
            Character.MIN_VALUE,
            Integer.MIN_VALUE,
            Long.MIN_VALUE,
            -0.0f,
            Double.NaN);
    Primitives greatest =
        new Primitives(
            true,
            Byte.MAX_VALUE,
            Short.MAX_VALUE,
            Character.MAX_VALUE,
            Integer.MAX_VALUE,
            Long.MAX_VALUE,
            Float.NaN,
            -0.0);

    assertThat(roundTrip(least)).isEqualTo(least);
    assertThat(roundTrip(greatest)).isEqualTo(greatest);
  }

  @Test
  void shouldRoundTripBoxesPresentAndNull() {
    Boxes full = new Boxes(true, (byte) -1, (short) -2, 'c', -3, -4L, -5.5f, -6.5);
    Boxes empty = new Boxes(null, null, null, null, null, null, null, null);
    Boxes mixed = new Boxes(false, null, (short) 0, null, 0, null, 0f, null);

    assertThat(roundTrip(full)).isEqualTo(full);
    assertThat(roundTrip(empty)).isEqualTo(empty);
    assertThat(roundTrip(mixed)).isEqualTo(mixed);
  }

  @Test
  void shouldRoundTripStringsAndEnumsPresentAndNull() {
    for (Refs refs :
        List.of(new Refs("a", Side.SELL), new Refs(null, Side.BUY), new Refs("", null))) {
      assertThat(roundTrip(refs)).isEqualTo(refs);
    }
  }

  @Test
  void shouldRoundTripArraysPresentAndNull() {
    Arrays8 full =
        new Arrays8(
            new boolean[65],
            new byte[] {1, -1},
            new short[] {2},
            "chars".toCharArray(),
            new int[] {3, 4, 5},
            new long[0],
            new float[] {Float.NaN},
            new double[] {-0.0, 7});
    full.z[64] = true;
    Arrays8 empty = new Arrays8(null, null, null, null, null, null, null, null);

    assertThat(Arrays.deepEquals(arrays((Arrays8) roundTrip(full)), arrays(full))).isTrue();
    assertThat(roundTrip(empty)).isEqualTo(empty);
  }

  private static Object[] arrays(Arrays8 r) {
    return new Object[] {r.z, r.b, r.s, r.c, r.i, r.j, r.f, r.d};
  }

  @Test
  void shouldCopyArraysOfRecords() {
    int[] values = {1, 2};
    record Holder(int[] values) {}
    Event event = new Event("key", new Holder(values));
    values[0] = 9;

    Holder first = (Holder) event.get("key");
    assertThat(first.values()).containsExactly(1, 2);
    first.values()[1] = 9;
    assertThat(((Holder) event.get("key")).values()).containsExactly(1, 2);
  }

  @Test
  void shouldRoundTripNestedRecords() {
    for (Line line :
        List.of(
            new Line(new Point(1, 2), new Point(3, 4), "both"),
            new Line(null, new Point(3, 4), "to"),
            new Line(new Point(1, 2), null, null))) {
      assertThat(roundTrip(line)).isEqualTo(line);
    }
  }

  @Test
  void shouldRoundTripEmptyPrivateAndLocalRecords() {
    record Local(String text) {}

    assertThat(roundTrip(new Nothing())).isEqualTo(new Nothing());
    assertThat(roundTrip(new Hidden(7))).isEqualTo(new Hidden(7));
    assertThat(roundTrip(new Local("x"))).isEqualTo(new Local("x"));
  }

  @Test
  void shouldEncodeRecursiveRecordsUpToTheLimit() {
    Node chain = null;
    for (int i = 0; i < Event.MAX_RECORD_DEPTH; i++) {
      chain = new Node(i, chain);
    }
    assertThat(roundTrip(chain)).isEqualTo(chain);

    Node tooDeep = new Node(99, chain);
    Event event = new Event("before", "stays").add("key", 1);
    assertThatThrownBy(() -> event.add("key", tooDeep))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key")
        .hasMessageContaining("nested too deep: limit=16")
        .hasMessageContaining(Node.class.getName());
    assertThat(event).isEqualTo(new Event("before", "stays").add("key", 1));
    assertThat(event.extraCount).isZero();
    assertThat(event.refCount).isEqualTo(1);
  }

  @Test
  void shouldMatchRecordsByContent() {
    Event event = new Event("noise", "text").add("line", new Line(new Point(1, 2), null, "name"));

    assertThat(
            new Event("line", new Line(new Point(1, 2), null, new String("name"))).matches(event))
        .isTrue();
    assertThat(new Event("line", new Line(new Point(1, 3), null, "name")).matches(event)).isFalse();
    assertThat(new Event("line", new Line(new Point(1, 2), null, "names")).matches(event))
        .isFalse();
    assertThat(new Event("line", new Line(null, new Point(1, 2), "name")).matches(event)).isFalse();
    assertThat(new Event("line", new Line(new Point(1, 2), null, null)).matches(event)).isFalse();
    assertThat(new Event("line", new Nothing()).matches(event)).isFalse();
  }

  @Test
  void shouldTellRecordClassesWithEqualComponentsApart() {
    record A(int x) {}
    record B(int x) {}

    assertThat(new Event("key", new A(1)).matches(new Event("key", new B(1)))).isFalse();
    assertThat(new Event("key", new A(1)).matches(new Event("key", new A(1)))).isTrue();
  }

  @Test
  void shouldNameComponentAndRemedyWhenRecordCannotBeEncoded() {
    Event event = new Event("key", 5);

    assertThatThrownBy(() -> event.add("key", new Bad(1, List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key key")
        .hasMessageContaining(Bad.class.getName())
        .hasMessageContaining("component list")
        .hasMessageContaining("java.util.List")
        .hasMessageContaining("use primitives");
    assertThatThrownBy(() -> event.add("key", new Outer(1, new Bad(1, null))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Bad.class.getName() + " has the component list");
    assertThatThrownBy(() -> event.add("key", new Generic<>("text")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Object");
    assertThat(event.getLong("key")).isEqualTo(5);
    assertThat(event.extraCount).isZero();
  }

  @Test
  void shouldNotAddKeyWhenItsRecordCannotBeEncoded() {
    Event event = new Event();

    assertThatThrownBy(() -> event.add("new", new Leaky(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("accessor of record " + Leaky.class.getName())
        .hasMessageContaining("no value today")
        .hasRootCauseInstanceOf(UnsupportedOperationException.class);
    assertThat(event.size()).isZero();
    assertThat(event.extraCount).isZero();
  }

  @Test
  void shouldNameRecordWhenItsConstructorThrows() {
    record Around(Picky picky) {}
    Event event = new Event("key", new Around(new Picky(3)));
    Picky.refuses = true;
    try {
      assertThatThrownBy(() -> event.get("key"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("key key")
          .hasMessageContaining("constructor of record " + Picky.class.getName())
          .hasMessageContaining("value=3");
      assertThat(event.toString()).contains("unreadable").contains("value=3");
    } finally {
      Picky.refuses = false;
    }
    assertThat(event.get("key")).isEqualTo(new Around(new Picky(3)));
  }

  @Test
  void shouldBuildOneCodecForClassWhenThreadsRace() throws InterruptedException {
    record Fresh(int a, String b) {}
    RecordCodec[] seen = new RecordCodec[4];
    Thread[] threads = new Thread[seen.length];
    for (int i = 0; i < threads.length; i++) {
      int index = i;
      threads[i] = new Thread(() -> seen[index] = RecordCodec.of(Fresh.class));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(seen).doesNotContainNull().containsOnly(RecordCodec.of(Fresh.class));
    assertThat(RecordCodec.ofId(seen[0].id)).isSameAs(seen[0]);
  }

  @Test
  void shouldAllocateNothingWhenEncodingRecords() {
    Quote quote = new Quote("APPL", Side.SELL, 1_234_500, 7_000, 0.25, true);
    Line line = new Line(new Point(1_000, 2_000), null, "name");
    Primitives primitives =
        new Primitives(true, (byte) 1, (short) 1_000, 'c', 100_000, 1L << 40, 1.5f, 2.5);
    Arrays8 arrays =
        new Arrays8(null, new byte[100], null, null, new int[7], new long[3], null, new double[2]);
    Event event = new Event();

    long bytes =
        AllocatedBytes.inSteadyState(
            2_000,
            () -> {
              event.clear();
              event
                  .add("quote", quote)
                  .add("line", line)
                  .add("primitives", primitives)
                  .add("arrays", arrays);
              event.add("quote", quote);
            });

    assertThat(bytes).isZero();
  }

  @Test
  void shouldRoundTripRandomRecordsAmongOtherValues() {
    long seed = Seeds.seed();
    System.out.println("RecordCodecTest seed=" + seed);
    Random random = new Random(seed);
    Event event = new Event();
    Object[] expected = new Object[4];
    for (int i = 0; i < 20_000; i++) {
      int key = random.nextInt(expected.length);
      expected[key] = randomValue(random);
      event.add("k" + key, expected[key]);
      for (int k = 0; k < expected.length; k++) {
        assertThat(event.get("k" + k))
            .as("seed=%s step=%s key=%s", seed, i, k)
            .isEqualTo(expected[k]);
      }
    }
    assertThat(event.extra.length).isLessThan(256);
    assertThat(event.refs.length).isLessThan(64);
    assertThat(Arrays.stream(event.refs).skip(event.refCount)).containsOnlyNulls();
  }

  private static Object randomValue(Random random) {
    String text = random.nextBoolean() ? null : "s" + random.nextInt(5);
    Point point = random.nextBoolean() ? null : new Point(random.nextInt(5), random.nextInt());
    return switch (random.nextInt(7)) {
      case 0 -> new Refs(text, Side.values()[random.nextInt(2)]);
      case 1 -> new Line(point, random.nextBoolean() ? point : null, text);
      case 2 -> random.nextLong();
      case 3 -> "t" + random.nextInt();
      case 4 -> new int[random.nextInt(4)];
      case 5 -> new Node(1, random.nextBoolean() ? null : new Node(2, null));
      default ->
          new Quote(
              text,
              null,
              random.nextLong(),
              random.nextInt(),
              random.nextDouble(),
              random.nextBoolean());
    };
  }
}
