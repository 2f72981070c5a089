package dev.takt.bench.micro;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.space.Transaction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A take of any of the events in the space, and a write that puts it back, as two transactions, by
 * the kind of keys: those that a poor hash sends to one place, and ordinary ones of the same
 * length.
 */
@State(Scope.Thread)
public class KeysBenchmark {
  private static final int EVENTS = 4_096;
  private static final int PAIRS = 12;

  /** The kind of keys. */
  @Param({"long", "long-48", "string", "string-colliding"})
  public String keys;

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withMaxEventBytes(64).withMaxReferences(2));
  private final Object[] each = new Object[EVENTS];
  private final Event event = Orders.order(0);
  private final Event template = new Event();
  private final Event taken = Orders.order(0);
  private Transaction transaction;
  private long pick;

  /** Fills the space. */
  @Setup
  public void fill() {
    transaction = space.newTransaction();
    for (int i = 0; i < EVENTS; i++) {
      each[i] = key(keys, i);
      event.add("id", each[i]);
      SpaceOps.write(transaction, event);
    }
  }

  private static Object key(String kind, int number) {
    return switch (kind) {
      case "long" -> (long) number;
      case "long-48" -> (long) number << 48;
      case "string" -> text(number, "Aa", "Bb");
      // both halves have the same String.hashCode
      case "string-colliding" -> text(number, "Aa", "BB");
      default -> throw new IllegalArgumentException("keys=" + kind);
    };
  }

  private static String text(int number, String zero, String one) {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, PAIRS).forEach(bit -> text.append((number >>> bit & 1) == 0 ? zero : one));
    return text.toString();
  }

  /** Counts the allocation, and gives the transaction back. */
  @TearDown
  public void close(BenchmarkParams run) throws Exception {
    Allocation.record(this::resident, 300);
    transaction.close();
  }

  /** One batch: takes events and writes them back. */
  @Benchmark
  public Event resident() {
    for (int i = 0; i < JmhBatch.SIZE; i++) {
      Object key = each[(int) Orders.id(pick++) & EVENTS - 1];
      template.add("id", key);
      SpaceOps.take(transaction, template, taken);
      event.add("id", key);
      SpaceOps.write(transaction, event);
    }
    return taken;
  }
}
