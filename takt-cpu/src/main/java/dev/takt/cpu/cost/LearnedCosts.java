package dev.takt.cpu.cost;

import dev.takt.realtime.internal.Ranges;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What releases of tasks cost, by the {@linkplain CodeIdentity identity} of their code: a task
 * whose code has not changed begins with that, instead of a trial. Code that has changed has
 * another identity, and is measured anew.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> {@value #MAX_ENTRIES} costs at most, some 200 bytes each; a new one takes the
 * place of the one that was learned or used longest ago.
 */
public final class LearnedCosts {
  /** The most costs. */
  public static final int MAX_ENTRIES = 4_096;

  private static final String HEADING = "takt learned costs 1";

  /** In the order of their last use. */
  private final LinkedHashMap<String, Long> costsNs = new LinkedHashMap<>(16, 0.75f, true);

  private long changes;

  /** Makes one that has learned nothing. */
  public LearnedCosts() {}

  /** Returns what was learned of code; empty: nothing. */
  public synchronized OptionalLong costNs(String identity) {
    Long costNs = costsNs.get(identity);
    return costNs == null ? OptionalLong.empty() : OptionalLong.of(costNs);
  }

  /**
   * Keeps a cost.
   *
   * @param identity of the code, as {@link CodeIdentity#of} has it
   * @param costNs in nanoseconds, at least 1
   * @throws IllegalArgumentException if one of them is something else
   */
  public synchronized void learn(String identity, long costNs) {
    if (!CodeIdentity.isOne(identity)) {
      throw new IllegalArgumentException(
          "identity=\"%s\" (expected: 64 hexadecimal digits)".formatted(identity));
    }
    Ranges.check("costNs", costNs, 1, Long.MAX_VALUE);
    Long before = costsNs.put(identity, costNs);
    if (before == null && costsNs.size() > MAX_ENTRIES) {
      costsNs.remove(costsNs.firstEntry().getKey());
    }
    changes += before != null && before == costNs ? 0 : 1;
  }

  /** Forgets what was learned of code. */
  public synchronized void forget(String identity) {
    changes += costsNs.remove(identity) == null ? 0 : 1;
  }

  /** Returns a number that grows with each change. */
  public synchronized long changes() {
    return changes;
  }

  /** Returns all as text, for a file: a heading, and a line with identity and cost for each. */
  public synchronized String toText() {
    StringBuilder text = new StringBuilder(HEADING).append('\n');
    for (Map.Entry<String, Long> each : costsNs.entrySet()) {
      text.append(each.getKey()).append(' ').append(each.getValue()).append('\n');
    }
    return text.toString();
  }

  /**
   * Reads what {@link #toText} has written.
   *
   * @throws IllegalArgumentException if it is anything else, a part of it for instance; the message
   *     names the line
   */
  public static LearnedCosts ofText(String text) {
    LearnedCosts costs = new LearnedCosts();
    String[] lines = text.split("\n", MAX_ENTRIES + 3);
    if (!lines[0].equals(HEADING)) {
      throw new IllegalArgumentException("line 1 is not \"" + HEADING + "\"");
    }
    if (!text.endsWith("\n") || lines.length > MAX_ENTRIES + 2) {
      throw new IllegalArgumentException(
          "its end is missing, or it has more than " + MAX_ENTRIES + " costs");
    }
    for (int i = 1; i < lines.length - 1; i++) {
      int space = lines[i].indexOf(' ');
      try {
        costs.learn(
            lines[i].substring(0, Math.max(0, space)),
            Long.parseLong(lines[i].substring(space + 1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    costs.changes = 0;
    return costs;
  }
}
