package dev.takt.reflex.woven;

import dev.takt.realtime.internal.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the updates of plain threads and the begin of a persistence cycle apart: a cut is made at a
 * moment when no thread is in an update, so what is stored is the graph at one moment, however many
 * threads change it.
 *
 * <pre>
 *   thread:  find its slot; busy = true; full fence; closed?  wait until it is open
 *            ...stores...
 *            busy = false (release); is a cut wanted?  make it, if nobody is busy
 *   cycle:   closed = true; full fence; make the cut, if nobody is busy, and open; look again later
 * </pre>
 *
 * <p><b>Why that is one moment.</b> Of the fences of a thread and of the cycle one comes first. If
 * that of the thread does, the cycle sees that it is busy and makes no cut. Otherwise the thread
 * sees that the gate is closed, or open again after the cut, and then it sees what the cut has
 * written, too. So no thread is in an update at the cut. All of an update is in memory for who has
 * seen that its thread is not busy.
 *
 * <p><b>Why nobody waits for ever.</b> A thread that comes to a closed gate may hold a lock for
 * which another one waits inside of its update. So a gate is closed for {@value #MAX_WAIT_NS} ns at
 * most while somebody waits; then it opens, the cut stays wanted, and the cycle looks again. While
 * one update goes on for long, the gate is closed ever more rarely: in one of 2, 4, ... {@value
 * #MAX_PASSES} looks; in the others it is closed for as long as it takes to see who is busy.
 *
 * <p><b>Cost:</b> a fence, and finding the slot in a table of {@value #QUICK_SLOTS} by the thread's
 * number, for each update: two to three nanoseconds. A thread whose place there another one has
 * finds its slot by a thread-local, which takes two more. An update inside of an update costs the
 * look into the table alone. Threads share nothing that is written: the slots of two are never in
 * one cache line, and a place of the table is written once for each thread.
 *
 * <p><b>Why the fence stays.</b> A thread must have shown that it is busy before it looks at the
 * gate: a store before a load, which no other means of Java orders. A cycle could pay for all
 * threads, by a call of the kernel ({@code membarrier}) or by stopping each for a moment; an update
 * would cost a nanosecond less. Why that is not done is in {@code
 * docs/decisions/0006-fence-of-updates.md}.
 *
 * <p><b>Thread rule:</b> any thread; {@link #exit} by the thread that has entered. A thread that
 * has ended is in no update.
 *
 * <p><b>Memory:</b> about 250 bytes for each thread that has updated, until it is seen to have
 * ended; the table, 1 KB.
 */
public final class UpdateGate {
  /** For how long a thread that begins an update waits for a cut at most, in nanoseconds. */
  public static final long MAX_WAIT_NS = 1_000_000;

  /** How many looks pass at most in which the gate is closed only for a moment. */
  static final int MAX_PASSES = 256;

  private static final int SLOTS_TO_PRUNE = 64;

  /** A power of two. */
  private static final int QUICK_SLOTS = 256;

  /** What one thread does; woven code hands it from the entrance of an update to its exit. */
  public static final class Slot extends SlotPadding {
    private final Thread thread;

    /** How many updates it is in, one inside of the other. */
    private int depth;

    /** Accessed through {@link #BUSY}. */
    @SuppressWarnings("UnusedVariable")
    private boolean busy;

    private Slot(Thread thread) {
      this.thread = thread;
    }
  }

  /** Is as long as two cache lines, as they are fetched. */
  private static class SlotPadding {
    long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
  }

  private static final VarHandle BUSY =
      Fields.handle(MethodHandles.lookup(), Slot.class, "busy", boolean.class);
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Condition OPENED = LOCK.newCondition();

  /** Guarded by {@link #LOCK}, as all that follows. */
  private static final List<Slot> SLOTS = new ArrayList<>();

  private static final List<Runnable> WANTED = new ArrayList<>();
  private static int slotsToPrune = SLOTS_TO_PRUNE;

  /** How many looks pass after the gate was closed in vain; doubled each time. */
  private static int passes = 1;

  private static int passesLeft;

  /** Whether threads that begin an update wait; written under the lock. */
  private static volatile boolean closed;

  /** Whether there is a cut to make; written under the lock. */
  private static volatile boolean wanted;

  private static final ThreadLocal<Slot> SLOT = ThreadLocal.withInitial(UpdateGate::newSlot);

  /**
   * Slots by the low bits of their threads' numbers: looked at before {@link #SLOT}, which takes
   * longer. Read and written in a race: a thread takes a slot from here only if it is the one in
   * the slot's final field, and there is one such slot.
   */
  private static final @Nullable Slot[] QUICK = new @Nullable Slot[QUICK_SLOTS];

  private UpdateGate() {}

  private static Slot slot() {
    Thread thread = Thread.currentThread();
    Slot slot = QUICK[place(thread)];
    return slot != null && slot.thread == thread ? slot : find(thread);
  }

  static int place(Thread thread) {
    return (int) thread.threadId() & QUICK_SLOTS - 1;
  }

  /** A place belongs to one thread until that has ended: if two took turns, each would write it. */
  private static Slot find(Thread thread) {
    Slot slot = SLOT.get();
    Slot other = QUICK[place(thread)];
    if (other == null || !other.thread.isAlive()) {
      QUICK[place(thread)] = slot;
    }
    return slot;
  }

  private static Slot newSlot() {
    Slot slot = new Slot(Thread.currentThread());
    LOCK.lock();
    try {
      if (SLOTS.size() >= slotsToPrune) {
        prune();
      }
      SLOTS.add(slot);
    } finally {
      LOCK.unlock();
    }
    return slot;
  }

  private static void prune() {
    SLOTS.removeIf(each -> !each.thread.isAlive());
    for (int i = 0; i < QUICK_SLOTS; i++) {
      Slot slot = QUICK[i];
      if (slot != null && !slot.thread.isAlive()) {
        QUICK[i] = null;
      }
    }
    slotsToPrune = Math.max(SLOTS_TO_PRUNE, 2 * SLOTS.size());
  }

  // ---- for woven code

  /**
   * The calling thread begins an update.
   *
   * @return what is to be handed to {@link #exit}
   */
  public static Slot enter() {
    Slot slot = slot();
    if (slot.depth == 0) {
      BUSY.setOpaque(slot, true);
      VarHandle.fullFence();
      if (closed) {
        await(slot);
      }
    }
    slot.depth++;
    return slot;
  }

  /**
   * The calling thread ends the update that it began last.
   *
   * @param slot what {@link #enter} has returned
   */
  public static void exit(Slot slot) {
    if (slot.depth == 0) {
      throw new IllegalStateException("the thread is in no update; enter one before");
    }
    if (--slot.depth == 0) {
      BUSY.setRelease(slot, false);
      // Not ordered with the store before: if both sides miss each other, the next look finds it.
      if (wanted) {
        LOCK.lock();
        try {
          tryCut();
        } finally {
          LOCK.unlock();
        }
      }
    }
  }

  /** Returns whether the calling thread is in an update. */
  static boolean isEntered() {
    return slot().depth > 0;
  }

  /** The gate was closed: waits until it is open, and is busy then. */
  private static void await(Slot slot) {
    boolean interrupted = false;
    BUSY.setVolatile(slot, false);
    LOCK.lock();
    try {
      tryCut();
      long leftNs = MAX_WAIT_NS;
      while (closed && leftNs > 0 && !interrupted) {
        try {
          leftNs = OPENED.awaitNanos(leftNs);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (closed) {
        passesLeft = passes;
        passes = Math.min(2 * passes, MAX_PASSES);
        open();
      }
      // Under the lock: who wants a cut from now on sees it.
      BUSY.setVolatile(slot, true);
    } finally {
      LOCK.unlock();
      if (interrupted) {
        slot.thread.interrupt();
      }
    }
  }

  // ---- for the cycle

  /** Makes a cut as soon as no thread is in an update: now, or when the last one leaves. */
  static void cut(Runnable cut) {
    LOCK.lock();
    try {
      WANTED.add(cut);
      wanted = true;
      look();
    } finally {
      LOCK.unlock();
    }
  }

  /** Takes a cut back that was not made. */
  static void forget(Runnable cut) {
    LOCK.lock();
    try {
      WANTED.remove(cut);
      if (WANTED.isEmpty()) {
        settle();
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** Looks again whether the cuts that are wanted can be made. */
  static void look() {
    LOCK.lock();
    try {
      if (wanted) {
        prune(); // or a thread that has ended in an update would stay busy
        closed = true;
        VarHandle.fullFence();
        tryCut();
        if (closed && passesLeft > 0) {
          passesLeft--;
          open();
        }
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** With the gate open, a thread that is not busy yet may have looked at it before. */
  private static void tryCut() {
    if (!wanted || !closed) {
      return;
    }
    for (int i = 0; i < SLOTS.size(); i++) {
      if ((boolean) BUSY.getVolatile(SLOTS.get(i))) {
        return;
      }
    }
    WANTED.forEach(Runnable::run);
    WANTED.clear();
    settle();
  }

  private static void settle() {
    wanted = false;
    passes = 1;
    passesLeft = 0;
    open();
  }

  private static void open() {
    closed = false;
    OPENED.signalAll();
  }
}
