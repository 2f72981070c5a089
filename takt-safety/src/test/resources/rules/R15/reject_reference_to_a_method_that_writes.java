// What a method reference runs writes to what it is called with, or to what it is bound to.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

class Writers extends ReflexTask {
  static final long[] LAST = new long[4];
  static final double[] MEANS = new double[4];
  static final short[] COUNTS = new short[4];
  static final AtomicLong TOTAL = new AtomicLong();
  static final AtomicInteger CALLS = new AtomicInteger();

  interface Fill {
    void fill(long[] values, long value);
  }

  interface Copy {
    void copy(Object from, int start, Object to, int at, int length);
  }

  interface Read {
    int read(Event event, String key, short[] into);
  }

  @Override
  public void execute() {
    Fill fill = Arrays::fill; // expect: R15 "telemetry.Writers.LAST"
    fill.fill(LAST, 1);
    Copy copy = System::arraycopy; // expect: R15 "telemetry.Writers"
    copy.copy(new double[4], 0, MEANS, 0, 4);
    Read read = Event::copyInto; // expect: R15 "telemetry.Writers.COUNTS"
    read.read(new Event("a", new short[4]), "a", COUNTS);
    LongConsumer consumer = TOTAL::set; // expect: R15 "telemetry.Writers.TOTAL"
    consumer.accept(3);
    ToLongFunction<AtomicInteger> count = AtomicInteger::incrementAndGet; // expect: R15 "CALLS"
    count.applyAsLong(CALLS);
  }
}
