package dev.takt.bench.pace;

import com.sun.management.ThreadMXBean;
import dev.takt.bench.measure.ChildRun;
import dev.takt.bench.measure.Measurement;
import dev.takt.realtime.NanoClock;
import dev.takt.reflex.woven.AtomicCall;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * How long a release is held up at its beginning by what atomic calls have changed: it stores them,
 * O(n). Arguments: in how many places, and how many releases count. The calls come from another
 * thread, so the release finds nothing in its caches.
 */
public final class ApplyRun implements ChildRun.Body {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ELEMENTS_A_CALL = 100;

  /** A field as the weaver leaves it. */
  private static final class Cell implements Undoable {
    long value;

    @Override
    public void $takt$save(TaskMemory memory) {
      throw new UnsupportedOperationException("no attempt runs here");
    }

    @Override
    public long $takt$stamp() {
      return 0;
    }

    @Override
    public void $takt$restore(TaskMemory memory) {
      throw new UnsupportedOperationException("no attempt runs here");
    }

    @Override
    public void $takt$apply(int field, long bits, Object reference) {
      value = bits;
    }
  }

  private Cell[] cells;
  private long[] elements;
  private AtomicGate gate;
  private volatile int turn;
  private volatile boolean stopped;

  /** For {@link ChildRun}. */
  public ApplyRun() {}

  @Override
  public Measurement run(List<String> arguments) throws InterruptedException {
    int places = Integer.parseInt(arguments.get(0));
    int releases = Integer.parseInt(arguments.get(1));
    prepare(places);
    Thread caller = Thread.ofPlatform().daemon().start(this::callAgainAndAgain);
    Histogram applyNs = Measurement.histogram();
    long fromBytes = 0;
    for (int i = 1; i <= 2 * releases; i++) {
      if (i == releases + 1) {
        fromBytes = THREADS.getCurrentThreadAllocatedBytes();
      }
      turn = i;
      while (turn == i) {
        Thread.yield();
      }
      long fromNs = System.nanoTime();
      gate.enter();
      long toNs = System.nanoTime();
      gate.exit();
      check(-i);
      if (i > releases) {
        applyNs.recordValue(toNs - fromNs);
      }
    }
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - fromBytes;
    stopped = true;
    caller.join();
    return new Measurement(applyNs, 1, bytes / (double) releases);
  }

  /** Half of the places are fields, half of them elements of an array. */
  private void prepare(int places) {
    cells = new Cell[(places + 1) / 2];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new Cell();
    }
    elements = new long[places / 2];
    gate = new AtomicGate(new TaskMemory("apply", 0, 0), NanoClock.system(), places, 1_000_000_000);
  }

  private void check(long expected) {
    for (Cell cell : cells) {
      if (cell.value != expected) {
        throw new IllegalStateException("a field is " + cell.value + ", not " + expected);
      }
    }
    for (long element : elements) {
      if (element != expected) {
        throw new IllegalStateException("an element is " + element + ", not " + expected);
      }
    }
  }

  private void callAgainAndAgain() {
    while (!stopped) {
      int turn = this.turn;
      if (turn > 0) {
        for (int from = 0; from < cells.length; from += ELEMENTS_A_CALL) {
          call(from, Math.min(cells.length, from + ELEMENTS_A_CALL), -turn);
        }
        this.turn = 0;
      } else {
        Thread.yield();
      }
    }
  }

  /** As the weaver writes it. */
  private void call(int from, int to, long value) {
    AtomicCall call = gate.begin();
    while (true) {
      try {
        call.start();
        long[] array = (long[]) call.readRef(this, 0, elements);
        for (int i = from; i < to; i++) {
          call.writeLong(cells[i], 0, value);
          if (i < array.length) {
            call.storeLong(array, i, value);
          }
        }
        if (call.commit()) {
          return;
        }
      } catch (Throwable e) {
        call.failed(e);
      }
    }
  }
}
