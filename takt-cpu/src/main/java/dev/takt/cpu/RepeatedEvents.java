package dev.takt.cpu;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which events are to be shown to people: of those that can come with each release, or again and
 * again, the first of a task and kind, the tenth, the hundredth and so on; all others.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> a count for each task and kind, {@value
 * #MAX_COUNTED} at most; of the tasks that come later each kind is counted together.
 */
public final class RepeatedEvents {
  static final int MAX_COUNTED = 1_024;

  private static final Set<ManagerEvent.Kind> REPEATED =
      EnumSet.of(
          ManagerEvent.Kind.FAILED,
          ManagerEvent.Kind.OVERRUN,
          ManagerEvent.Kind.DRIFTED,
          ManagerEvent.Kind.NONCONFORMING,
          ManagerEvent.Kind.FAULT);

  private record Source(ManagerEvent.Kind kind, String task) {}

  private final Map<Source, Integer> counts = new ConcurrentHashMap<>();

  /** Makes one that has counted nothing. */
  public RepeatedEvents() {}

  /** Returns whether events of a kind can come again and again. */
  public static boolean isRepeated(ManagerEvent.Kind kind) {
    return REPEATED.contains(kind);
  }

  /**
   * Counts an event.
   *
   * @return the how manieth of its kind and task it is; 0: it is not to be shown
   */
  public int count(ManagerEvent event) {
    if (!isRepeated(event.kind())) {
      return 1;
    }
    Source source = new Source(event.kind(), event.task());
    Source counted =
        counts.size() < MAX_COUNTED || counts.containsKey(source)
            ? source
            : new Source(event.kind(), "");
    int count =
        counts.merge(counted, 1, (before, one) -> before == Integer.MAX_VALUE ? 2 : before + one);
    return isPowerOfTen(count) ? count : 0;
  }

  private static boolean isPowerOfTen(int count) {
    int power = count;
    while (power % 10 == 0) {
      power /= 10;
    }
    return power == 1;
  }
}
