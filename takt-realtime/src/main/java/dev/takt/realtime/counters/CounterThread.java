package dev.takt.realtime.counters;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.portable.ParkSleeper;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that copies the counters: a daemon of the lowest priority. Only a thread that adds or
 * removes a source waits for it while it copies.
 *
 * <p><b>Thread rule:</b> {@link #end}: any thread.
 */
final class CounterThread extends Thread {
  /** So many copies are between two looks at the file's name and at the MBean server. */
  private static final int COPIES_PER_LOOK = 2;

  /** A file that could not be made or was lost is made again after so many looks. */
  private static final int LOOKS_PER_TRY = 8;

  private final Counters counters;
  private final Supplier<CounterFolder> folder;
  private final NanoClock clock;
  private final Sleeper sleeper;
  private final int maxRows;
  private final long periodNs;
  private volatile boolean ended;
  private volatile @Nullable CounterFile file;
  private int looksUntilTry;

  CounterThread(
      Counters counters,
      Supplier<CounterFolder> folder,
      NanoClock clock,
      int maxRows,
      long periodNs) {
    super(null, null, "takt-counters", 0, false);
    setDaemon(true);
    setPriority(MIN_PRIORITY);
    this.counters = counters;
    this.folder = folder;
    this.clock = clock;
    this.sleeper = new ParkSleeper(clock::nanoTime, clock::parkNanos);
    this.maxRows = maxRows;
    this.periodNs = periodNs;
  }

  /** Lets it end soon. */
  void end() {
    ended = true;
    sleeper.wake();
  }

  @Override
  public void run() {
    Thread hook = new Thread(null, this::removeFile, "takt-counters-exit", 0, false);
    boolean hooked = add(hook);
    try {
      for (long round = 0; !ended; round++) {
        step(round);
        long untilNs = clock.nanoTime() + periodNs;
        while (!ended && clock.nanoTime() - untilNs < 0) {
          sleeper.sleepUntil(untilNs);
          interrupted(); // means nothing here, and would keep it from sleeping
        }
      }
    } finally {
      closeFile();
      counters.removeBeans(this);
      if (hooked) {
        remove(hook);
      }
    }
  }

  /** One copy; what goes wrong is a reason, and the next copy tries again. */
  private void step(long round) {
    try {
      if (round % COPIES_PER_LOOK == 0) {
        look();
      }
      counters.copy(this::write);
    } catch (IOException | RuntimeException e) {
      lose("the figures cannot be written: " + e);
    } catch (InternalError e) {
      lose("the file was cut off by another process, or the file system has lost it: " + e);
    } catch (Error e) {
      lose("the figures cannot be copied: " + e); // no memory, most likely
    }
    if (round % COPIES_PER_LOOK == 0) {
      counters.refreshBeans(this);
    }
  }

  private void look() throws IOException {
    CounterFile present = file;
    if (present != null && !present.isThere()) {
      lose("the file was removed or changed by another process");
    }
    if (file == null && looksUntilTry-- <= 0) {
      looksUntilTry = LOOKS_PER_TRY;
      try {
        CounterFolder where = folder.get();
        file =
            CounterFile.create(
                where,
                ProcessIdentity.self(),
                ProgramName.find(),
                maxRows,
                periodNs,
                clock.nanoTime());
        CounterReader.removeEnded(where);
      } catch (IOException | RuntimeException e) {
        counters.whyNot("no file can be made for takt top: " + e);
      }
    }
  }

  private void write(CounterRows rows) throws IOException {
    CounterFile present = file;
    if (present != null && !ended) {
      present.write(rows, clock.nanoTime());
      counters.whyNot("");
    }
  }

  private void lose(String reason) {
    counters.whyNot(reason);
    closeFile();
  }

  private void closeFile() {
    CounterFile present = file;
    file = null;
    if (present != null) {
      try {
        present.close();
      } catch (RuntimeException | Error e) {
        counters.whyNot("the file cannot be closed: " + e);
      }
    }
  }

  /** Called when the JVM ends. */
  private void removeFile() {
    ended = true;
    CounterFile present = file;
    if (present != null) {
      present.delete();
    }
  }

  private static boolean add(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException e) {
      return false; // the JVM ends
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the JVM ends, and the hook runs
    }
  }
}
