package dev.takt.stress.atomic;

import dev.takt.reflex.woven.AtomicCall;
import dev.takt.reflex.woven.AtomicGate;

/** What the weaver makes of a call of an atomic method from an ordinary thread. */
final class Guard {
  /** The body of an atomic method. */
  @FunctionalInterface
  interface Body {
    /** Runs it. */
    long run(AtomicCall call);
  }

  private Guard() {}

  static long call(AtomicGate gate, Body body) {
    AtomicCall call = gate.begin();
    if (call == null) {
      throw new IllegalStateException("inside a release");
    }
    while (true) {
      try {
        call.start();
        long result = body.run(call);
        if (call.commit()) {
          return result;
        }
      } catch (Throwable e) {
        call.failed(e);
      }
    }
  }
}
