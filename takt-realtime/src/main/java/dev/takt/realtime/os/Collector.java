package dev.takt.realtime.os;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The garbage collector of this JVM, as far as it concerns threads that must be on time.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class Collector {
  /** The largest share of the heap that may be free after a collection, in percent. */
  private static final String MAX_FREE = "MaxHeapFreeRatio";

  private static final Object LOCK = new Object();

  /** How many holds there are; guarded by {@link #LOCK}. */
  private static int holds;

  /** What the share was before the first hold; null: it could not be set. */
  private static @Nullable String before;

  private Collector() {}

  /**
   * Returns the name of the collector, such as {@code G1}, if it stops all Java threads for as long
   * as it moves or marks objects: no task is on time then, whatever its priority. Empty: it does
   * most of its work while the program runs (ZGC, Shenandoah), or never collects (Epsilon).
   */
  public static Optional<String> stoppingTheWorld() {
    return stoppingTheWorld(
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(GarbageCollectorMXBean::getName)
            .toList());
  }

  /** The same, by the names that HotSpot's collectors go by. */
  static Optional<String> stoppingTheWorld(List<String> names) {
    for (String name : names) {
      String found =
          switch (name) {
            case "G1 Young Generation" -> "G1";
            case "PS Scavenge" -> "Parallel";
            case "Copy" -> "Serial";
            default -> "";
          };
      if (!found.isEmpty()) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /**
   * Collects what the program has left so far, and lets the heap stay as large as it is until the
   * hold is closed. By itself the JVM gives most of an empty heap back after such a collection, and
   * then collects ten times as often until it has grown again.
   */
  public static Hold collectAndHold() {
    Hold hold = new Hold();
    System.gc();
    return hold;
  }

  /** Lets the heap stay as large as it is, until it is closed. */
  public static final class Hold implements AutoCloseable {
    private boolean closed;

    private Hold() {
      synchronized (LOCK) {
        if (holds++ == 0) {
          before = setMaxFree("100");
        }
      }
    }

    /** Lets the JVM give memory back again when the last one is closed; again does nothing. */
    @Override
    public void close() {
      synchronized (LOCK) {
        if (!closed && --holds == 0 && before != null) {
          setMaxFree(before);
        }
        closed = true;
      }
    }
  }

  /** Returns what it was; null if this JVM has no such option, or does not let it be set. */
  private static @Nullable String setMaxFree(String percent) {
    HotSpotDiagnosticMXBean options =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (options == null) {
      return null;
    }
    try {
      String was = options.getVMOption(MAX_FREE).getValue();
      options.setVMOption(MAX_FREE, percent);
      return was;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
