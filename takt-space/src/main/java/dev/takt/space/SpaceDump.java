package dev.takt.space;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes a space in words, for {@link EventSpace#dump}. */
final class SpaceDump {
  private record Line(long stamp, String text) {}

  private final EventSpace space;
  private final StringBuilder out = new StringBuilder();

  private SpaceDump(EventSpace space) {
    this.space = space;
  }

  static String of(EventSpace space, int maxEvents) {
    SpaceDump dump = new SpaceDump(space);
    dump.counters();
    dump.indexes(maxEvents);
    dump.events(maxEvents);
    return dump.out.toString();
  }

  private void counters() {
    SpaceStats stats = space.stats();
    out.append("events ").append(stats.events()).append(" of ").append(space.settings().capacity());
    out.append(", subscriptions ").append(stats.subscriptions());
    out.append(", waiting ").append(space.waiters.count());
    out.append(", commits ").append(stats.commits());
    out.append(", conflicts ").append(stats.conflicts());
    out.append(", aborts ").append(stats.aborts()).append('\n');
  }

  private void indexes(int maxSubscriptions) {
    int left = maxSubscriptions;
    for (Index index : space.table.indexes) {
      out.append("index ").append(index.id).append(":");
      for (int i = 0; i < index.keys.length; i++) {
        out.append(' ').append(index.keys[i]).append(i < index.concrete ? "=" : "=*");
      }
      out.append(index.keys.length == 0 ? " all events" : "");
      out.append(", subscriptions ").append(index.subscriptionCount()).append('\n');
      for (Handle handle : index.handles()) {
        if (left-- > 0) {
          subscription(handle);
        }
      }
    }
  }

  private void subscription(Handle handle) {
    Event template = handle.template();
    out.append("  subscription ").append(template).append(": taken ").append(handle.taken());
    if (handle.taken() == 0 && !handle.hasNextNow()) {
      String why = NearMisses.of(space, template);
      out.append(", never matched").append(why == null ? "" : "; " + why);
    }
    out.append('\n');
  }

  private void events(int maxEvents) {
    EventSlots slots = space.slots;
    List<Line> lines = new ArrayList<>();
    for (int slot = 0; slot < slots.count; slot++) {
      Line line = line(slots, slot);
      if (line != null) {
        lines.add(line);
      }
    }
    lines.sort(Comparator.comparingLong(Line::stamp));
    lines.stream()
        .limit(Math.max(0, maxEvents))
        .forEach(line -> out.append(line.text).append('\n'));
    if (lines.size() > maxEvents) {
      out.append("... and ").append(lines.size() - maxEvents).append(" more\n");
    }
  }

  /** Describes one slot, or returns null if it is free or changes while it is read. */
  private @Nullable Line line(EventSlots slots, int slot) {
    long state = slots.stateAcquire(slot);
    long stamp = slots.words[slots.base(slot) + EventSlots.STAMP];
    Event event = new Event();
    return load(space, slot, event) && slots.stateAcquire(slot) == state
        ? new Line(stamp, describe(state) + event)
        : null;
  }

  /** Copies the event of one slot; false if the slot is free or changes while it is read. */
  static boolean load(EventSpace space, int slot, Event into) {
    EventSlots slots = space.slots;
    long gen = slots.genAcquire(slot);
    return slots.stateAcquire(slot) != EventSlots.FREE && space.table.load(slot, gen, into);
  }

  private String describe(long state) {
    boolean pending = (state & EventSlots.KIND) == EventSlots.PENDING;
    if (EventSlots.isUndecided(state)) {
      return "written by a transaction that has not decided: ";
    }
    int status = space.descriptors.status(EventSlots.owner(state), EventSlots.epoch(state));
    if ((state & EventSlots.KIND) == EventSlots.LIVE
        || pending && status == TransactionTable.PAST) {
      return "";
    }
    String who =
        switch (status) {
          case TransactionTable.ACTIVE -> " by running transaction ";
          case TransactionTable.COMMITTED -> " by committed transaction ";
          case TransactionTable.ENDED -> " by ended transaction ";
          default -> " by aborted transaction ";
        };
    return (pending ? "written" : "claimed") + who + EventSlots.owner(state) + ": ";
  }
}
