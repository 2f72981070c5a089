package dev.takt.stress.atomic;

import dev.takt.stress.Switches;
import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.SharedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs random rounds on virtual threads that share one carrier and change at random accesses to
 * shared memory: a seed decides every interleaving.
 */
final class AtomicHistories {
  /** Far beyond what a round needs: more mean that nobody gets on. */
  private static final long MAX_ACCESSES = 2_000_000;

  /** Loaded with the gate, because they know its class. */
  private static final List<Class<?>> OURS =
      List.of(TaskAccount.class, AccountTask.class, Node.class, Steps.class, Gates.class);

  private AtomicHistories() {}

  /** Returns a loader of the gate, with hooks, and perhaps a fault. */
  static FaultLoader loader(FaultLoader.Fault fault) {
    return new FaultLoader(
        name ->
            name.startsWith("dev.takt.reflex.")
                || OURS.stream().map(Class::getName).anyMatch(name::equals),
        true,
        fault);
  }

  static Account account(FaultLoader loader) {
    return loader.newInstance(TaskAccount.class.getName(), Account.class);
  }

  /** Returns what is wrong with the first wrong round, with its seed, or null. */
  static String violation(FaultLoader loader, long seed, int rounds) {
    String[] violation = new String[1];
    Throwable[] failure = new Throwable[1];
    try {
      Thread root =
          Thread.ofVirtual()
              .unstarted(
                  () -> {
                    for (int i = 0; i < rounds && violation[0] == null; i++) {
                      String found = round(account(loader), new SplittableRandom(seed + i));
                      violation[0] = found == null ? null : "seed " + (seed + i) + ": " + found;
                    }
                  });
      root.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
      root.start();
      root.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      SharedAccess.setHook(null);
    }
    if (failure[0] != null) {
      throw new AssertionError("the rounds from seed " + seed + " on broke off", failure[0]);
    }
    return violation[0];
  }

  private static String round(Account account, SplittableRandom random) {
    AtomicRound round =
        new AtomicRound(account, 1 + random.nextInt(3), 1 + random.nextInt(8), random.split());
    Throwable[] failure = new Throwable[1];
    List<Thread> threads = new ArrayList<>();
    for (AtomicRound.Actor actor : round.actors()) {
      threads.add(
          Thread.ofVirtual()
              .uncaughtExceptionHandler((thread, e) -> failure[0] = e)
              .unstarted(actor));
    }
    SharedAccess.setHook(new Switches(random.split(), MAX_ACCESSES));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    SharedAccess.setHook(null);
    return failure[0] == null ? round.violation() : "failed: " + failure[0];
  }
}
