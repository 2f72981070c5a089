package dev.takt.cpu;

import dev.takt.realtime.Schedulable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the task of what is released, in a few nanoseconds: an open hash table by identity, which
 * is replaced as a whole when it changes.
 *
 * <p><b>Thread rule:</b> {@link #find}: any thread; the rest: one at a time.
 */
final class TaskIndex {
  private record Entry(Schedulable subject, ManagedTask task) {}

  private final List<Entry> entries = new ArrayList<>();
  private volatile @Nullable Entry[] table = new Entry[2];

  /** Returns the task of a subject; null: it has none. */
  @Nullable ManagedTask find(Schedulable subject) {
    @Nullable Entry[] table = this.table;
    int i = System.identityHashCode(subject);
    Entry entry = table[i & table.length - 1];
    while (entry != null && entry.subject != subject) {
      entry = table[++i & table.length - 1];
    }
    return entry == null ? null : entry.task;
  }

  void put(Schedulable subject, ManagedTask task) {
    entries.add(new Entry(subject, task));
    rebuild();
  }

  void keep(Collection<ManagedTask> tasks) {
    if (entries.removeIf(each -> !tasks.contains(each.task()))) {
      rebuild();
    }
  }

  private void rebuild() {
    // At most half full, so that each search ends.
    @Nullable Entry[] next = new Entry[2 * Integer.highestOneBit(2 * entries.size() + 1)];
    for (Entry each : entries) {
      int i = System.identityHashCode(each.subject);
      while (next[i & next.length - 1] != null) {
        i++;
      }
      next[i & next.length - 1] = each;
    }
    table = next;
  }
}
