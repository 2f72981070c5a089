package dev.takt.reflex;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Looks for subscriptions that never matched although events come near them: a key or a type that
 * was mistyped is no error, it only matches nothing.
 */
final class Unmatched {
  /** After so long a subscription that is right has most likely matched. */
  private static final long DELAY_MS = 10_000;

  private Unmatched() {}

  /** Looks once, some time after the start, if the runtime is still there and not stopped. */
  static void lookLater(ReflexRuntime runtime) {
    lookLater(runtime, DELAY_MS);
  }

  static void lookLater(ReflexRuntime runtime, long delayMs) {
    WeakReference<ReflexRuntime> there = new WeakReference<>(runtime);
    CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              ReflexRuntime running = there.get();
              if (running != null && !running.isStopped()) {
                look(running);
              }
            });
  }

  /** Logs each subscription that never matched and that events come near; any thread. */
  static void look(ReflexRuntime runtime) {
    for (TaskControl task : runtime.tasks()) {
      ((TaskRunner) task).subscriptions.logUnmatched();
    }
  }
}
