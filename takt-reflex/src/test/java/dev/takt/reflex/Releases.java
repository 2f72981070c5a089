package dev.takt.reflex;

import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.TaskThread;
import dev.takt.reflex.woven.TransientArea;
import dev.takt.space.EventPool;
import java.util.function.Consumer;

/** Runs code as a release would, without a runtime. */
public final class Releases {
  private Releases() {}

  /** Something that may throw. */
  public interface Body {
    void run(TaskMemory memory) throws Exception;
  }

  /** Runs on a thread that has entered the memory; rethrows what is thrown. */
  public static void run(TaskMemory memory, Body body) {
    run(memory, new TransientArea(), body);
  }

  /** Runs on a thread that has entered the memory with an area. */
  public static void run(TaskMemory memory, TransientArea area, Body body) {
    Throwable[] failure = new Throwable[1];
    TaskThread thread =
        new TaskThread(
            () -> {
              memory.enter(area, new EventPool(8));
              try {
                body.run(memory);
              } catch (Throwable e) {
                failure[0] = e;
              } finally {
                memory.exit();
              }
            },
            "release");
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    switch (failure[0]) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure[0]);
    }
  }

  /** Runs one attempt and undoes it. */
  public static void undone(TaskMemory memory, Consumer<TaskMemory> body) {
    memory.begin();
    try {
      body.accept(memory);
    } finally {
      memory.undo();
    }
  }
}
