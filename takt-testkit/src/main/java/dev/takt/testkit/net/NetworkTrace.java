package dev.takt.testkit.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The last events of a network, and how many of each kind there were.
 *
 * <p><b>Thread rule.</b> One thread. <b>Memory.</b> 48 bytes for each event that is kept.
 */
final class NetworkTrace {
  private final ArrayDeque<NetworkEvent> last = new ArrayDeque<>();
  private final long[] counts = new long[NetworkEvent.Kind.values().length];
  private final int maxEvents;
  private long all;

  NetworkTrace(int maxEvents) {
    this.maxEvents = maxEvents;
  }

  void add(NetworkEvent event) {
    counts[event.kind().ordinal()]++;
    all++;
    if (maxEvents > 0) {
      if (last.size() == maxEvents) {
        last.removeFirst();
      }
      last.addLast(event);
    }
  }

  long count(NetworkEvent.Kind kind) {
    return counts[kind.ordinal()];
  }

  List<NetworkEvent> events() {
    return new ArrayList<>(last);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (all > last.size()) {
      text.append("... ").append(all - last.size()).append(" events before these\n");
    }
    last.forEach(each -> text.append(each).append('\n'));
    return text.toString();
  }
}
