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
 * <p>The till and the stock are roots by their names. Two threads sell while a cycle stores both;
 * each sale is an update, so the snapshot has all of a sale or nothing of it: the sum and what is
 * left fit the number.
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
  private static final long PIECES = 1_000_000;

  private Sample16PlainProgram() {}

  /** What is kept. */
  @Persistent
  static final class Till {
    private long sales;
    private long cents;

    @PersistentUpdate
    synchronized void sell(Stock stock, long price) {
      stock.take();
      sales++;
      cents += price;
    }

    synchronized long sales() {
      return sales;
    }

    synchronized boolean fits(Stock stock) {
      return cents == PRICE_CENTS * sales && stock.left() == PIECES - sales;
    }
  }

  /** What there is to sell. */
  @Persistent
  static final class Stock {
    private long left = PIECES;

    @PersistentUpdate
    synchronized void take() {
      left--;
    }

    synchronized long left() {
      return left;
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
    try (Persistence persistence = Persistence.open(folder)) { // no other program may use it then
      goOn(persistence);
    }
  }

  private static void goOn(Persistence persistence) throws IOException, InterruptedException {
    persistence.declare(Till.class, Stock.class); // all roots are read when the first is asked for
    Till till;
    Stock stock;
    try (Recovery recovery = persistence.recover()) {
      Till storedTill = recovery.root("till", Till.class); // null: none of that name
      Stock storedStock = recovery.root("stock", Stock.class);
      till = storedTill == null ? new Till() : storedTill;
      stock = storedStock == null ? new Stock() : storedStock;
      IO.println(
          storedTill == null
              ? "cold start, sales: " + till.sales()
              : "warm start, the sum fits: " + (till.fits(stock) && till.sales() > 0));
    }
    persistence.addRoot("till", till);
    persistence.addRoot("stock", stock);

    Thread[] sellers = new Thread[2];
    for (int i = 0; i < sellers.length; i++) {
      sellers[i] = Thread.ofPlatform().start(() -> sell(till, stock));
    }
    while (till.sales() < 100) {
      Thread.onSpinWait();
    }
    persistence.begin().run(); // while they go on; PersistenceTask does this again and again
    for (Thread each : sellers) {
      each.join();
    }
  }

  private static void sell(Till till, Stock stock) {
    for (int i = 0; i < 100_000; i++) {
      till.sell(stock, PRICE_CENTS);
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
