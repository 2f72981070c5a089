package dev.takt.stress.atomic;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import java.lang.reflect.Field;

/** Gates of tasks that have no runtime, so that a test runs nothing but calls and releases. */
final class Gates {
  private static final long TIMEOUT_NS = 60_000_000_000L;
  private static final Field GATE;

  static {
    try {
      GATE = ReflexTask.class.getDeclaredField("gate");
      GATE.setAccessible(true);
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Gates() {}

  /** Gives a task a gate; returns it. */
  static AtomicGate bind(ReflexTask task) {
    TaskMemory memory = new TaskMemory("task", 0, 1L << 40);
    AtomicGate gate = new AtomicGate(memory, NanoClock.system(), 1_024, TIMEOUT_NS);
    try {
      GATE.set(task, gate);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    return gate;
  }
}
