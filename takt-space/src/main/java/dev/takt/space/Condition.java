package dev.takt.space;

import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a template asks of a value besides being there. Immutable; checking allocates nothing. */
sealed interface Condition {
  /**
   * Returns whether a value satisfies this.
   *
   * @param type the type of the value, one of {@link Types}
   * @param word its word
   * @param string the value if it is a string, else null
   */
  boolean accepts(int type, long word, @Nullable String string);

  /** Returns how many conditions this is: {@link #give} gives as many. */
  default int count() {
    return 1;
  }

  /**
   * Gives this away.
   *
   * @throws IllegalArgumentException if it is a predicate, which is code of this process
   */
  void give(EventParts.TemplateSink sink);

  private static IllegalArgumentException refused(Condition predicate) {
    return new IllegalArgumentException(
        "a predicate cannot leave its process: %s; use values, wildcards, ranges or not()"
            .formatted(predicate));
  }

  /**
   * A range of numbers, bounds included. Integers and floating point numbers are compared as the
   * numbers they are, so each bound is kept twice: as the outermost integer and as the outermost
   * floating point number within it.
   */
  record Range(boolean isOfIntegers, long minLong, long maxLong, double minDouble, double maxDouble)
      implements Condition {
    private static final double TWO_TO_63 = 0x1p63;

    static Range atLeast(long min) {
      return new Range(true, min, Long.MAX_VALUE, least(min), Double.POSITIVE_INFINITY);
    }

    static Range atMost(long max) {
      return new Range(true, Long.MIN_VALUE, max, Double.NEGATIVE_INFINITY, greatest(max));
    }

    static Range between(long min, long max) {
      if (min > max) {
        throw new IllegalArgumentException(
            "no range: min=" + min + ", max=" + max + " (expected: min <= max)");
      }
      return new Range(true, min, max, least(min), greatest(max));
    }

    static Range atLeast(double min) {
      return ofDoubles(min, Double.POSITIVE_INFINITY);
    }

    static Range atMost(double max) {
      return ofDoubles(Double.NEGATIVE_INFINITY, max);
    }

    static Range between(double min, double max) {
      return ofDoubles(min, max);
    }

    private static Range ofDoubles(double min, double max) {
      if (Double.isNaN(min) || Double.isNaN(max) || min > max) {
        throw new IllegalArgumentException(
            "no range: min=" + min + ", max=" + max + " (expected: min <= max, no NaN)");
      }
      double ceiling = Math.ceil(min);
      double floor = Math.floor(max);
      boolean hasLongs = ceiling < TWO_TO_63 && floor >= -TWO_TO_63;
      return new Range(false, hasLongs ? (long) ceiling : 1, hasLongs ? (long) floor : 0, min, max);
    }

    /**
     * The smallest floating point number that is not less than an integer; conversion alone may
     * round down.
     */
    private static double least(long bound) {
      double near = bound;
      return near < TWO_TO_63 && (long) near < bound ? Math.nextUp(near) : near;
    }

    /**
     * The largest floating point number that is not greater than an integer; conversion alone may
     * round up.
     */
    private static double greatest(long bound) {
      double near = bound;
      return near >= TWO_TO_63 || (long) near > bound ? Math.nextDown(near) : near;
    }

    @Override
    public boolean accepts(int type, long word, @Nullable String string) {
      if (type == Types.LONG) {
        return minLong <= word && word <= maxLong;
      }
      if (type == Types.DOUBLE) {
        double value = Double.longBitsToDouble(word);
        return minDouble <= value && value <= maxDouble;
      }
      return false;
    }

    @Override
    public void give(EventParts.TemplateSink sink) {
      if (!isOfIntegers) {
        sink.between(minDouble, maxDouble);
      } else if (maxDouble == Double.POSITIVE_INFINITY) {
        sink.atLeast(minLong);
      } else if (minDouble == Double.NEGATIVE_INFINITY) {
        sink.atMost(maxLong);
      } else {
        sink.between(minLong, maxLong);
      }
    }

    @Override
    public String toString() {
      String min = isOfIntegers ? String.valueOf(minLong) : String.valueOf(minDouble);
      String max = isOfIntegers ? String.valueOf(maxLong) : String.valueOf(maxDouble);
      return maxDouble == Double.POSITIVE_INFINITY
          ? ">= " + min
          : minDouble == Double.NEGATIVE_INFINITY ? "<= " + max : min + " to " + max;
    }
  }

  /** A predicate on integers. */
  record OfLong(LongPredicate predicate) implements Condition {
    public OfLong {
      Objects.requireNonNull(predicate, "predicate");
    }

    @Override
    public boolean accepts(int type, long word, @Nullable String string) {
      return type == Types.LONG && predicate.test(word);
    }

    @Override
    public void give(EventParts.TemplateSink sink) {
      throw refused(this);
    }

    @Override
    public String toString() {
      return "(an integer predicate)";
    }
  }

  /** A predicate on numbers. */
  record OfDouble(DoublePredicate predicate) implements Condition {
    public OfDouble {
      Objects.requireNonNull(predicate, "predicate");
    }

    @Override
    public boolean accepts(int type, long word, @Nullable String string) {
      return type == Types.DOUBLE
          ? predicate.test(Double.longBitsToDouble(word))
          : type == Types.LONG && predicate.test(word);
    }

    @Override
    public void give(EventParts.TemplateSink sink) {
      throw refused(this);
    }

    @Override
    public String toString() {
      return "(a number predicate)";
    }
  }

  /** A predicate on strings. */
  record OfString(Predicate<String> predicate) implements Condition {
    public OfString {
      Objects.requireNonNull(predicate, "predicate");
    }

    @Override
    public boolean accepts(int type, long word, @Nullable String string) {
      return type == Types.STRING && string != null && predicate.test(string);
    }

    @Override
    public void give(EventParts.TemplateSink sink) {
      throw refused(this);
    }

    @Override
    public String toString() {
      return "(a string predicate)";
    }
  }

  /** Any value but this one; {@code string} is null unless that is a string. */
  record Not(int type, long word, @Nullable String string) implements Condition {
    @Override
    @SuppressWarnings("NullAway") // there is a string if the type says so
    public boolean accepts(int type, long word, @Nullable String string) {
      if (type != this.type) {
        return true;
      }
      return type == Types.STRING ? !this.string.equals(string) : word != this.word;
    }

    @Override
    @SuppressWarnings("NullAway") // there is a string if the type says so
    public void give(EventParts.TemplateSink sink) {
      sink.not();
      switch (type) {
        case Types.STRING -> sink.text(string);
        case Types.LONG -> sink.integer(word);
        case Types.DOUBLE -> sink.floating(Double.longBitsToDouble(word));
        default -> sink.bool(word != 0);
      }
    }

    @Override
    @SuppressWarnings("NullAway") // there is a string if the type says so
    public String toString() {
      return "not "
          + switch (type) {
            case Types.STRING -> EventText.quoted(string);
            case Types.LONG -> String.valueOf(word);
            case Types.DOUBLE -> String.valueOf(Double.longBitsToDouble(word));
            default -> String.valueOf(word != 0);
          };
    }
  }

  /** Several conditions at once, which are checked in their order. */
  final class All implements Condition {
    private final Condition[] each;

    private All(Condition[] each) {
      this.each = each;
    }

    /** Returns the condition that a value satisfies both. */
    static All of(Condition before, Condition last) {
      Condition[] first = before instanceof All all ? all.each : new Condition[] {before};
      Condition[] each = Arrays.copyOf(first, first.length + 1);
      each[first.length] = last;
      return new All(each);
    }

    @Override
    public boolean accepts(int type, long word, @Nullable String string) {
      for (Condition one : each) {
        if (!one.accepts(type, word, string)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int count() {
      return each.length;
    }

    @Override
    public void give(EventParts.TemplateSink sink) {
      for (Condition one : each) {
        one.give(sink);
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof All all && Arrays.equals(each, all.each);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(each);
    }

    @Override
    public String toString() {
      StringJoiner all = new StringJoiner(" and ");
      for (Condition one : each) {
        all.add(one.toString());
      }
      return all.toString();
    }
  }
}
