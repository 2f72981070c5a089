package dev.takt.realtime.counters;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this JVM: sources come and go, and while there is one, a daemon thread copies
 * their figures into a file of this user's ({@code takt top}), and to the MBeans {@code dev.takt}
 * when the JVM has its platform MBean server.
 *
 * <p><b>Guarantees.</b> (1) What goes wrong here disturbs nobody: it ends in {@link #whyNot}. (2)
 * When the last source is removed, the thread has ended and the file and the MBeans are gone. (3) A
 * source that throws is left out of that copy, and others are not.
 *
 * <p><b>Thread rule:</b> any thread; {@link #add} and {@link #remove} wait for a copy that is being
 * made, and the removal of the last source for the end of the thread, for a second at most.
 *
 * <p><b>Settings,</b> by system properties: {@value #PROPERTY}{@code =off}: nothing of this is
 * done; {@value #ROWS_PROPERTY}: the most rows of the file, {@value #MIN_ROWS} to {@value
 * CounterReader#MAX_ROWS}, {@value #DEFAULT_ROWS} by default, half a kilobyte each when in use.
 */
public final class Counters {
  /** The system property that switches counters off. */
  public static final String PROPERTY = "takt.counters";

  /** The system property with the most rows. */
  public static final String ROWS_PROPERTY = "takt.counters.rows";

  /** The most rows by default. */
  public static final int DEFAULT_ROWS = 1_024;

  /** The fewest rows that may be asked for. */
  public static final int MIN_ROWS = 16;

  /** How often figures are copied, in nanoseconds. */
  public static final long PERIOD_NS = 500_000_000;

  private static final Duration JOIN = Duration.ofSeconds(1);

  /** Made when it is first asked for. */
  private static final class OfThisJvm {
    static final Counters INSTANCE =
        new Counters(
            System.getProperty(PROPERTY, "").equals("off") ? null : CounterFolder::usual,
            maxRows(),
            PERIOD_NS);

    private static int maxRows() {
      return Math.clamp(
          Integer.getInteger(ROWS_PROPERTY, DEFAULT_ROWS), MIN_ROWS, CounterReader.MAX_ROWS);
    }
  }

  private record Entry(CounterSource source, String owner) {}

  private final @Nullable Supplier<CounterFolder> folder;
  private final int maxRows;
  private final long periodNs;

  /** Held while the first source comes or the last one goes; before the monitor. */
  private final ReentrantLock lifecycle = new ReentrantLock();

  // Guarded by the monitor:
  private final List<Entry> entries = new ArrayList<>();
  private final int[] numbers = new int[RowKind.values().length];
  private final CounterRows rows;

  /** Made on the thread that copies, because the classes that it needs take time to load. */
  private @Nullable CounterBeans beans;

  private @Nullable CounterThread beansOf;

  private @Nullable String failure;

  private @Nullable CounterThread thread;
  private volatile String whyNot = "no source: nothing of Takt runs in this JVM";

  /**
   * Makes one.
   *
   * @param folder where the file is, asked for by the thread that makes it; null: all is switched
   *     off
   */
  Counters(@Nullable Supplier<CounterFolder> folder, int maxRows, long periodNs) {
    this.folder = folder;
    this.maxRows = maxRows;
    this.periodNs = periodNs;
    this.rows = new CounterRows(maxRows);
  }

  /** Returns those of this JVM. */
  public static Counters ofThisJvm() {
    return OfThisJvm.INSTANCE;
  }

  /** Adds a source. One that is there already is not added again. */
  public void add(CounterSource source) {
    Supplier<CounterFolder> folder = this.folder;
    if (folder == null) {
      whyNot = "switched off by -D" + PROPERTY + "=off";
      return;
    }
    lifecycle.lock();
    try {
      addEntry(source);
      if (thread == null) {
        start(new CounterThread(this, folder, NanoClock.system(), maxRows, periodNs));
      }
    } finally {
      lifecycle.unlock();
    }
  }

  private void start(CounterThread added) {
    whyNot = "its file is being made; ask again";
    try {
      added.start();
      thread = added;
    } catch (OutOfMemoryError e) {
      whyNot = "no thread can be started for it: " + e;
    }
  }

  private synchronized void addEntry(CounterSource source) {
    if (entries.stream().noneMatch(each -> each.source() == source)) {
      String kind =
          switch (source.kind()) {
            case RUNTIME -> "runtime-";
            case PERSISTENCE -> "persistence-";
            case STAGE -> "stage-";
            case HOST -> "host-";
            case SERVER -> "server-";
            default -> "manager-";
          };
      entries.add(new Entry(source, kind + ++numbers[source.kind().ordinal()]));
      // Those whose rows others complete come first.
      entries.sort(Comparator.comparing(each -> each.source().kind()));
    }
  }

  /** Removes a source, its MBeans and, with the last one, thread and file. */
  public void remove(CounterSource source) {
    lifecycle.lock();
    try {
      CounterThread last = thread;
      if (removeEntry(source) && last != null) {
        last.end();
        Await.uninterruptibly(() -> last.join(JOIN));
        thread = null;
        whyNot = "no source: nothing of Takt runs in this JVM any more";
      }
    } finally {
      lifecycle.unlock();
    }
  }

  /** Returns whether it was the last one. */
  private synchronized boolean removeEntry(CounterSource source) {
    for (Entry each : entries) {
      if (each.source() == source) {
        entries.remove(each);
        if (beans != null) {
          beans.removeOwner(each.owner());
        }
        return entries.isEmpty();
      }
    }
    return false;
  }

  /** Returns why no file has the counters of this JVM now, with the remedy; empty: one has them. */
  public String whyNot() {
    return whyNot;
  }

  void whyNot(String reason) {
    whyNot = reason;
  }

  /** Returns what a source has thrown last; null: nothing. */
  synchronized @Nullable String failure() {
    return failure;
  }

  /** Copies the figures of all sources, and hands them on. */
  synchronized void copy(CopyReceiver receiver) throws IOException {
    rows.clear();
    for (int i = 0; i < entries.size(); i++) {
      Entry each = entries.get(i);
      try {
        each.source().copyTo(rows, each.owner());
      } catch (RuntimeException e) {
        failure = each.owner() + ": " + e;
      }
    }
    rows.forgetSubjects();
    receiver.accept(rows);
  }

  /** Has the MBeans be those of the last copy; what cannot be registered is told as a failure. */
  synchronized void refreshBeans(CounterThread of) {
    try {
      if (beans == null) {
        beans = new CounterBeans(this);
      }
      beansOf = of;
      beans.refresh(rows);
    } catch (RuntimeException | Error e) {
      failure = "MBeans: " + e; // the file has the figures all the same
    }
  }

  /** Removes the MBeans, unless they are those of a thread that was started later. */
  synchronized void removeBeans(CounterThread of) {
    if (beans != null && beansOf == of) {
      beans.removeAll();
    }
  }

  /** Takes a copy. */
  @FunctionalInterface
  interface CopyReceiver {
    void accept(CounterRows rows) throws IOException;
  }

  /** Returns the row of the last copy that a question finds, as it was read. */
  synchronized @Nullable Object value(RowBean bean, String attribute) {
    return bean.value(rows, attribute);
  }
}
