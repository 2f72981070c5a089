package dev.takt.persist;

import dev.takt.kept.Teller;
import dev.takt.persist.journal.FsyncPolicy;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.store.FolderStorage;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.nio.file.Path;

/** A program whose task takes orders for as long as it lives, while its memory is stored. */
final class KilledTeller {
  private static final int WAITING = 32;

  private KilledTeller() {}

  static Journal open(Path folder, EventSpace space, FsyncPolicy policy) throws IOException {
    return Journal.open(
        FolderStorage.open(folder),
        space,
        JournalSettings.DEFAULTS.withSizes(1 << 18, 1 << 16, 1 << 16).withPolicy(policy));
  }

  static Persistence persistence(Path folder) throws IOException {
    return Persistence.open(
        FolderStorage.open(folder), PersistSettings.DEFAULTS.withGenerations(2).withFullEvery(3));
  }

  /** Goes on with what is in a folder, under a policy; says how many orders are done at least. */
  @SuppressWarnings("resource") // it is never closed
  public static void main(String[] arguments) throws IOException {
    System.setProperty("takt.unchecked", "true");
    Path folder = Path.of(arguments[0]);
    EventSpace space = EventSpace.create();
    Journal journal = open(folder, space, FsyncPolicy.valueOf(arguments[1]));
    Persistence persistence = persistence(folder);
    Recovery recovery = persistence.recover(journal);
    ReflexRuntime runtime =
        ReflexRuntime.create(
            space,
            RuntimeSettings.DEFAULTS
                .withWarmUpNs(0)
                .withWorkers(1)
                .withFailureHandler((task, thrown) -> thrown.printStackTrace())
                .withRecovery(recovery));
    Teller teller = new Teller(Tellers.SEED);
    runtime.active("teller", teller, Schedule.continuous());
    long last = Tellers.check(space, teller, "at the start");
    System.out.println(teller.count());
    runtime.start();
    for (long n = last + 1; ; n++) {
      space.write(new Event("order", n).add("text", "x".repeat(500)));
      while (space.count(new Event("order", null)) > WAITING) {
        persistence.begin(runtime).run();
      }
      if (n % WAITING == 0) {
        System.out.println(Math.max(0, n - WAITING - 1)); // one may be done and not safe yet
      }
    }
  }
}
