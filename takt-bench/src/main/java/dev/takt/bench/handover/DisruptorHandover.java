package dev.takt.bench.handover;

import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.BatchEventProcessorBuilder;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;

/**
 * One thread publishes the same events into a ring buffer of the Disruptor, and another handles
 * them; both spin.
 *
 * @param events how many count
 * @param limitMs after how many milliseconds fewer will do
 */
public record DisruptorHandover(int events, long limitMs) implements ChildRun.Body<Measurement> {
  @Override
  public Measurement run() throws InterruptedException {
    Arrivals arrivals = new Arrivals(events, limitMs);
    RingBuffer<Order> ring =
        RingBuffer.createSingleProducer(
            Order::new, SpaceHandover.WINDOW, new BusySpinWaitStrategy());
    Receiver receiver = new Receiver(arrivals);
    BatchEventProcessor<Order> processor =
        new BatchEventProcessorBuilder().build(ring, ring.newBarrier(), receiver);
    receiver.processor = processor;
    processor.setExceptionHandler(new Rethrow());
    ring.addGatingSequences(processor.getSequence());
    HandoverThreads threads = new HandoverThreads();
    threads.start("receiver", processor);
    threads.start("sender", () -> send(ring, receiver));
    threads.join();
    return arrivals.figure();
  }

  private static void send(RingBuffer<Order> ring, Receiver receiver) {
    for (long id = 1; ; id++) {
      // The free place is looked for once before it is waited for, so that the end of the receiver
      // is noticed.
      while (!ring.hasAvailableCapacity(1)) {
        if (receiver.ended) {
          return;
        }
        Thread.onSpinWait();
      }
      long sequence = ring.next();
      ring.get(sequence).fill(id);
      ring.publish(sequence);
    }
  }

  /** The same fields as {@link dev.takt.bench.micro.Orders#order} has. */
  private static final class Order {
    private String type;
    private long id;
    private long price;
    private long quantity;
    private long side;
    private long venue;
    private long time;
    private long sequence;

    void fill(long id) {
      type = "order";
      this.id = id;
      price = 1;
      quantity = 2;
      side = 3;
      venue = 4;
      time = 5;
      sequence = 6;
    }

    void copyTo(Order other) {
      other.type = type;
      other.id = id;
      other.price = price;
      other.quantity = quantity;
      other.side = side;
      other.venue = venue;
      other.time = time;
      other.sequence = sequence;
    }
  }

  /** Copies each event out, as a take from the space does. */
  private static final class Receiver implements EventHandler<Order> {
    private final Arrivals arrivals;
    private final Order copy = new Order();
    private BatchEventProcessor<Order> processor;
    private volatile boolean ended;

    Receiver(Arrivals arrivals) {
      this.arrivals = arrivals;
    }

    @Override
    public void onEvent(Order order, long sequence, boolean endOfBatch) {
      order.copyTo(copy);
      if (!ended && !arrivals.next(copy.id)) {
        ended = true;
        processor.halt();
      }
    }
  }

  /** Ends the receiving thread with the mistake, instead of going on without the event. */
  private static final class Rethrow implements ExceptionHandler<Order> {
    @Override
    public void handleEventException(Throwable e, long sequence, Order order) {
      throw new IllegalStateException("event " + sequence, e);
    }

    @Override
    public void handleOnStartException(Throwable e) {
      throw new IllegalStateException(e);
    }

    @Override
    public void handleOnShutdownException(Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
