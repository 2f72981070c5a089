package dev.takt.reflex;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one launch, with the context of each: made together, started together.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class LaunchedThreads {
  private final ReflexRuntime runtime;

  /** The thread at some place uses, and closes, the context at the same place. */
  final List<RuntimeThread> threads = new ArrayList<>();

  private final List<ReleaseContext> contexts = new ArrayList<>();
  private int started;

  LaunchedThreads(ReflexRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * Makes a thread for each active task, and the workers.
   *
   * @param pool whose workers to make; null: none
   */
  void make(List<? extends TaskRunner> fresh, @Nullable WorkerPool pool) {
    List<ActiveRunner> actives = new ArrayList<>();
    for (TaskRunner runner : fresh) {
      if (runner instanceof ActiveRunner active) {
        newContext().prepare(active.state);
        actives.add(active);
        threads.add(active.newThread());
      }
    }
    if (pool != null) {
      ReleaseContext[] forWorkers = new ReleaseContext[pool.workers()];
      for (int i = 0; i < forWorkers.length; i++) {
        forWorkers[i] = newContext();
        pool.prepare(forWorkers[i]);
      }
      threads.addAll(List.of(pool.makeWorkers(forWorkers)));
    }
    // Preparing takes long: time begins after it, or the first releases would be late.
    runtime.machine.claim();
    long startNs = runtime.nanoTime();
    for (int i = 0; i < actives.size(); i++) {
      actives.get(i).prepare(contexts.get(i), startNs);
    }
  }

  private ReleaseContext newContext() {
    ReleaseContext context = new ReleaseContext(runtime.space(), runtime.settings());
    contexts.add(context);
    return context;
  }

  /** Starts all threads; if one cannot be started, those after it are not either. */
  void start() {
    for (RuntimeThread thread : threads) {
      thread.start();
      started++;
    }
  }

  /** Closes the contexts of the threads that were not started, and returns these threads. */
  List<RuntimeThread> dismiss() {
    contexts.subList(started, contexts.size()).forEach(ReleaseContext::close);
    return threads.subList(Math.min(started, threads.size()), threads.size());
  }

  /** Waits until each thread has asked for its scheduling; all have been started. */
  void awaitEnlisted() {
    threads.forEach(RuntimeThread::awaitEnlisted);
  }
}
