package dev.takt.rtsj.monitor;

import org.jspecify.annotations.Nullable;

/**
 * Threads that wait: the highest priority first, equal ones in the order they came. Putting one in
 * takes as many steps as there are lower ones before it, from the end.
 *
 * <p><b>Thread rule:</b> one at a time; the owner of the queue ensures that.
 */
final class WaitQueue {
  private @Nullable WaitNode first;
  private @Nullable WaitNode last;

  boolean isEmpty() {
    return first == null;
  }

  void add(WaitNode node) {
    WaitNode before = last;
    while (before != null && before.priority < node.priority) {
      before = before.previous;
    }
    WaitNode after = before == null ? first : before.next;
    node.previous = before;
    node.next = after;
    if (before == null) {
      first = node;
    } else {
      before.next = node;
    }
    if (after == null) {
      last = node;
    } else {
      after.previous = node;
    }
  }

  /** Takes out the first one; null if there is none. */
  @Nullable WaitNode poll() {
    WaitNode node = first;
    if (node != null) {
      remove(node);
    }
    return node;
  }

  /** Takes out one that is in. */
  void remove(WaitNode node) {
    WaitNode before = node.previous;
    WaitNode after = node.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    node.previous = null;
    node.next = null;
  }
}
