package dev.takt.samples;

import dev.takt.persist.Persistence;
import dev.takt.persist.Recovery;
import dev.takt.persist.journal.Journal;
import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A task's fields agree with the events after each end of the program, however sudden it was.
 *
 * <p>The shop takes orders and counts them in a field. What a release takes and what it changes are
 * one record of the journal. The program ends while orders are waiting, and no snapshot is ever
 * made of it; at the next start those that it has counted are gone, and the others are there.
 *
 * <p>You will see:
 *
 * <pre>
 * cold start, counted: 0
 * warm start, counted + waiting = ordered: true
 * warm start, counted + waiting = ordered: true
 * </pre>
 */
public final class Sample17KeptTask {
  private static final int ORDERS = 50;

  private Sample17KeptTask() {}

  /** Counts the orders that it has taken. */
  static final class Shop extends ReflexTask {
    private Handle orders;
    private long counted;

    @Override
    public void initialize() {
      orders = subscribe(new Event("order", null));
    }

    @Override
    public void execute() {
      if (orders.next() != null) {
        counted++;
      }
    }

    @Atomic
    long counted() {
      return counted;
    }
  }

  /** Runs the sample: the same program three times. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("takt-sample");
    try {
      for (int start = 0; start < 3; start++) {
        runOnce(folder, start * ORDERS);
      }
    } finally {
      delete(folder);
    }
  }

  private static void runOnce(Path folder, int ordered) throws IOException {
    EventSpace space = EventSpace.create();
    try (Persistence persistence = Persistence.open(folder);
        Journal journal = Journal.open(folder, space);
        Recovery recovery = persistence.recover(journal); // at each start, also the first one
        ReflexRuntime runtime =
            ReflexRuntime.create(space, RuntimeSettings.DEFAULTS.withRecovery(recovery))) {
      Shop shop = new Shop();
      runtime.passive("shop", shop, 10);
      IO.println(
          journal.recovered().isWarm()
              ? "warm start, counted + waiting = ordered: "
                  + (shop.counted() + space.count(new Event("order", null)) == ordered)
              : "cold start, counted: " + shop.counted());
      runtime.start();
      for (int i = 0; i < ORDERS; i++) {
        space.write(new Event("order", i));
      }
      runtime.abort(); // orders are waiting; a PersistenceTask would make snapshots meanwhile
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
    }
    Files.delete(folder);
  }
}
