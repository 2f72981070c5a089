package dev.takt.testkit;

import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether a history of transactions is strictly serializable: whether there is an order of
 * the committed ones that keeps the order of those that did not overlap in time, and in which each
 * operation gives the recorded result on a multiset of events.
 *
 * <p>It searches depth first. What is in the space after some transactions depends only on which
 * ones they are, not on their order, because the history says which event each take returned; so no
 * set of transactions is tried twice, and the search visits at most the product of the threads'
 * transaction counts.
 *
 * <p>Transactions that rolled back must leave no trace, and what they took must have been written
 * by themselves or by a transaction that committed: no transaction ever sees an event that is not
 * there yet.
 *
 * <p>Source: Herlihy and Wing's linearizability and Papadimitriou's strict serializability, applied
 * to the operations of Reflexes 3.1.
 */
public final class SerialChecker {
  /** The most transactions, committed or unknown, that one history can have. */
  public static final int MAX_UNITS = 63;

  private final List<Unit> units = new ArrayList<>();
  private final Map<Fact, Integer> indexes = new HashMap<>();
  private final List<Fact> facts = new ArrayList<>();
  private final int[] counts;
  private final long[] before;
  private final Set<Long> tried = new HashSet<>();
  private long required;

  private SerialChecker(List<Unit> history) {
    for (Unit unit : history) {
      if (unit.outcome() != Outcome.ABORTED) {
        units.add(unit);
      }
      for (Op op : unit.ops()) {
        for (Fact fact : seen(op)) {
          if (indexes.putIfAbsent(fact, facts.size()) == null) {
            facts.add(fact);
          }
        }
      }
    }
    if (units.size() > MAX_UNITS) {
      throw new IllegalArgumentException(
          "transactions=%s (expected: at most %s); record shorter histories"
              .formatted(units.size(), MAX_UNITS));
    }
    counts = new int[facts.size()];
    before = new long[units.size()];
    for (int i = 0; i < units.size(); i++) {
      required |= units.get(i).outcome() == Outcome.COMMITTED ? 1L << i : 0;
      for (int j = 0; j < units.size(); j++) {
        before[i] |= units.get(j).end() < units.get(i).begin() ? 1L << j : 0;
      }
    }
  }

  /**
   * Looks for a violation.
   *
   * @param history what happened; at most {@link #MAX_UNITS} transactions that committed or may
   *     have
   * @return null if the history is strictly serializable, otherwise what is wrong and the whole
   *     history
   */
  public static String violation(List<Unit> history) {
    String dirty = dirtyRead(history);
    if (dirty != null) {
      return dirty + "\n" + History.text(history);
    }
    SerialChecker checker = new SerialChecker(history);
    return checker.search(0)
        ? null
        : "no serial order explains these transactions:\n" + History.text(history);
  }

  private boolean search(long placed) {
    if ((placed & required) == required) {
      return true;
    }
    if (!tried.add(placed)) {
      return false;
    }
    for (int i = 0; i < units.size(); i++) {
      long bit = 1L << i;
      // An unknown transaction may be left out, so it need not come before anyone.
      boolean isNext = (placed & bit) == 0 && (before[i] & required & ~placed) == 0;
      if (isNext && apply(units.get(i))) {
        if (search(placed | bit)) {
          return true;
        }
        undo(units.get(i).ops(), units.get(i).ops().size());
      }
    }
    return false;
  }

  private boolean apply(Unit unit) {
    List<Op> ops = unit.ops();
    for (int i = 0; i < ops.size(); i++) {
      if (!apply(ops.get(i))) {
        undo(ops, i);
        return false;
      }
    }
    return true;
  }

  private boolean apply(Op op) {
    switch (op.kind()) {
      case WRITE -> {
        counts[indexes.get(op.fact())]++;
        return true;
      }
      case TAKE, POLL -> {
        if (op.fact() == null) {
          return op.kind() == Kind.POLL || !isPresent(op.pattern());
        }
        int index = indexes.get(op.fact());
        if (counts[index] == 0 || !op.pattern().matches(op.fact())) {
          return false;
        }
        counts[index]--;
        return true;
      }
      case READ, PEEK -> {
        return op.fact() == null
            ? op.kind() == Kind.PEEK || !isPresent(op.pattern())
            : counts[indexes.get(op.fact())] > 0 && op.pattern().matches(op.fact());
      }
      case READ_ALL -> {
        return areAll(op.pattern(), op.all());
      }
      case PRESENT -> {
        return isPresent(op.pattern());
      }
      case ABSENT -> {
        return !isPresent(op.pattern());
      }
    }
    throw new AssertionError(op);
  }

  private void undo(List<Op> ops, int done) {
    for (int i = done - 1; i >= 0; i--) {
      Op op = ops.get(i);
      if (op.kind() == Kind.WRITE) {
        counts[indexes.get(op.fact())]--;
      } else if (op.fact() != null && (op.kind() == Kind.TAKE || op.kind() == Kind.POLL)) {
        counts[indexes.get(op.fact())]++;
      }
    }
  }

  private boolean isPresent(Pattern pattern) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0 && pattern.matches(facts.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean areAll(Pattern pattern, List<Fact> all) {
    int[] seen = new int[counts.length];
    for (Fact fact : all) {
      seen[indexes.get(fact)]++;
    }
    for (int i = 0; i < counts.length; i++) {
      if (seen[i] != (pattern.matches(facts.get(i)) ? counts[i] : 0)) {
        return false;
      }
    }
    return true;
  }

  private static List<Fact> seen(Op op) {
    return op.fact() == null ? op.all() : List.of(op.fact());
  }

  private static String dirtyRead(List<Unit> history) {
    Map<Fact, Long> written = new HashMap<>();
    for (Unit unit : history) {
      for (Op op : unit.ops()) {
        if (op.kind() == Kind.WRITE && unit.outcome() != Outcome.ABORTED) {
          written.merge(op.fact(), unit.begin(), Math::min);
        }
      }
    }
    for (Unit unit : history) {
      Set<Fact> own = new HashSet<>();
      for (Op op : unit.ops()) {
        if (op.kind() == Kind.WRITE) {
          own.add(op.fact());
        } else if (seen(op).stream()
            .anyMatch(
                fact ->
                    !own.contains(fact)
                        && written.getOrDefault(fact, Long.MAX_VALUE) > unit.end())) {
          return "an event was seen that no committed transaction had written: %s in %s"
              .formatted(op, unit);
        }
      }
    }
    return null;
  }
}
