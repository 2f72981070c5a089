package dev.takt.stress.atomic;

import dev.takt.stress.atomic.SerialAccount.Deed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Some threads that call an account, and one that runs its releases. */
final class AtomicRound {
  /** One of the threads. */
  static final class Actor implements Runnable {
    private final Account account;
    private final boolean isTask;
    private final int deeds;
    private final SplittableRandom random;
    private final List<Deed> done = new ArrayList<>();

    Actor(Account account, boolean isTask, int deeds, SplittableRandom random) {
      this.account = account;
      this.isTask = isTask;
      this.deeds = deeds;
      this.random = random;
    }

    @Override
    public void run() {
      for (int i = 0; i < deeds; i++) {
        int input = random.nextInt(1_000);
        boolean isPlain = random.nextInt(3) != 0;
        if (isTask) {
          done.add(
              isPlain
                  ? new Deed(true, input, account.release(input))
                  : new Deed(false, 0, account.abortedRelease(input)));
        } else if (isPlain) {
          done.add(new Deed(true, input, account.step(input)));
        } else if (random.nextBoolean()) {
          done.add(new Deed(false, 0, account.look()));
        } else if (!account.failedStep(input)) {
          throw new AssertionError("an exception was lost");
        }
      }
    }

    List<Deed> done() {
      return done;
    }
  }

  private final Account account;
  private final List<Actor> actors = new ArrayList<>();

  /**
   * Prepares a round.
   *
   * @param callers how many threads call
   * @param deeds how much each thread does
   */
  AtomicRound(Account account, int callers, int deeds, SplittableRandom random) {
    this.account = account;
    for (int i = 0; i <= callers; i++) {
      actors.add(new Actor(account, i == 0, deeds, random.split()));
    }
  }

  List<Actor> actors() {
    return actors;
  }

  /** Returns what is wrong with what was done, or null. */
  String violation() {
    List<List<Deed>> threads = new ArrayList<>();
    int steps = 0;
    for (Actor actor : actors) {
      threads.add(actor.done());
      steps += (int) actor.done().stream().filter(Deed::isStep).count();
    }
    Account.Seen end = account.look();
    threads.add(List.of(new Deed(false, 0, end), new Deed(false, 0, account.abortedRelease(1))));
    if (end.number() != steps) {
      return steps + " steps were made, but the account knows of " + end.number();
    }
    return SerialAccount.violation(threads);
  }
}
