package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventTest {
  record Trade(String stock, long price) {}

  private static Event apple() {
    return new Event("stock", "APPL").add("value", 3);
  }

  static List<Arguments> figure3() {
    return List.of(
        Arguments.of(new Event("stock", "APPL").add("value", 3), apple(), true),
        Arguments.of(new Event("stock", null).add("value", 3), apple(), true),
        Arguments.of(new Event("stock", "APPL"), apple(), true),
        Arguments.of(
            new Event("stock", "APPL").add("value", 3), new Event("stock", "APPL"), false));
  }

  @ParameterizedTest
  @MethodSource("figure3")
  void shouldMatchAsInFigure3(Event template, Event event, boolean matches) {
    assertThat(template.matches(event)).isEqualTo(matches);
  }

  @Test
  void shouldMatchEveryEventWhenTemplateIsEmpty() {
    assertThat(new Event().matches(apple())).isTrue();
    assertThat(new Event().matches(new Event())).isTrue();
  }

  @Test
  void shouldMatchWhateverTheOrderOfKeys() {
    Event template = new Event("value", 3).add("stock", "APPL");

    assertThat(template.matches(apple())).isTrue();
    assertThat(template).isEqualTo(apple()).hasSameHashCodeAs(apple());
    assertThat(template.add("value", 4).matches(apple())).isFalse();
  }

  @Test
  void shouldNotMatchWhenWildcardKeyIsMissing() {
    assertThat(new Event("absent", null).matches(apple())).isFalse();
  }

  @Test
  void shouldRefuseToMatchTemplate() {
    Event template = new Event("stock", null);
    assertThatThrownBy(() -> new Event().matches(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[stock: *]");
  }

  @Test
  void shouldTreatIntegersOfAllWidthsAsEqual() {
    Event event = new Event("n", (byte) 7);

    for (Object same : new Object[] {(byte) 7, (short) 7, 7, 7L}) {
      assertThat(new Event("n", same).matches(event)).isTrue();
    }
    assertThat(event.get("n")).isEqualTo(7L);
    assertThat(new Event("n", 7.0).matches(event)).isFalse();
    assertThat(new Event("n", true).matches(new Event("n", 1))).isFalse();
    assertThat(new Event("n", "7").matches(event)).isFalse();
  }

  @Test
  void shouldCompareFloatingPointNumbersAsDoubleEqualsDoes() {
    double otherNaN = Double.longBitsToDouble(0x7ff8_0000_0000_0001L);

    assertThat(new Event("d", Double.NaN).matches(new Event().add("d", otherNaN))).isTrue();
    assertThat(new Event("d", 0.0).matches(new Event("d", -0.0))).isFalse();
    assertThat(new Event("d", 0.5f).matches(new Event("d", 0.5))).isTrue();
    assertThat(
            new Event("d", new double[] {Double.NaN})
                .matches(new Event("d", new double[] {otherNaN})))
        .isTrue();
  }

  static List<Object> values() {
    return List.of(
        true,
        Long.MIN_VALUE,
        -0.0,
        Double.NaN,
        "",
        "text",
        new byte[] {1, -2, 3, -4, 5, -6, 7, -8, 9},
        new short[] {1, -2, 3, -4, 5},
        new char[] {'a', '\uffff', 'c', 0, 'e'},
        new int[] {1, -2, Integer.MIN_VALUE},
        new long[] {1, -2, Long.MIN_VALUE},
        new float[] {1, -0.0f, Float.NaN},
        new double[] {1, -0.0, Double.NaN},
        new boolean[70],
        new int[0],
        new long[0],
        new Trade("APPL", 5));
  }

  @ParameterizedTest
  @MethodSource("values")
  void shouldRoundTripValue(Object value) {
    Event event = new Event("before", "x").add("key", value).add("after", new int[] {1});

    assertThat(Objects.deepEquals(event.get("key"), value)).isTrue();
    assertThat(new Event("key", value).matches(event)).isTrue();
    assertThat(new Event("key", null).matches(event)).isTrue();
    assertThat(event.copy()).isEqualTo(event).hasSameHashCodeAs(event);
    for (Object other : values()) {
      assertThat(new Event("key", other).matches(event))
          .as("%s and %s", other, value)
          .isEqualTo(Objects.deepEquals(other, value));
    }
  }

  @Test
  void shouldRoundTripArraysOfAllLengthsAroundAWord() {
    for (int length = 0; length < 200; length++) {
      boolean[] booleans = new boolean[length];
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        booleans[i] = i % 3 == 0;
        bytes[i] = (byte) (i * 7);
      }
      Event event = new Event("z", booleans).add("b", bytes);
      assertThat((boolean[]) event.get("z")).isEqualTo(booleans);
      assertThat((byte[]) event.get("b")).isEqualTo(bytes);
      assertThat(event.arrayLength("b")).isEqualTo(length);
    }
  }

  @Test
  void shouldTellZeroPaddedArraysOfDifferentLengthsApart() {
    assertThat(new Event("b", new byte[3]).matches(new Event("b", new byte[4]))).isFalse();
    assertThat(new Event("b", new byte[4]).matches(new Event("b", new short[4]))).isFalse();
  }

  @Test
  void shouldShareNoStateWithArrays() {
    int[] values = {1, 2};
    Event event = new Event("a", values);
    values[0] = 9;
    ((int[]) event.get("a"))[1] = 9;

    assertThat((int[]) event.get("a")).containsExactly(1, 2);
  }

  @Test
  void shouldCopyArraysIntoLongerOnes() {
    Event event =
        new Event("b", new byte[] {1})
            .add("s", new short[] {2})
            .add("c", new char[] {'c'})
            .add("i", new int[] {3})
            .add("j", new long[] {4})
            .add("f", new float[] {5})
            .add("d", new double[] {6})
            .add("z", new boolean[] {true});
    byte[] b = {0, 9};
    short[] s = {0, 9};
    char[] c = {0, 9};
    int[] i = {0, 9};
    long[] j = {0, 9};
    float[] f = {0, 9};
    double[] d = {0, 9};
    boolean[] z = {false, false};

    assertThat(event.copyInto("b", b)).isEqualTo(1);
    assertThat(event.copyInto("s", s)).isEqualTo(1);
    assertThat(event.copyInto("c", c)).isEqualTo(1);
    assertThat(event.copyInto("i", i)).isEqualTo(1);
    assertThat(event.copyInto("j", j)).isEqualTo(1);
    assertThat(event.copyInto("f", f)).isEqualTo(1);
    assertThat(event.copyInto("d", d)).isEqualTo(1);
    assertThat(event.copyInto("z", z)).isEqualTo(1);
    assertThat(b).containsExactly(1, 9);
    assertThat(s).containsExactly(2, 9);
    assertThat(c).containsExactly('c', (char) 9);
    assertThat(i).containsExactly(3, 9);
    assertThat(j).containsExactly(4, 9);
    assertThat(f).containsExactly(5, 9);
    assertThat(d).containsExactly(6, 9);
    assertThat(z).containsExactly(true, false);
  }

  @Test
  void shouldRefuseToCopyArrayIntoShorterOne() {
    Event event = new Event("i", new int[] {1, 2, 3});
    int[] to = {7, 7};

    assertThatThrownBy(() -> event.copyInto("i", to))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key=i, length=3, destination=2");
    assertThat(to).containsExactly(7, 7);
    assertThatThrownBy(() -> event.copyInto("i", new long[3]))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("key i holds a value of type int[], not long[]");
    assertThatThrownBy(() -> event.copyInto("j", new long[3]))
        .isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void shouldReadNumbersWithoutBoxes() {
    Event event = new Event("n", (1L << 53) + 1).add("d", 0.25).add("z", true).add("s", "text");

    assertThat(event.getLong("n")).isEqualTo((1L << 53) + 1);
    assertThat(event.getDouble("d")).isEqualTo(0.25);
    assertThat(event.getDouble("n")).isEqualTo((double) ((1L << 53) + 1));
    assertThat(event.getBoolean("z")).isTrue();
    assertThat(event.getString("s")).isEqualTo("text");
  }

  @Test
  void shouldNameKeyAndTypesWhenReadAsAnotherType() {
    Event event = new Event("n", 1).add("d", 0.5).add("w", null);

    assertThatThrownBy(() -> event.getLong("d"))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("key d holds a value of type floating point, not integer");
    assertThatThrownBy(() -> event.getDouble("w")).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> event.getString("n")).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> event.getBoolean("n")).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> event.arrayLength("n")).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> event.arrayLength("absent"))
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> event.getDouble("absent"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("absent")
        .hasMessageContaining("[n: 1, d: 0.5, w: *]");
    assertThat(event.get("absent")).isNull();
    assertThat(event.get("w")).isNull();
  }

  @Test
  void shouldRefuseNullKeys() {
    Event event = new Event();

    assertThatThrownBy(() -> event.add(null, 1))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
    assertThatThrownBy(() -> event.add(null, "x"))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
    assertThatThrownBy(() -> event.add(null, new int[1]))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
    assertThatThrownBy(() -> event.add(null, new Trade("A", 1)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
    assertThatThrownBy(() -> event.get(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("key");
    assertThat(event.size()).isZero();
  }

  @Test
  void shouldRefuseOtherTypesAndStayAsBefore() {
    Event event = new Event("key", "value");

    assertThatThrownBy(() -> event.add("key", List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.util.ImmutableCollections$")
        .hasMessageContaining("(key=key)")
        .hasMessageContaining("use a boolean, an integer");
    assertThatThrownBy(() -> event.add("key", new int[1][1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> event.add("key", new String[1][1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.String[][]");
    assertThatThrownBy(() -> event.add("other", new Object()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(event).isEqualTo(new Event("key", "value"));
    assertThat(event.keys()).containsExactly("key");
  }

  @Test
  void shouldRefuseTooManyKeys() {
    Event event = new Event();
    for (int i = 0; i < Event.MAX_KEYS; i++) {
      event.add("k" + i, "v" + i);
    }
    Event full = event.copy();

    for (Object value : new Object[] {1, "x", new int[2], new Trade("A", 1), null}) {
      assertThatThrownBy(() -> event.add("more", value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit=16, refused=more");
      assertThat(event).isEqualTo(full);
      assertThat(event.extraCount).isZero();
      assertThat(event.refCount).isEqualTo(16);
    }
    event.add("k3", new Trade("APPL", 1)).add("k0", 5);
    assertThat(event.get("k3")).isEqualTo(new Trade("APPL", 1));
    assertThat(event.get("k15")).isEqualTo("v15");
  }

  @Test
  void shouldRefuseTooLargeArraysAndRecordsAndStayAsBefore() {
    record Big(long[] values) {}
    long[] largest = new long[EventContent.MAX_EXTRA_WORDS - 1];
    largest[largest.length - 1] = 5;
    Event event = new Event("key", largest);
    Event before = event.copy();

    assertThat(event.copyInto("key", largest)).isEqualTo(largest.length);
    assertThatThrownBy(() -> event.add("key", new long[largest.length + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes=524288, limit=524280, key=key");
    assertThatThrownBy(() -> event.add("more", new byte[1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> event.add("key", new Big(largest)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot add key key")
        .hasMessageContaining("bytes=524288");
    assertThatThrownBy(() -> event.add("key", new Big(new long[1_000_000])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=524280");
    assertThatThrownBy(() -> event.add("key", new byte[Integer.MAX_VALUE / 8]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=524280");
    assertThat(event).isEqualTo(before);
    event.add("key", new Big(new long[largest.length - 1]));
    assertThat(((Big) event.get("key")).values()).hasSize(largest.length - 1);
  }

  @Test
  void shouldRefuseTooManyStringsAndStayAsBefore() {
    Event event = new Event("a", "one").add("n", 2);
    event.refs = Arrays.copyOf(event.refs, EventContent.MAX_REFS);
    event.refCount = EventContent.MAX_REFS;

    for (Object value : new Object[] {"x", new Trade("APPL", 1)}) {
      for (String key : new String[] {"n", "new"}) {
        assertThatThrownBy(() -> event.add(key, value))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("too many references (strings, enum constants, …): limit=32767");
        assertThat(event).isEqualTo(new Event("a", "one").add("n", 2));
      }
    }
  }

  @Test
  void shouldKeepOtherValuesWhenContentIsReplaced() {
    Event event =
        new Event("a", "one")
            .add("b", new int[] {1, 2, 3})
            .add("c", new Trade("APPL", 1))
            .add("d", "four")
            .add("e", new byte[] {5});

    event.add("a", 1).add("b", "two");
    assertThat(event.get("c")).isEqualTo(new Trade("APPL", 1));
    assertThat(event.get("d")).isEqualTo("four");
    assertThat((byte[]) event.get("e")).containsExactly(5);
    event.add("c", null).add("d", new long[] {4, 4});
    assertThat(event.get("b")).isEqualTo("two");
    assertThat((byte[]) event.get("e")).containsExactly(5);
    assertThat((long[]) event.get("d")).containsExactly(4, 4);
    assertThat(event.isTemplate()).isTrue();
    assertThat(event.add("c", false).isTemplate()).isFalse();
    assertThat(event.refCount).isEqualTo(1);
    assertThat(event.extraCount).isEqualTo(3 + 2);
  }

  @Test
  void shouldReuseStorageAfterClear() {
    Event event = new Event("a", "one").add("b", new Trade("APPL", 1));
    Object[] refs = event.refs;
    long[] extra = event.extra;
    event.clear();

    assertThat(event.size()).isZero();
    assertThat(event.has("a")).isFalse();
    assertThat(event.get("a")).isNull();
    assertThat(event.add("b", "two").get("b")).isEqualTo("two");
    assertThat(event.keys()).containsExactly("b");
    assertThat(event.add("a", new Trade("APPL", 2)).get("a")).isEqualTo(new Trade("APPL", 2));
    assertThat(event.refs).isSameAs(refs);
    assertThat(event.extra).isSameAs(extra);
  }

  @Test
  void shouldStayIndependentOfItsCopy() {
    Event event = new Event("a", "one").add("b", new int[] {1}).add("w", null);
    Event copy = new Event("old", "content").add("longer", new long[9]).copyFrom(event);

    assertThat(copy).isEqualTo(event);
    assertThat(copy.isTemplate()).isTrue();
    event.add("a", "two").add("b", new int[] {2}).add("w", 1);
    assertThat(copy).isEqualTo(new Event("a", "one").add("b", new int[] {1}).add("w", null));
    assertThat(copy.copyFrom(copy)).isSameAs(copy).isEqualTo(copy.copy());
  }

  @Test
  void shouldBeEqualOnlyWithSameKeysAndValues() {
    assertThat(apple()).isNotEqualTo(new Event("stock", "APPL"));
    assertThat(apple()).isNotEqualTo(apple().add("more", 1));
    assertThat(apple()).isNotEqualTo(new Event("stock", "APPL").add("other", 3));
    assertThat(apple()).isNotEqualTo(apple().add("value", null));
    assertThat(apple()).isNotEqualTo("APPL").isNotEqualTo(null);
    assertThat(apple().add("value", null)).isEqualTo(new Event("value", null).add("stock", "APPL"));
  }

  @Test
  void shouldListKeysInOrder() {
    List<String> keys = apple().keys();

    assertThat(keys).containsExactly("stock", "value");
    assertThatThrownBy(() -> keys.add("more")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void shouldShowItselfReadably() {
    Event event =
        new Event("s", "a\"b\n\u0001")
            .add("n", 3)
            .add("d", 0.5)
            .add("z", true)
            .add("w", null)
            .add("a", new int[] {1, 2})
            .add("c", new char[] {'x'})
            .add("r", new Trade("APPL", 5))
            .add("long", new byte[1000]);

    assertThat(event.toString())
        .isEqualTo(
            "[s: \"a\\\"b\\n\\u0001\", n: 3, d: 0.5, z: true, w: *, a: int[2]{1, 2}, c: char[1]{\"x\"},"
                + " r: Trade[stock=APPL, price=5], long: byte[1000]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,"
                + " ...}]");
    assertThat(new Event("s", "x".repeat(1000)).toString()).hasSizeLessThan(250).endsWith("...\"]");
    assertThat(new Event().toString()).isEqualTo("[]");
  }

  @Test
  void shouldAllocateNothingWhenRefilled() {
    Event event = new Event();
    Event other = new Event();
    long[] longs = new long[20];
    byte[] bytes = new byte[30];
    double[] doubles = new double[3];
    long[] back = new long[20];
    long[] sum = {1L << 40};

    long bytesAllocated =
        AllocatedBytes.inSteadyState(
            2_000,
            () -> {
              event
                  .clear()
                  .add("type", "sell")
                  .add("price", 12.5)
                  .add("quantity", sum[0])
                  .add("firm", true);
              event
                  .add("longs", longs)
                  .add("bytes", bytes)
                  .add("doubles", doubles)
                  .add("any", null);
              event
                  .add("longs", doubles)
                  .add("bytes", "text")
                  .add("longs", longs)
                  .add("bytes", bytes);
              event.add("price", "text").add("price", 1.0);
              other.copyFrom(event);
              sum[0] +=
                  event.getLong("quantity")
                      + (long) event.getDouble("price")
                      + event.getString("type").length();
              sum[0] +=
                  event.copyInto("longs", back) + event.arrayLength("bytes") + event.keys().size();
              sum[0] += event.equals(other) ? event.hashCode() : 0;
              other.add("any", 1);
              sum[0] += event.matches(other) ? 1 : 0;
            });

    assertThat(bytesAllocated).isZero();
  }

  @Test
  void shouldStayBoundedWhenRefilledWithoutClear() {
    Event event = new Event("fixed", "value");
    for (int i = 0; i < 100_000; i++) {
      String key = "k" + i % 3;
      switch (i % 7) {
        case 0 -> event.add(key, new long[i % 10]);
        case 1 -> event.add(key, "s" + i);
        case 2 -> event.add(key, new Trade("t" + i, i));
        case 3 -> event.add(key, i);
        case 4 -> event.add(key, null);
        case 5 -> event.add(key, new byte[i % 50]);
        default -> event.add(key, 0.5);
      }
    }

    assertThat(event.extra.length).isLessThan(128);
    assertThat(event.refs.length).isLessThan(32);
    assertThat(event.get("fixed")).isEqualTo("value");
  }
}
