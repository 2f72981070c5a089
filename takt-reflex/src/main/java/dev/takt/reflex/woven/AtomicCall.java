package dev.takt.reflex.woven;

import dev.takt.reflex.limit.AtomicCallRejected;
import dev.takt.reflex.limit.StableMemoryExhausted;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * A call of an atomic method by an ordinary thread; the protocol is in {@link AtomicGate}. The
 * weaver makes of an atomic method
 *
 * <pre>
 *   AtomicCall call = AtomicCall.begin(this);
 *   if (call == null) return body(arguments);              // as any other method
 *   while (true) {
 *     try {
 *       call.start();
 *       result = body$takt$atomic(arguments, call);        // all access through the call
 *       if (call.commit()) return result;
 *     } catch (Throwable thrown) {
 *       call.failed(thrown);                               // throws it, or returns to try again
 *     }
 *   }
 * </pre>
 *
 * <p>An exception that leaves the body ends the call without effect. An atomic method that the body
 * calls, of the same task, belongs to the call.
 *
 * <p><b>Fields.</b> The call sees its own writes first, then what earlier calls have committed,
 * then memory. Woven code reads memory itself, just before it calls a reading method with that
 * value; the method then checks that the value belongs to the snapshot of the call. Booleans,
 * bytes, shorts and characters go as integers. Elements of arrays: {@link AtomicArrays}.
 *
 * <p><b>Limits.</b> A call that waits for a release to end, or tries again and again because one
 * came between, gives up after the gate's time-out, counted from the first hindrance. Calls that
 * together change more places than the gate's limit wait for a release that takes them over.
 *
 * <p><b>Thread rule:</b> for the calling thread; each thread has one.
 */
public final class AtomicCall {
  private static final int SPINS = 200;
  private static final int YIELDS = 20;

  private static final ThreadLocal<AtomicCall> OF_THREAD = ThreadLocal.withInitial(AtomicCall::new);

  private static final ClassValue<Integer> SIZE_BYTES =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
          return Layout.sizeOf(type);
        }
      };

  private static final AtomicLog NONE = new AtomicLog();

  /** The gate of the task, set when a call begins. */
  private @Nullable AtomicGate target;

  /** What stands for the value of the task that this attempt sees. */
  private AtomicLog seen = NONE;

  /** What this attempt has written. */
  private final AtomicWriteSet own = new AtomicWriteSet();

  /** The arrays that this attempt has found, made or borrowed. */
  final AtomicArrays arrays = new AtomicArrays(this);

  /** Whether this attempt has learnt that it cannot commit. */
  private boolean isDoomed;

  /** Why this call cannot succeed. */
  private @Nullable RuntimeException rejection;

  /** Whether an attempt runs; what is called then belongs to it. */
  private boolean isRunning;

  /** How many atomic methods the running attempt is in, beyond the first. */
  private int depth;

  /** The size of the stable objects that this attempt has made. */
  private long madeBytes;

  /** The log that had no room for what this call wrote; it waits for another one. */
  private @Nullable AtomicLog full;

  private boolean hasDeadline;
  private long deadlineNs;
  private int pauses;
  private long aborts;
  private long waits;

  private AtomicCall() {}

  static AtomicCall ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Begins a call, or joins the one that the calling thread is in.
   *
   * @return the call; null if the method is to run as an ordinary one: the task is not registered,
   *     or this is its own release
   * @throws IllegalStateException in a release or in an atomic call of another task
   */
  public static @Nullable AtomicCall begin(Guarded task) {
    AtomicGate gate = task.$takt$gate();
    if (gate != null) {
      return gate.begin();
    }
    AtomicGate present = ofThread().gate();
    if (present != null) {
      throw AtomicGate.foreign("a task", "an atomic call of " + present.memory.task);
    }
    return null;
  }

  /** Returns the gate of the task that the thread calls, or null. */
  @Nullable AtomicGate gate() {
    return isRunning ? target : null;
  }

  private AtomicGate target() {
    AtomicGate target = this.target;
    if (target == null) {
      throw new IllegalStateException("no atomic call; begin() gives one to its own thread only");
    }
    return target;
  }

  void aimAt(AtomicGate gate) {
    if (!isRunning) {
      target = gate;
    }
  }

  /**
   * Begins an attempt, when no release runs.
   *
   * @throws AtomicCallRejected if the time is over
   */
  public void start() {
    if (isRunning) {
      depth++;
      return;
    }
    AtomicGate gate = target();
    AtomicLog log = gate.look();
    if (log == null || log == full) {
      log = await(gate);
    }
    full = null;
    reset();
    madeBytes = 0;
    depth = 0;
    seen = log;
    isRunning = true;
  }

  /** Forgets what the last attempt has seen and written. */
  private void reset() {
    seen = NONE;
    own.clear();
    arrays.reset();
    isDoomed = false;
  }

  private AtomicLog await(AtomicGate gate) {
    waits++;
    pauses = 0;
    AtomicLog log;
    do {
      pause(gate);
      log = gate.look();
    } while (log == null || log == full);
    return log;
  }

  private void pause(AtomicGate gate) {
    if (++pauses <= SPINS) {
      Thread.onSpinWait();
      return;
    }
    checkTime(gate);
    if (pauses <= SPINS + YIELDS) {
      Thread.yield();
    } else {
      gate.clock.parkNanos(AtomicGate.PARK_NS);
    }
  }

  private void checkTime(AtomicGate gate) {
    long nowNs = gate.clock.nanoTime();
    if (!hasDeadline) {
      hasDeadline = true;
      deadlineNs = nowNs + gate.timeoutNs;
    } else if (nowNs - deadlineNs >= 0) {
      String message = timeoutMessage(gate);
      gate.count(AtomicGate.REJECTED, 1);
      end(gate);
      throw new AtomicCallRejected(AtomicCallRejected.Reason.TIMEOUT, message);
    }
  }

  private String timeoutMessage(AtomicGate gate) {
    String what = "atomic call of task " + gate.memory.task + ": no success in atomicTimeoutNs=";
    String tries = gate.timeoutNs + ", aborts=" + aborts + ", waits=" + waits;
    String why =
        full != null
            ? "; its writes and those of earlier calls are more than maxAtomicEntries="
                + gate.maxEntries
                + " and no release takes them over; release the task more often, or raise"
                + " RuntimeSettings.maxAtomicEntries"
            : "; the task leaves it too little time between its releases; make the method shorter"
                + " or the period longer, or raise RuntimeSettings.atomicTimeoutNs";
    return what + tries + why;
  }

  /**
   * Ends an attempt: makes what it wrote the task's, all at once.
   *
   * @return false if the task has changed meanwhile, or there is no room: start again
   * @throws StableMemoryExhausted if the objects that the call made do not fit into the task
   * @throws AtomicCallRejected if the call writes too much
   */
  public boolean commit() {
    if (depth > 0) {
      depth--;
      return true;
    }
    AtomicGate gate = target();
    try {
      if (!isDoomed && publish(gate)) {
        arrays.borrowed.apply();
        gate.count(AtomicGate.COMMITS, 1);
        end(gate);
        return true;
      }
    } catch (Throwable e) {
      failed(e);
      return false;
    }
    abort(gate);
    return false;
  }

  private boolean publish(AtomicGate gate) {
    if (rejection != null) {
      throw rejection;
    }
    if (own.isTorn() || arrays.borrowed.isTorn()) {
      throw new IllegalStateException(
          "atomic call of task %s: the stack or the heap was full while it wrote; do not catch that error"
              .formatted(gate.memory.task));
    }
    if (own.size() == 0) {
      // It took place when it began; what it made cannot be reached.
      return true;
    }
    if (madeBytes != 0) {
      checkStableSize(gate);
    }
    AtomicLog next = seen.with(own, madeBytes, gate.maxEntries);
    if (next == null) {
      full = seen;
      return false;
    }
    return gate.replace(seen, next);
  }

  private void checkStableSize(AtomicGate gate) {
    long usedBytes = gate.memory.stable.usedBytes() + seen.madeBytes;
    long limitBytes = gate.memory.stableLimit;
    if (usedBytes + madeBytes > limitBytes) {
      check();
      throw new StableMemoryExhausted(
          ("task %s: stable memory exhausted by an atomic call: asked=%s bytes, "
                  + "used=%s, limit=%s; raise the task's stableSizeBytes, or make fewer objects")
              .formatted(gate.memory.task, madeBytes, usedBytes, limitBytes));
    }
  }

  private void abort(AtomicGate gate) {
    isRunning = false;
    aborts++;
    reset();
    if (hasDeadline || aborts > 1) {
      checkTime(gate);
    }
  }

  /**
   * An attempt has thrown something: throws it, unless the attempt was in vain; then it is to start
   * again.
   */
  public void failed(Throwable thrown) {
    if (!isRunning) {
      AtomicGate aimed = target;
      if (aimed != null) {
        // The attempt has not come to its beginning: the heap or the stack was full.
        end(aimed);
      }
      throw AtomicCall.<RuntimeException>sneak(thrown);
    }
    if (depth > 0) {
      depth--;
      throw AtomicCall.<RuntimeException>sneak(thrown);
    }
    AtomicGate gate = target();
    if (isDoomed) {
      abort(gate);
      return;
    }
    RuntimeException rejection = this.rejection;
    if (rejection != null) {
      gate.count(AtomicGate.REJECTED, 1);
    }
    end(gate);
    throw AtomicCall.<RuntimeException>sneak(rejection == null ? thrown : rejection);
  }

  /** Lets any exception through: the body may throw what its method declares. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private void end(AtomicGate gate) {
    isRunning = false;
    gate.count(AtomicGate.CALLS, 1);
    gate.count(AtomicGate.ABORTS, aborts);
    gate.count(AtomicGate.WAITS, waits);
    aborts = 0;
    waits = 0;
    hasDeadline = false;
    full = null;
    rejection = null;
    target = null;
    reset();
  }

  /**
   * The call has made a stable object, or an array that one keeps: it counts when the call commits.
   */
  public void made(Object object) {
    Class<?> type = object.getClass();
    if (type.isArray()) {
      madeBytes += Layout.arraySize(type.getComponentType(), Array.getLength(object));
      arrays.fresh(object);
    } else {
      madeBytes += SIZE_BYTES.get(type);
    }
  }

  /** The array was made by this attempt. */
  public Object fresh(Object array) {
    return arrays.fresh(array);
  }

  // ---- the fields of stable objects

  /** What was read from memory before belongs to the snapshot, or the call starts again. */
  private void check() {
    if (isDoomed || !target().isStill(seen)) {
      isDoomed = true;
      throw AtomicRetry.INSTANCE;
    }
  }

  /** Returns a primitive; see {@link AtomicWriteSet} for the coding. */
  long read(Object owner, int field, long memory) {
    int place = own.find(owner, field);
    if (place >= 0) {
      return own.bits(place);
    }
    AtomicWriteSet committed = seen.cells;
    place = committed.find(owner, field);
    if (place >= 0) {
      return committed.bits(place);
    }
    check();
    return memory;
  }

  @Nullable Object readReference(Object owner, int field, @Nullable Object memory) {
    int place = own.find(owner, field);
    if (place >= 0) {
      return own.reference(place);
    }
    AtomicWriteSet committed = seen.cells;
    place = committed.find(owner, field);
    if (place >= 0) {
      return committed.reference(place);
    }
    check();
    return memory;
  }

  void write(Object owner, int field, long bits, @Nullable Object reference) {
    own.put(owner, field, bits, reference);
    int limit = target().maxEntries;
    if (own.size() > limit) {
      rejection =
          new AtomicCallRejected(
              AtomicCallRejected.Reason.TOO_LARGE,
              ("atomic call of task %s: writes to more than maxAtomicEntries=%s places; "
                      + "make it smaller, or raise RuntimeSettings.maxAtomicEntries")
                  .formatted(target().memory.task, limit));
      throw rejection;
    }
  }

  /** Reads an int, short, character, byte or boolean. */
  public int readInt(Object owner, int field, int memory) {
    return (int) read(owner, field, memory);
  }

  /** Reads a long. */
  public long readLong(Object owner, int field, long memory) {
    return read(owner, field, memory);
  }

  /** Reads a float. */
  public float readFloat(Object owner, int field, float memory) {
    return Float.intBitsToFloat((int) read(owner, field, Float.floatToRawIntBits(memory)));
  }

  /** Reads a double. */
  public double readDouble(Object owner, int field, double memory) {
    return Double.longBitsToDouble(read(owner, field, Double.doubleToRawLongBits(memory)));
  }

  /** Reads a reference. */
  public @Nullable Object readRef(Object owner, int field, @Nullable Object memory) {
    return arrays.found(readReference(owner, field, memory));
  }

  /** Writes an int, short, character, byte or boolean. */
  public void writeInt(Object owner, int field, int value) {
    write(owner, field, value, null);
  }

  /** Writes a long. */
  public void writeLong(Object owner, int field, long value) {
    write(owner, field, value, null);
  }

  /** Writes a float. */
  public void writeFloat(Object owner, int field, float value) {
    write(owner, field, Float.floatToRawIntBits(value), null);
  }

  /** Writes a double. */
  public void writeDouble(Object owner, int field, double value) {
    write(owner, field, Double.doubleToRawLongBits(value), null);
  }

  /** Writes a reference. */
  public void writeRef(Object owner, int field, @Nullable Object value) {
    write(owner, field, 0, value);
  }
}
