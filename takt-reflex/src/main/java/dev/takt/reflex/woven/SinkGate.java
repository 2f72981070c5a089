package dev.takt.reflex.woven;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where a persistence cycle meets the releases of one task: the cycle begins between two of them,
 * and neither side ever waits for the other.
 *
 * <pre>
 *   release:  busy = true; full fence; asked is new?  attach its sink, asked.cycle = number
 *             attempts...; busy = false
 *   cycle:    asked = new Request(sink); full fence
 *             has begun: asked.cycle != 0, or not busy
 * </pre>
 *
 * <p><b>Why that is a cut.</b> Of the two fences one comes first. If that of the release does, the
 * cycle sees {@code busy} until the release has ended, unless the release has attached the sink, in
 * which case it did so before its first change. If that of the cycle does, the release attaches the
 * sink before its first change. So when the cycle has seen that it has begun, all changes since one
 * moment between two releases go through the sink first, and none that was made before is missing
 * from what the cycle reads.
 *
 * <p>A task that is not released for long, or never again, does not delay a cycle: not being busy
 * is enough.
 *
 * <p><b>Cost:</b> a fence for each release, some nanoseconds.
 *
 * <p><b>Thread rule:</b> {@link #enter} and {@link #exit} for the thread that runs the release; all
 * else for one thread at a time, the one of the cycle.
 */
public final class SinkGate implements CycleGate {
  private static final VarHandle BUSY =
      Fields.handle(MethodHandles.lookup(), SinkGate.class, "busy", boolean.class);

  /** A wish of the cycle, and the number under which it was fulfilled. */
  private static final class Request {
    private final @Nullable SaveSink sink;

    /** 0 until the task's thread has attached the sink. */
    private volatile long cycle;

    Request(@Nullable SaveSink sink) {
      this.sink = sink;
    }
  }

  private final TaskMemory memory;

  /** Set through {@link #BUSY}. */
  private volatile boolean busy;

  private volatile Request asked = new Request(null);

  /**
   * The wish for no sink that ends the cycle; made when it begins, so that its end makes nothing.
   */
  private Request end = asked;

  /** The request that was fulfilled last; for the thread that runs the release. */
  private Request attached = asked;

  SinkGate(TaskMemory memory) {
    this.memory = memory;
  }

  /** A release begins; before it takes over what atomic calls have left. */
  public void enter() {
    BUSY.setOpaque(this, true);
    VarHandle.fullFence();
    Request request = asked;
    if (request != attached) {
      attach(request);
    }
  }

  private void attach(Request request) {
    long cycle = memory.sink(request.sink);
    attached = request;
    if (request.sink != null) {
      request.sink.begins(cycle);
    }
    request.cycle = cycle;
  }

  /** The release has ended, and what it did is final or undone. */
  public void exit() {
    BUSY.setRelease(this, false);
  }

  /**
   * {@inheritDoc} The next release that begins attaches it, which may be much later than the cycle
   * has {@linkplain #hasBegun begun}.
   */
  @Override
  public void ask(@Nullable SaveSink sink) {
    if (sink != null) {
      replace(null, sink);
    } else {
      asked = end;
      VarHandle.fullFence();
    }
  }

  @Override
  public void replace(@Nullable SaveSink before, SaveSink sink) {
    if (asked.sink != before) {
      throw new IllegalStateException(
          "task " + memory.task + ": a cycle goes on already; begin the next one after it");
    }
    end = new Request(null);
    asked = new Request(sink);
    VarHandle.fullFence();
  }

  @Override
  public boolean hasBegun() {
    return asked.cycle != 0 || !busy;
  }
}
