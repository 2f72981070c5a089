package dev.takt.bench.session;

import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.commons.javaflow.api.Continuation;
import org.apache.commons.javaflow.api.continuable;

/**
 * One end of a connection for code that javaflow suspends: a read without a line suspends it, and a
 * write makes the other end ready. All of it is for one thread.
 */
final class FlowTransport {
  private final FlowMail owner;
  private final Queue<String> lines = new ArrayDeque<>();
  private FlowTransport other;
  private boolean closed;

  /** What waits for a line here. */
  private FlowMail.Flow waiting;

  private FlowTransport(FlowMail owner) {
    this.owner = owner;
  }

  /** Makes a connection; the other end is {@link #other}. */
  static FlowTransport pair(FlowMail owner) {
    FlowTransport one = new FlowTransport(owner);
    one.other = new FlowTransport(owner);
    one.other.other = one;
    return one;
  }

  FlowTransport other() {
    return other;
  }

  @continuable
  String readLine() {
    owner.delay();
    while (lines.isEmpty() && !closed) {
      waiting = owner.running();
      Continuation.suspend();
    }
    return lines.poll();
  }

  @continuable
  void writeLine(String line) {
    owner.delay();
    other.lines.add(line);
    other.wake();
  }

  void close() {
    other.closed = true;
    other.wake();
  }

  private void wake() {
    if (waiting != null) {
      owner.ready(waiting);
      waiting = null;
    }
  }
}
