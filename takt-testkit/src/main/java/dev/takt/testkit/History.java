package dev.takt.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened when several threads used an event space: transactions with their operations,
 * results and the time between their begin and their end, for {@link SerialChecker} to judge.
 *
 * <p>Events are reduced to {@link Fact}s of two numbers, and templates to {@link Pattern}s of the
 * same two, each possibly a wildcard; that is enough to make every kind of conflict.
 *
 * <p><b>Thread rule:</b> each thread records into a list of its own; they are put together when all
 * have ended.
 */
public final class History {
  /** Matches every number in a {@link Pattern}. */
  public static final int ANY = -1;

  private History() {}

  /** An event with two keys. */
  public record Fact(int key, int id) {
    @Override
    public String toString() {
      return key + "/" + id;
    }
  }

  /** A template with two keys, each a number or {@link #ANY}. */
  public record Pattern(int key, int id) {
    /** Returns whether an event matches. */
    public boolean matches(Fact fact) {
      return (key == ANY || key == fact.key) && (id == ANY || id == fact.id);
    }

    @Override
    public String toString() {
      return (key == ANY ? "*" : key) + "/" + (id == ANY ? "*" : id);
    }
  }

  /** What an operation did. */
  public enum Kind {
    /** Wrote {@link Op#fact}. */
    WRITE,
    /** Took {@link Op#fact}, or found nothing if that is null. */
    TAKE,
    /** Took {@link Op#fact}, or promises nothing if that is null. */
    POLL,
    /** Saw {@link Op#fact} and left it there, or found nothing if that is null. */
    READ,
    /** Saw {@link Op#fact} and left it there, or promises nothing if that is null. */
    PEEK,
    /** Saw {@link Op#all} and left them there, and nothing else that matches. */
    READ_ALL,
    /** Found a match. */
    PRESENT,
    /** Found no match. */
    ABSENT
  }

  /**
   * One operation and its result.
   *
   * @param kind what it did
   * @param pattern what it looked for; null for a write
   * @param fact what it wrote or found; null for nothing
   * @param all everything that it found, if it looked for all
   */
  public record Op(Kind kind, Pattern pattern, Fact fact, List<Fact> all) {
    /** Copies what was found. */
    public Op {
      all = List.copyOf(all);
    }

    /** Makes an operation that looked for one event at most. */
    public Op(Kind kind, Pattern pattern, Fact fact) {
      this(kind, pattern, fact, List.of());
    }

    @Override
    public String toString() {
      return switch (kind) {
        case READ_ALL -> "read all " + pattern + " -> " + all;
        case WRITE -> "write " + fact;
        case PRESENT -> "test " + pattern + " true";
        case ABSENT -> "test " + pattern + " false";
        default -> kind.name().toLowerCase(java.util.Locale.ROOT) + " " + pattern + " -> " + fact;
      };
    }
  }

  /** How a transaction ended. */
  public enum Outcome {
    /** It took effect, at one moment between its begin and its end. */
    COMMITTED,
    /** It must have left no trace. */
    ABORTED,
    /** It had not ended when the history did: it took effect or it did not. */
    UNKNOWN
  }

  /**
   * One transaction.
   *
   * @param thread who ran it
   * @param begin a time before its first operation
   * @param end a time after its commit or rollback returned
   * @param outcome how it ended
   * @param ops its operations, in order
   */
  public record Unit(int thread, long begin, long end, Outcome outcome, List<Op> ops) {
    /** Copies the operations. */
    public Unit {
      ops = List.copyOf(ops);
      if (end < begin) {
        throw new IllegalArgumentException(
            "end=" + end + " (expected: begin=" + begin + " or later)");
      }
    }

    @Override
    public String toString() {
      return "T" + thread + " [" + begin + ", " + end + "] " + outcome + " " + ops;
    }
  }

  /** Returns a transaction that committed the given operations; for histories made by hand. */
  public static Unit committed(int thread, long begin, long end, Op... ops) {
    return new Unit(thread, begin, end, Outcome.COMMITTED, List.of(ops));
  }

  /** Returns a transaction that was rolled back after the given operations. */
  public static Unit aborted(int thread, long begin, long end, Op... ops) {
    return new Unit(thread, begin, end, Outcome.ABORTED, List.of(ops));
  }

  /** Returns a write. */
  public static Op write(int key, int id) {
    return new Op(Kind.WRITE, null, new Fact(key, id));
  }

  /** Returns a take that removed the given event. */
  public static Op take(Pattern pattern, Fact result) {
    return new Op(Kind.TAKE, pattern, result);
  }

  /** Returns a look at all matches. */
  public static Op readAll(Pattern pattern, Fact... result) {
    return new Op(Kind.READ_ALL, pattern, null, List.of(result));
  }

  /** Returns a test with its result. */
  public static Op test(Pattern pattern, boolean result) {
    return new Op(result ? Kind.PRESENT : Kind.ABSENT, pattern, null);
  }

  /** Returns the transactions one a line, in the order of their begins. */
  public static String text(List<Unit> history) {
    List<Unit> sorted = new ArrayList<>(history);
    sorted.sort((a, b) -> Long.compare(a.begin, b.begin));
    StringBuilder out = new StringBuilder();
    for (Unit unit : sorted) {
      out.append(unit).append('\n');
    }
    return out.toString();
  }
}
