package dev.takt.cli.report;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.HdrHistogram.AbstractHistogram;

/**
 * One figure of a report: a name, a unit, a value, and whatever stands beside it.
 *
 * <p>Numbers are kept as they are given, so a {@code long} or a {@link BigDecimal} loses no digit
 * on its way into the JSON. A number that is not finite is refused, because JSON has no word for
 * it.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
public final class Result {
  /** Members that are figures of the same thing as the value. */
  private static final Set<String> LIKE_THE_VALUE =
      Set.of(
          "value",
          "peer_value",
          "paper_value",
          "limit",
          "difference",
          "mean_difference",
          "floor_value");

  private static final Pattern STATISTIC = Pattern.compile("(.*_)?(mean|avg|min|max|p50|p99|p999)");

  /** How many times as much as something else. */
  private static final Pattern QUOTIENT = Pattern.compile("(.*_)?times_.*");

  private final Map<String, Object> members = new LinkedHashMap<>();

  Result(String name, String unit, Object value) {
    members.put("name", Objects.requireNonNull(name, "name"));
    members.put("unit", Objects.requireNonNull(unit, "unit"));
    members.put("value", checked("value", Objects.requireNonNull(value, "value")));
  }

  /** Returns the name, unique in its report. */
  public String name() {
    return (String) members.get("name");
  }

  /**
   * Returns the unit of the value, such as {@code ns}, {@code 1/s}, or {@code 1} for a plain count.
   */
  public String unit() {
    return (String) members.get("unit");
  }

  /** Returns the value as it was given: a {@link Number}, a {@link Boolean} or a {@link String}. */
  public Object value() {
    return members.get("value");
  }

  /** Returns another member, or null if there is none of that name. */
  public Object get(String member) {
    return members.get(member);
  }

  /**
   * Adds a member, or replaces it.
   *
   * @param member its name, as it appears in the JSON: lower case, words joined by {@code _}
   * @param value a number, a boolean or a string
   * @return this result
   * @throws IllegalArgumentException if the value is of another type or a number that is not finite
   */
  public Result with(String member, Object value) {
    members.put(
        Objects.requireNonNull(member, "member"),
        checked(member, Objects.requireNonNull(value, member)));
    return this;
  }

  /**
   * Adds the figure of a counterpart from the same run as {@code peer} and {@code peer_value}, and
   * as {@code ratio} how many times better this one is: above 1 is better than the peer. Less is
   * better, but for a unit that ends in {@code /s} more is.
   *
   * @param peer what was measured beside this
   * @param peerValue its figure, in the unit of this result, above 0
   * @return this result
   */
  public Result withPeer(String peer, Number peerValue) {
    double mine = ((Number) value()).doubleValue();
    double other = peerValue.doubleValue();
    if (!(mine > 0 && other > 0)) {
      throw new IllegalArgumentException(
          "%s: no ratio of value=%s to peer_value=%s; both must be above 0"
              .formatted(name(), value(), peerValue));
    }
    return with("peer", peer)
        .with("peer_value", peerValue)
        .with("ratio", rounded(unit().endsWith("/s") ? mine / other : other / mine));
  }

  /** Adds the figure that the source paper gives for the same thing, in the unit of this result. */
  public Result withPaper(Number paperValue) {
    return with("paper_value", paperValue);
  }

  /** Adds the bytes that one iteration allocates on the heap. */
  public Result withAllocBytes(Number bytes) {
    return with("alloc_bytes", bytes);
  }

  /**
   * Adds {@code p50}, {@code p99}, {@code p999} and {@code max} from a histogram, in the
   * histogram's unit.
   */
  public Result withPercentiles(AbstractHistogram histogram) {
    return with("p50", histogram.getValueAtPercentile(50))
        .with("p99", histogram.getValueAtPercentile(99))
        .with("p999", histogram.getValueAtPercentile(99.9))
        .with("max", histogram.getMaxValue());
  }

  /** As {@link #withPercentiles(AbstractHistogram)}, of times beside a value that is none. */
  public Result withTimes(AbstractHistogram histogramNs) {
    return withPercentiles(histogramNs).with("percentile_unit", "ns");
  }

  /** Returns the unit of a member; empty for a plain number. */
  String unitOf(String member) {
    if (LIKE_THE_VALUE.contains(member)) {
      return unit();
    }
    if (QUOTIENT.matcher(member).matches()) {
      return "";
    }
    if (member.endsWith("_ns")) {
      return "ns";
    }
    if (member.endsWith("_percent")) {
      return "%";
    }
    if (STATISTIC.matcher(member).matches()) {
      return get("percentile_unit") instanceof String other ? other : unit();
    }
    return member.endsWith("_bytes") ? "B" : "";
  }

  /**
   * Returns all members in the order in which they were added, name, unit and value first; a
   * read-only view.
   */
  public Map<String, Object> members() {
    return Collections.unmodifiableMap(members);
  }

  /**
   * Rounds a measured number to four significant digits at least, and to three decimals at most.
   */
  public static double rounded(double measured) {
    double scale = Math.abs(measured) < 1 ? 1e6 : 1e3;
    return Math.abs(measured) >= 1e12 ? measured : Math.round(measured * scale) / scale;
  }

  static Object checked(String member, Object value) {
    return switch (value) {
      case Double d when !Double.isFinite(d) -> throw notFinite(member, value);
      case Float f when !Float.isFinite(f) -> throw notFinite(member, value);
      case Byte _, Short _, Integer _, Long _, Float _, Double _, BigDecimal _, BigInteger _ ->
          value;
      case Boolean _, String _ -> value;
      default ->
          throw new IllegalArgumentException(
              "%s: a report cannot hold a %s; use a number, boolean or string"
                  .formatted(member, value.getClass().getName()));
    };
  }

  private static IllegalArgumentException notFinite(String member, Object value) {
    return new IllegalArgumentException(member + "=" + value + " (expected: a finite number)");
  }

  @Override
  public String toString() {
    return members.toString();
  }
}
