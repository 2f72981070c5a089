package dev.takt.reflex.woven;

import dev.takt.realtime.NanoClock;
import dev.takt.space.Stable;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** A stable object, and atomic calls that use the methods of {@link AtomicCall} one by one. */
final class Ledger implements Stable {
  // Its fields by the numbers that the weaver gives them: of a class below Object.
  private static final int CLASS = 1 << 16;
  static final int NUMBER = CLASS | 0;
  static final int SUM = CLASS | 1;
  static final int NEXT = CLASS | 2;
  static final int VALUES = CLASS | 3;
  static final int RATE = CLASS | 4;
  static final int LEVEL = CLASS | 5;
  static final int FLAG = CLASS | 6;

  int number;
  long sum;
  Ledger next;
  int[] values = new int[8];
  double rate;
  float level;
  boolean flag;

  static AtomicGate gate(int maxEntries, NanoClock clock) {
    return gate(new TaskMemory("ledger", 1_024, 1_024), maxEntries, clock);
  }

  static AtomicGate gate(TaskMemory memory, int maxEntries, NanoClock clock) {
    return new AtomicGate(memory, clock, maxEntries, 1_000_000_000);
  }

  /** What the weaver makes of a call of an atomic method. */
  static <T> T guarded(AtomicGate gate, Function<AtomicCall, T> atomic, Callable<T> body)
      throws Exception {
    AtomicCall call = gate.begin();
    if (call == null) {
      return body.call();
    }
    while (true) {
      try {
        call.start();
        T result = atomic.apply(call);
        if (call.commit()) {
          return result;
        }
      } catch (Throwable e) {
        call.failed(e);
      }
    }
  }

  static <T> T call(AtomicGate gate, Function<AtomicCall, T> atomic) {
    try {
      return guarded(gate, atomic, () -> atomic.apply(null));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  int getNumber(AtomicCall call) {
    return call.readInt(this, NUMBER, number);
  }

  void setNumber(int value, AtomicCall call) {
    call.writeInt(this, NUMBER, value);
  }

  long getSum(AtomicCall call) {
    return call.readLong(this, SUM, sum);
  }

  void setSum(long value, AtomicCall call) {
    call.writeLong(this, SUM, value);
  }

  Ledger getNext(AtomicCall call) {
    return (Ledger) call.readRef(this, NEXT, next);
  }

  void setNext(Ledger value, AtomicCall call) {
    call.writeRef(this, NEXT, value);
  }

  int[] getValues(AtomicCall call) {
    return (int[]) call.readRef(this, VALUES, values);
  }

  double getRate(AtomicCall call) {
    return call.readDouble(this, RATE, rate);
  }

  void setRate(double value, AtomicCall call) {
    call.writeDouble(this, RATE, value);
  }

  float getLevel(AtomicCall call) {
    return call.readFloat(this, LEVEL, level);
  }

  void setLevel(float value, AtomicCall call) {
    call.writeFloat(this, LEVEL, value);
  }

  boolean getFlag(AtomicCall call) {
    return call.readInt(this, FLAG, flag ? 1 : 0) != 0;
  }

  void setFlag(boolean value, AtomicCall call) {
    call.writeInt(this, FLAG, value ? 1 : 0);
  }
}
