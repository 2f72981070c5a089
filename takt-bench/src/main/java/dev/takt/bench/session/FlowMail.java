package dev.takt.bench.session;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.javaflow.api.Continuation;
import org.apache.commons.javaflow.api.continuable;

/**
 * The mail's transactions as the mail ran them: javaflow suspends the client, and the caller's
 * thread goes on with what is ready. Javaflow suspends only code whose classes were rewritten, so
 * the client is written again, for its transport.
 */
final class FlowMail implements MailProgram {
  private final long delayNs;
  private final Queue<Flow> ready = new ArrayDeque<>();
  private final PriorityQueue<Flow> sleeping =
      new PriorityQueue<>(Comparator.comparingLong((Flow each) -> each.wakeNs));
  private Flow running;
  private int ended;

  FlowMail(long delayNs) {
    this.delayNs = delayNs;
  }

  /** Code that can be suspended. */
  static final class Flow {
    private Continuation continuation;
    private long wakeNs;

    Flow(Runnable code) {
      continuation = Continuation.startSuspendedWith(code, true);
    }
  }

  Flow running() {
    return running;
  }

  void ready(Flow flow) {
    ready.add(flow);
  }

  @continuable
  void delay() {
    if (delayNs > 0) {
      running.wakeNs = System.nanoTime() + delayNs;
      sleeping.add(running);
      Continuation.suspend();
    }
  }

  /** Transactions one after the other, each on a connection of its own. */
  private final class Client implements Runnable {
    private final int first;
    private final int transactions;
    private final int step;

    Client(int first, int transactions, int step) {
      this.first = first;
      this.transactions = transactions;
      this.step = step;
    }

    @Override
    @continuable
    public void run() {
      for (int number = first; number < transactions; number += step) {
        FlowTransport transport = connect();
        for (int round = 0; round < MailTransaction.ROUNDS; round++) {
          String line = MailTransaction.line(number, round);
          transport.writeLine(line);
          MailTransaction.check(line, transport.readLine());
        }
        transport.close();
      }
      ended++;
    }
  }

  private final class Echo implements Runnable {
    private final FlowTransport transport;

    Echo(FlowTransport transport) {
      this.transport = transport;
    }

    @Override
    @continuable
    public void run() {
      String line = transport.readLine();
      while (line != null) {
        transport.writeLine(line);
        line = transport.readLine();
      }
      transport.close();
    }
  }

  private FlowTransport connect() {
    FlowTransport transport = FlowTransport.pair(this);
    ready(new Flow(new Echo(transport.other())));
    return transport;
  }

  @Override
  public void run(int transactions, int parallel) {
    ended = 0;
    for (int i = 0; i < parallel; i++) {
      ready(new Flow(new Client(i, transactions, parallel)));
    }
    while (ended < parallel) {
      wake();
      running = ready.poll();
      if (running != null) {
        running.continuation = running.continuation.resume();
      }
    }
    ready.clear();
  }

  /** Makes ready whose delay is over; sleeps if nothing else is to be done. */
  private void wake() {
    if (sleeping.isEmpty()) {
      return;
    }
    long nowNs = System.nanoTime();
    if (ready.isEmpty() && sleeping.peek().wakeNs > nowNs) {
      LockSupport.parkNanos(sleeping.peek().wakeNs - nowNs);
      nowNs = System.nanoTime();
    }
    while (!sleeping.isEmpty() && sleeping.peek().wakeNs <= nowNs) {
      ready.add(sleeping.poll());
    }
  }

  @Override
  public void close() {}
}
