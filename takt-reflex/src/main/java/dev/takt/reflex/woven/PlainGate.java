package dev.takt.reflex.woven;

import org.jspecify.annotations.Nullable;

/**
 * Where the cycles of one set of roots meet the updates of plain threads. Several gates can have a
 * cycle at the same time.
 *
 * <p><b>Thread rule:</b> one thread at a time, that of the cycle.
 */
public final class PlainGate implements CycleGate {
  /** A wish of the cycle, and whether it was fulfilled. */
  private static final class Request implements Runnable {
    private final @Nullable SaveSink before;
    private final SaveSink sink;
    private final long callsBefore = PlainBarrier.calls();
    private volatile boolean done;

    Request(@Nullable SaveSink before, SaveSink sink) {
      this.before = before;
      this.sink = sink;
    }

    @Override
    public void run() {
      PlainBarrier.attach(sink);
      if (before != null) {
        PlainBarrier.detach(before);
      }
      done = true;
    }
  }

  private @Nullable Request asked;

  /** Makes a gate. */
  public PlainGate() {}

  @Override
  public void ask(@Nullable SaveSink sink) {
    Request last = asked;
    if (sink != null) {
      replace(null, sink);
    } else if (last != null) {
      asked = null;
      UpdateGate.forget(last);
      PlainBarrier.detach(last.sink);
      if (last.before != null) {
        PlainBarrier.detach(last.before); // which is attached still if that cut was not made
      }
      last.sink.called(PlainBarrier.calls() - last.callsBefore);
    }
  }

  @Override
  public void replace(@Nullable SaveSink before, SaveSink sink) {
    Request last = asked;
    if (before != (last == null ? null : last.sink)) {
      throw new IllegalStateException(
          "a cycle of these roots goes on already; begin the next one after it");
    }
    Request request = new Request(before, sink);
    asked = request;
    UpdateGate.cut(request);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the calling thread is in an update, for which it would wait
   */
  @Override
  public boolean hasBegun() {
    Request request = asked;
    if (request != null && !request.done) {
      if (UpdateGate.isEntered()) {
        throw new IllegalStateException(
            "the thread that waits for the begin of a cycle is in an update, and no cycle begins"
                + " before that ends; run the cycle outside of it");
      }
      UpdateGate.look();
      return request.done;
    }
    return true;
  }
}
