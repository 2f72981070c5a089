package dev.takt.cli.doctor;

import dev.takt.realtime.internal.Await;

/** Threads of the doctor's own: what they ask of the system ends with them. */
final class Threads {
  private Threads() {}

  static Thread start(String name, Runnable work) {
    return Thread.ofPlatform().daemon().name(name).start(work);
  }

  /** Runs something on a thread of its own; an error of it is thrown here. */
  static void runAndWait(String name, Runnable work) {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        start(
            name,
            () -> {
              try {
                work.run();
              } catch (RuntimeException | Error e) {
                failure[0] = e;
              }
            });
    Await.uninterruptibly(thread::join);
    if (failure[0] != null) {
      throw new IllegalStateException(name + " failed: " + failure[0], failure[0]);
    }
  }
}
