package dev.takt.reflex;

import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one task is subscribed to: made and ended by releases, and undone with them.
 *
 * <p><b>Thread rule:</b> {@link #hasMatch}, {@link #count}, {@link #logUnmatched}, {@link
 * #leaveMatches} and {@link #logLate} from any thread; the rest from the thread that runs the task.
 */
final class Subscriptions {
  private static final Handle[] NO_HANDLES = {};

  private final EventSpace space;
  private final TaskRunner task;
  private final FailureLog log;

  /** Replaced, never changed, by the running thread; read by sweeping threads. */
  private volatile Handle[] handles = NO_HANDLES;

  /** What the running release has subscribed and, once it commits, will unsubscribe. */
  private final List<Handle> subscribed = new ArrayList<>();

  private final List<Handle> unsubscribed = new ArrayList<>();

  /** What a task was subscribed to that is not released any more, and why it is not. */
  private volatile Event[] unserved = {};

  private String whyUnserved = "";

  Subscriptions(EventSpace space, TaskRunner task, FailureLog log) {
    this.space = space;
    this.task = task;
    this.log = log;
  }

  Handle add(Event template) {
    Handle handle = space.subscribe(template, task);
    Handle[] more = Arrays.copyOf(handles, handles.length + 1);
    more[handles.length] = handle;
    handles = more;
    subscribed.add(handle);
    return handle;
  }

  void end(Handle handle) {
    if (!List.of(handles).contains(handle) || unsubscribed.contains(handle)) {
      throw new IllegalStateException(
          ("task %s has no such subscription: %s; unsubscribe a handle once, and in the "
                  + "task that subscribed it")
              .formatted(task.name(), handle.template()));
    }
    unsubscribed.add(handle);
  }

  /** The release has committed. */
  void commit() {
    if (unsubscribed.size() + subscribed.size() != 0) {
      unsubscribed.forEach(this::remove);
      clear();
    }
  }

  /** The release is undone. */
  void undo() {
    if (unsubscribed.size() + subscribed.size() != 0) {
      subscribed.forEach(this::remove);
      clear();
    }
  }

  private void clear() {
    subscribed.clear();
    unsubscribed.clear();
  }

  private void remove(Handle handle) {
    handles = Arrays.stream(handles).filter(each -> each != handle).toArray(Handle[]::new);
    space.unsubscribe(handle);
  }

  /**
   * Ends all.
   *
   * @param why why the task is not released any more
   */
  void retire(String why) {
    Handle[] handles = this.handles;
    if (handles.length != 0) {
      whyUnserved = why;
      unserved = Arrays.stream(handles).map(Handle::template).toArray(Event[]::new);
    }
    this.handles = NO_HANDLES;
    for (Handle handle : handles) {
      space.unsubscribe(handle);
    }
  }

  int count() {
    return handles.length;
  }

  /** Returns whether one of them has a match now. */
  boolean hasMatch() {
    Handle[] handles = this.handles;
    for (int i = 0; i < handles.length; i++) {
      if (handles[i].hasNextNow()) {
        return true;
      }
    }
    return false;
  }

  /** Logs, once each, those that never matched though events come near them. */
  void logUnmatched() {
    for (Handle handle : handles) {
      if (handle.taken() == 0 && !handle.hasNextNow()) {
        Event template = handle.template();
        String why = space.nearMisses(template);
        if (why != null) {
          log.unmatched(template, why);
        }
      }
    }
  }

  /**
   * Returns whether events lie in the space for this task that it does not take any more, and logs
   * them.
   */
  boolean leaveMatches() {
    boolean leave = false;
    for (Event template : unserved) {
      leave |= left(template, whyUnserved);
    }
    return leave;
  }

  /** Logs what lies in the space for this task, which was to work it off. */
  void logLate(String why) {
    for (Handle handle : handles) {
      left(handle.template(), why);
    }
  }

  private boolean left(Event template, String why) {
    int count = space.count(template);
    if (count != 0) {
      log.left(count, template, why);
    }
    return count != 0;
  }
}
