package dev.takt.space;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions of one index, by the fingerprint of what they ask for.
 *
 * <p><b>Thread rule:</b> any thread; lock-free.
 *
 * <p><b>Memory:</b> nothing until there is a subscription, then 4 bytes for each bucket; there are
 * one to two buckets for each subscription that a space may have.
 */
final class SubscriptionTable {
  private final int buckets;
  private final AtomicReference<AtomicReferenceArray<Object>> table = new AtomicReference<>();

  SubscriptionTable(int buckets) {
    this.buckets = buckets;
  }

  /** Whether there is a subscription, or was one. */
  boolean any() {
    return table.get() != null;
  }

  /**
   * Notifies the subscriptions with this fingerprint that match an event.
   *
   * @param finder looks whether they do
   */
  void announce(long fingerprint, Finder finder, int slot, long gen, boolean isGivenBack) {
    AtomicReferenceArray<Object> table = this.table.get();
    if (table == null) {
      return;
    }
    finder.callbackErrors.reportKept();
    Object there = table.get((int) fingerprint & table.length() - 1);
    if (there instanceof Handle handle) {
      announce(fingerprint, handle, finder, slot, gen, isGivenBack);
    } else if (there instanceof Handle[] handles) {
      for (Handle handle : handles) {
        announce(fingerprint, handle, finder, slot, gen, isGivenBack);
      }
    }
  }

  private static void announce(
      long fingerprint, Handle handle, Finder finder, int slot, long gen, boolean isGivenBack) {
    if (handle.fingerprint == fingerprint) {
      try {
        if (finder.suits(handle, slot, gen)) {
          tell(handle, isGivenBack);
        }
      } catch (Throwable thrown) {
        finder.callbackErrors.report(thrown);
      }
    }
  }

  private static void tell(Handle handle, boolean isGivenBack) {
    if (isGivenBack) {
      handle.subscriber().onGivenBack(handle);
    } else {
      handle.subscriber().onMatch(handle);
    }
  }

  void add(Handle handle) {
    AtomicReferenceArray<Object> table = table();
    table.updateAndGet((int) handle.fingerprint & table.length() - 1, old -> with(old, handle));
  }

  @SuppressWarnings("NullAway") // once there is a table, there is one for good
  private AtomicReferenceArray<Object> table() {
    AtomicReferenceArray<Object> there = table.get();
    if (there != null) {
      return there;
    }
    table.compareAndSet(null, new AtomicReferenceArray<>(buckets));
    return table.get();
  }

  void remove(Handle handle) {
    AtomicReferenceArray<Object> table = table();
    table.updateAndGet((int) handle.fingerprint & table.length() - 1, old -> without(old, handle));
  }

  /**
   * A bucket holds nothing, one handle, or an array of several, which is replaced and never
   * changed.
   */
  private static Handle[] several(@Nullable Object bucket) {
    return switch (bucket) {
      case null -> new Handle[0];
      case Handle handle -> new Handle[] {handle};
      default -> (Handle[]) bucket;
    };
  }

  private static Object with(@Nullable Object bucket, Handle handle) {
    if (bucket == null) {
      return handle;
    }
    Handle[] handles = several(bucket);
    Handle[] more = Arrays.copyOf(handles, handles.length + 1);
    more[handles.length] = handle;
    return more;
  }

  private static @Nullable Object without(@Nullable Object bucket, Handle gone) {
    Handle[] rest =
        Arrays.stream(several(bucket)).filter(handle -> handle != gone).toArray(Handle[]::new);
    return switch (rest.length) {
      case 0 -> null;
      case 1 -> rest[0];
      default -> rest;
    };
  }

  /** Returns the subscriptions; for {@code dump}. */
  List<Handle> handles() {
    AtomicReferenceArray<Object> table = this.table.get();
    List<Handle> handles = new ArrayList<>();
    for (int i = 0; table != null && i < table.length(); i++) {
      handles.addAll(List.of(several(table.get(i))));
    }
    return handles;
  }

  /** Returns how many subscriptions there are; for {@code dump}. */
  int count() {
    AtomicReferenceArray<Object> table = this.table.get();
    int count = 0;
    for (int i = 0; table != null && i < table.length(); i++) {
      count += several(table.get(i)).length;
    }
    return count;
  }
}
