package dev.takt.samples;

import dev.takt.persist.Persistence;
import dev.takt.persist.Recovery;
import dev.takt.persist.annotation.Persistent;
import dev.takt.persist.annotation.PersistentUpdate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A plain program, without tasks, keeps its state: what a cycle has stored is there at the next
 * start.
 *
 * <p>The till is a root by its name. Two threads sell while a cycle stores it; each sale is an
 * update, so the snapshot has all of a sale or nothing of it: the sum fits the number.
 *
 * <p>You will see:
 *
 * <pre>
 * cold start, sales: 0
 * warm start, the sum fits: true
 * warm start, the sum fits: true
 * </pre>
 */
public final class Sample16PlainProgram {
  private static final long PRICE_CENTS = 250;

  private Sample16PlainProgram() {}

  /** What is kept. */
  @Persistent
  static final class Till {
    private long sales;
    private long cents;

    @PersistentUpdate
    synchronized void sell(long price) {
      sales++;
      cents += price;
    }

    synchronized long sales() {
      return sales;
    }

    synchronized boolean fits() {
      return cents == PRICE_CENTS * sales;
    }
  }

  /** Runs the sample: the same program three times. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("takt-sample");
    try {
      for (int start = 0; start < 3; start++) {
        runOnce(folder);
      }
    } finally {
      delete(folder);
    }
  }

  private static void runOnce(Path folder) throws IOException, InterruptedException {
    Persistence persistence = Persistence.open(folder);
    Till till;
    try (Recovery recovery = persistence.recover()) {
      Till stored = recovery.root("till", Till.class); // null: none of that name
      till = stored == null ? new Till() : stored;
      IO.println(
          stored == null
              ? "cold start, sales: " + till.sales()
              : "warm start, the sum fits: " + (till.fits() && till.sales() > 0));
    }
    persistence.addRoot("till", till);

    Thread[] sellers = new Thread[2];
    for (int i = 0; i < sellers.length; i++) {
      sellers[i] = Thread.ofPlatform().start(() -> sell(till));
    }
    while (till.sales() < 100) {
      Thread.onSpinWait();
    }
    persistence.begin().run(); // while they go on; PersistenceTask does this again and again
    for (Thread each : sellers) {
      each.join();
    }
  }

  private static void sell(Till till) {
    for (int i = 0; i < 100_000; i++) {
      till.sell(PRICE_CENTS);
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
