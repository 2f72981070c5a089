package dev.takt.space;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An event template that can also ask for ranges and predicates.
 *
 * <p>A condition asks for its key to be there, as a wildcard does, and for its value to satisfy it.
 * It takes the place of a value that was added for the key before; several conditions on one key
 * must all be satisfied; a value or a wildcard added for the key later takes the place of its
 * conditions.
 *
 * <p>Ranges include their bounds and compare integers and floating point numbers as the numbers
 * they are, without rounding, so 2 is within 1.5 to 2.5, and -0.0 is at least 0. NaN is in no
 * range. A value of a type that a range or predicate is not about does not satisfy it.
 *
 * <p>Predicates run on the thread that looks for events, or that commits one for which there are
 * subscriptions, while it works; on the same value they must always say the same; and they must be
 * quick, and allocate nothing if that thread must not. One that throws makes the operation throw;
 * what it throws after a commit goes to the thread's handler of uncaught exceptions.
 *
 * <p>A search goes by the template's plain values and wildcards; conditions sort out what it finds.
 * Add a plain value, such as a type, wherever there is one.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 *
 * <p><b>Memory:</b> each condition is an object: build a template once and keep it. Checking
 * allocates nothing.
 *
 * {@snippet :
 * Template cheap = new Template("type", "sell").atMost("price", 9.5).matchingString("stock", s -> s.startsWith("A"));
 * }
 */
public final class Template extends Event {
  private final @Nullable Condition[] conditions = new Condition[MAX_KEYS];

  /** One bit for each key with a condition, by its ordinal. */
  private int conditioned;

  /** Makes a template without keys, which matches every event. */
  public Template() {}

  /** Makes a template with one key; see {@link Event#Event(String, Object)}. */
  public Template(String key, @Nullable Object value) {
    super(key, value);
  }

  /** Asks for a number of at least {@code min}. */
  public Template atLeast(String key, long min) {
    return require(key, Condition.Range.atLeast(min));
  }

  /**
   * Asks for a number of at least {@code min}.
   *
   * @throws IllegalArgumentException if {@code min} is NaN
   */
  public Template atLeast(String key, double min) {
    return require(key, Condition.Range.atLeast(min));
  }

  /** Asks for a number of at most {@code max}. */
  public Template atMost(String key, long max) {
    return require(key, Condition.Range.atMost(max));
  }

  /**
   * Asks for a number of at most {@code max}.
   *
   * @throws IllegalArgumentException if {@code max} is NaN
   */
  public Template atMost(String key, double max) {
    return require(key, Condition.Range.atMost(max));
  }

  /**
   * Asks for a number from {@code min} to {@code max}, both included.
   *
   * @throws IllegalArgumentException if {@code min} is greater than {@code max}
   */
  public Template between(String key, long min, long max) {
    return require(key, Condition.Range.between(min, max));
  }

  /**
   * Asks for a number from {@code min} to {@code max}, both included.
   *
   * @throws IllegalArgumentException if {@code min} is greater than {@code max}, or one is NaN
   */
  public Template between(String key, double min, double max) {
    return require(key, Condition.Range.between(min, max));
  }

  /** Asks for an integer that satisfies a predicate. */
  public Template matchingLong(String key, LongPredicate predicate) {
    return require(key, new Condition.OfLong(predicate));
  }

  /**
   * Asks for a number that satisfies a predicate; integers are converted as by {@link #getDouble}.
   */
  public Template matchingDouble(String key, DoublePredicate predicate) {
    return require(key, new Condition.OfDouble(predicate));
  }

  /** Asks for a string that satisfies a predicate. */
  public Template matchingString(String key, Predicate<String> predicate) {
    return require(key, new Condition.OfString(predicate));
  }

  /**
   * Asks for any value but this one. A value of another type is another value, so it satisfies
   * this; the key must be there.
   *
   * @param value a boolean, an integer, a floating point number or a string
   * @throws NullPointerException if {@code value} is null
   * @throws IllegalArgumentException if {@code value} is of another type
   */
  public Template not(String key, Object value) {
    Event other = new Event(key, Objects.requireNonNull(value, "value"));
    int type = Types.at(other.types, 0);
    if (type > Types.STRING) {
      throw new IllegalArgumentException(
          ("not: cannot exclude a %s (key=%s); use a boolean, an integer, a floating point "
                  + "number or a String")
              .formatted(value.getClass().getTypeName(), key));
    }
    return require(
        key, new Condition.Not(type, other.words[0], type == Types.STRING ? (String) value : null));
  }

  private Template require(String key, Condition condition) {
    int known = shape.ordinal(Objects.requireNonNull(key, "key"));
    if (known < 0 || Types.at(types, known) != Types.WILDCARD) {
      super.add(key, (Object) null);
    } else {
      checkUsable();
    }
    int ordinal = shape.ordinal(key);
    Condition before = conditions[ordinal];
    conditions[ordinal] = before == null ? condition : Condition.All.of(before, condition);
    conditioned |= 1 << ordinal;
    return this;
  }

  private Template forget(String key) {
    if (conditioned != 0) {
      int ordinal = shape.ordinal(key);
      conditions[ordinal] = null;
      conditioned &= ~(1 << ordinal);
    }
    return this;
  }

  @Override
  public Template add(String key, @Nullable Object value) {
    super.add(key, value);
    return forget(key);
  }

  @Override
  public Template add(String key, long value) {
    super.add(key, value);
    return forget(key);
  }

  @Override
  public Template add(String key, double value) {
    super.add(key, value);
    return forget(key);
  }

  @Override
  public Template add(String key, boolean value) {
    super.add(key, value);
    return forget(key);
  }

  @Override
  public Template add(String key, char value) {
    super.add(key, value);
    return this;
  }

  @Override
  public boolean isTemplate() {
    checkUsable();
    return true;
  }

  @Override
  public Template clear() {
    super.clear();
    dropConditions();
    return this;
  }

  /** Makes this a copy of another event or template, conditions included. */
  @Override
  public Template copyFrom(Event other) {
    if (other != this) {
      load(other);
      if (other instanceof Template template) {
        System.arraycopy(template.conditions, 0, conditions, 0, MAX_KEYS);
        conditioned = template.conditioned;
      }
    }
    return this;
  }

  @Override
  public Template copy() {
    return new Template().copyFrom(this);
  }

  @Override
  boolean accepts(int ordinal, int type, long word, @Nullable String string) {
    Condition condition = conditions[ordinal];
    return condition == null || condition.accepts(type, word, string);
  }

  @Override
  boolean hasConditions() {
    return conditioned != 0;
  }

  @Override
  @Nullable Condition condition(int ordinal) {
    return conditions[ordinal];
  }

  @Override
  void dropConditions() {
    if (conditioned != 0) {
      Arrays.fill(conditions, null);
      conditioned = 0;
    }
  }
}
