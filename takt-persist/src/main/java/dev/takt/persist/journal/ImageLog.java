package dev.takt.persist.journal;

import dev.takt.persist.cycle.ObjectIds;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.recover.ObjectsById;
import dev.takt.reflex.woven.ChangeSink;
import dev.takt.reflex.woven.TaskMemory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a journal has of the memory of tasks, for {@link dev.takt.persist.Persistence} alone: the
 * units that were found when it was opened, who makes new ones, and which segments have some that
 * no snapshot has. The package description has the protocol.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Memory:</b> from the opening of the journal until its task is registered, a unit takes some
 * 2 to 10 times what it takes in the file.
 */
public final class ImageLog {
  private static final long LOOK_NS = 100_000;

  /** Says that no revision is known. */
  public static final long UNKNOWN = -1;

  /** What there is of a task. */
  private static final class OfTask {
    private List<ImageUnit> parts = new ArrayList<>();
    private @Nullable ObjectsById objects;
    private long revision;
    private @Nullable TaskImages images;

    /** The last revision that the journal has, or had before it was lost. */
    private long last = UNKNOWN;

    /** The last one that is safe. */
    private long safe = UNKNOWN;

    /** The last one of those that were lost by a failure, and that no snapshot has; 0: none. */
    private long lost;
  }

  private final CommitRing ring;
  private volatile @Nullable JournalWriter writer;
  private final JournalSettings settings;

  // Guarded by this.
  private final Map<String, OfTask> tasks = new HashMap<>();

  /** All of them, in any order. */
  private final List<OfTask> all = new ArrayList<>();

  /** By the numbers of segments, by the names of tasks: the last revision. */
  private final TreeMap<Long, Map<String, long[]>> segments = new TreeMap<>();

  /** The revisions of full snapshots, the oldest first. */
  private final ArrayDeque<Map<String, Long>> stored = new ArrayDeque<>();

  private boolean isAttached;
  private int kept = Integer.MAX_VALUE;

  ImageLog(CommitRing ring, JournalSettings settings) {
    this.ring = ring;
    this.settings = settings;
  }

  void writer(JournalWriter writer) {
    this.writer = writer;
  }

  // ---- segments

  private OfTask task(String name) {
    OfTask task = tasks.get(name);
    if (task == null) {
      task = new OfTask();
      tasks.put(name, task);
      all.add(task);
    }
    return task;
  }

  /** Something was found of a task when the journal was opened; in its order. */
  synchronized void read(long segment, SegmentInput.Found found) {
    OfTask task = task(found.task());
    task.last = found.revision();
    task.safe = found.revision();
    if (found.unit() != null) {
      task.parts.add(found.unit());
      note(segment, found.task(), found.revision());
    }
  }

  /** A unit, or a part, is written. */
  synchronized void written(long segment, ImageCursor unit) {
    task(unit.task()).last = unit.revision();
    note(segment, unit.task(), unit.revision());
  }

  /** All that is written is safe. */
  synchronized void safe() {
    for (int i = 0; i < all.size(); i++) {
      OfTask task = all.get(i);
      task.safe = task.last;
    }
  }

  // ---- failures of the storage

  /** A unit, or a part, is committed while there is no segment. */
  synchronized void lost(ImageCursor unit) {
    OfTask task = task(unit.task());
    task.last = unit.revision();
    task.lost = unit.revision();
  }

  /** The storage has failed: what is not safe is lost; and a segment, if it is deleted. */
  synchronized void failed(long segment, boolean isDeleted) {
    Map<String, long[]> deleted = isDeleted ? segments.remove(segment) : null;
    tasks.forEach(
        (name, task) -> {
          if (task.last > task.safe || deleted != null && deleted.containsKey(name)) {
            task.lost = task.last;
          }
        });
  }

  /** Returns whether all that was lost is in a snapshot, so that units can go on from it. */
  synchronized boolean isCovered() {
    return isCoveredBy(Map.of());
  }

  private boolean isCoveredBy(Map<String, Long> revisions) {
    for (Map.Entry<String, OfTask> each : tasks.entrySet()) {
      OfTask task = each.getValue();
      if (task.lost > 0
          && task.images != null
          && revisions.getOrDefault(each.getKey(), UNKNOWN) < task.lost) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a full snapshot is wanted now: units were lost, the storage takes something
   * again, and the journal waits for the snapshot to go on.
   */
  public boolean wantsSnapshot() {
    JournalWriter writer = this.writer;
    return writer != null && writer.isWaiting() && !isCovered();
  }

  /** Returns whether the journal has failed, and so whether older snapshots are to stay. */
  public boolean hasFailed() {
    JournalWriter writer = this.writer;
    return writer != null && writer.failure() != null;
  }

  /** Returns how long after a failed try the next one is to come, in nanoseconds. */
  public long retryNs() {
    return settings.retryNs();
  }

  /** Returns the last revision of a task that the journal has, or {@link #UNKNOWN}. */
  public synchronized long revision(String name) {
    OfTask task = tasks.get(name);
    return task == null ? UNKNOWN : task.last;
  }

  /** Gives the last revisions of all tasks to a segment. */
  synchronized void putRevisions(SegmentOutput to) throws IOException {
    for (Map.Entry<String, OfTask> each : tasks.entrySet()) {
      if (each.getValue().last > 0) {
        to.revision(each.getKey(), each.getValue().last);
      }
    }
  }

  private void note(long segment, String task, long revision) {
    Map<String, long[]> last = segments.get(segment);
    if (last == null) {
      last = new HashMap<>();
      segments.put(segment, last);
    }
    long[] known = last.get(task);
    if (known == null) {
      known = new long[1];
      last.put(task, known);
    }
    known[0] = Math.max(known[0], revision);
  }

  /** Returns whether a segment has units that are needed. */
  synchronized boolean needs(long segment) {
    Map<String, long[]> last = segments.get(segment);
    if (last == null) {
      return false;
    }
    if (stored.size() < kept) {
      return true;
    }
    Map<String, Long> safe = stored.getFirst();
    for (Map.Entry<String, long[]> each : last.entrySet()) {
      Long revision = safe.get(each.getKey());
      OfTask task = tasks.get(each.getKey());
      boolean isNeeded =
          revision == null
              ? task != null && task.images != null // registered since
              : each.getValue()[0] > revision;
      if (isNeeded) {
        return true;
      }
    }
    return false;
  }

  /** A segment is deleted. */
  synchronized void deleted(long segment) {
    segments.remove(segment);
  }

  // ---- for Persistence

  /**
   * Begins to keep tasks.
   *
   * @param generations how many full snapshots are kept
   * @throws IllegalStateException if it keeps tasks already
   */
  public synchronized void attach(int generations) {
    if (isAttached) {
      throw new IllegalStateException(
          "the journal keeps tasks already (limit: 1 Persistence); recover once, or open it anew");
    }
    isAttached = true;
    kept = generations;
  }

  /** Keeps none, since they could not be recovered. */
  public synchronized void detach() {
    isAttached = false;
    kept = Integer.MAX_VALUE;
  }

  /** Returns whether there is something of a task. */
  public synchronized boolean has(String name) {
    OfTask task = tasks.get(name);
    return task != null && !units(task, 0).isEmpty();
  }

  /** Returns whether all of a task is there that is newer than a revision. */
  public synchronized boolean isWhole(String name, long revision) {
    OfTask task = tasks.get(name);
    List<List<ImageUnit>> units = task == null ? List.of() : units(task, revision);
    return !units.isEmpty() && units.getFirst().getFirst().isWhole();
  }

  /**
   * Puts what is newer than a snapshot over a task.
   *
   * @param objects those of the snapshot
   * @param revision of the snapshot
   * @throws IllegalArgumentException if something is missing, or does not fit the task
   */
  @SuppressWarnings("exports")
  public void recover(
      String name, Object root, ObjectsById objects, long revision, DeclaredClasses declared) {
    List<List<ImageUnit>> units;
    synchronized (this) {
      units = units(task(name), revision);
    }
    long last = revision;
    ImageReader reader = new ImageReader(root, objects, declared);
    for (List<ImageUnit> unit : units) {
      ImageUnit first = unit.getFirst();
      if (first.revision() != last + 1 && !first.isWhole()) {
        throw new IllegalArgumentException(
            ("the snapshot, or the segments before, have revision=%s of task %s, and the journal"
                    + " goes on with revision=%s (segment %s): what is between is missing")
                .formatted(last, name, first.revision(), SegmentNames.of(first.number())));
      }
      reader.apply(unit);
      last = first.revision();
    }
    synchronized (this) {
      OfTask task = task(name);
      task.parts = List.of();
      task.objects = objects;
      task.revision = last;
    }
  }

  /**
   * Finds the complete units that are newer than a revision, from the newest whole one on. A task
   * that was not initialized since its cold start is as its constructor makes it: there is none.
   */
  private static List<List<ImageUnit>> units(OfTask task, long revision) {
    List<List<ImageUnit>> units = new ArrayList<>();
    List<ImageUnit> unit = new ArrayList<>();
    for (ImageUnit part : task.parts) {
      if (part.isFirst()) {
        unit = new ArrayList<>();
      } else if (unit.isEmpty() || unit.getFirst().revision() != part.revision()) {
        continue;
      }
      unit.add(part);
      if (part.isLast() && part.revision() > revision) {
        if (part.isWhole()) {
          units.clear();
        }
        units.add(unit);
        unit = new ArrayList<>();
      }
    }
    boolean isCold = units.size() == 1 && units.getFirst().getFirst().revision() == TaskImages.COLD;
    return isCold ? List.of() : units;
  }

  /**
   * Has the journal keep what releases of a task change from now on.
   *
   * @throws dev.takt.space.Abort if the journal refuses it
   */
  @SuppressWarnings("exports")
  public ChangeSink register(
      String name, Object root, TaskMemory memory, DeclaredClasses declared) {
    TaskImages images;
    synchronized (this) {
      OfTask task = task(name);
      TaskImages before = task.images;
      images =
          new TaskImages(
              name, memory, declared, before == null ? task.revision : before.revision());
      if (task.objects != null) {
        images.recovered(task.objects);
        task.objects = null;
      }
      task.images = images;
    }
    boolean registered = false;
    try {
      images.register(root, this::put);
      registered = true;
    } finally {
      if (!registered) {
        forget(name, images);
      }
    }
    return images;
  }

  private synchronized void forget(String name, TaskImages refused) {
    OfTask task = task(name);
    if (task.images == refused) {
      task.images = null;
    }
  }

  private void put(ImageBuffer part) {
    while (!ring.put(part)) {
      settings.clock().parkNanos(LOOK_NS);
    }
  }

  /** Returns the ids of a task's objects, or null. */
  @SuppressWarnings("exports")
  public synchronized @Nullable ObjectIds ids(String name) {
    OfTask task = tasks.get(name);
    return task == null ? null : task.images;
  }

  /**
   * Waits until all that is committed now is safe, so that a snapshot may get its name.
   *
   * @param full the revisions of the snapshot, if it is full: it may be what a journal that has
   *     failed waits for; null: it is not
   * @throws IOException if the journal has failed, and the snapshot would be ahead of it
   */
  public void force(@Nullable Map<String, Long> full) throws IOException {
    JournalWriter writer = this.writer;
    long end = ring.tail();
    if (ring.isWriter()) {
      throw new IOException(
          "the journal's own thread, which calls its listener, cannot wait for it; make snapshots on"
              + " another");
    }
    while (writer != null && (ring.safe() - end < 0 || writer.failure() != null)) {
      Throwable failure = writer.failure();
      if (failure != null && !mayGoOn(writer, full)) {
        throw new IOException(
            "the journal has failed, and a snapshot would be ahead of it: " + failure, failure);
      }
      if (!writer.isAlive()) {
        throw new IOException("the journal is closed, and a snapshot would be ahead of it");
      }
      if (ring.safe() - end >= 0) {
        return;
      }
      writer.forceUpTo(end);
      settings.clock().parkNanos(LOOK_NS);
    }
  }

  /** Whether a snapshot has what the journal has lost, and what comes next is written again. */
  private boolean mayGoOn(JournalWriter writer, @Nullable Map<String, Long> full) {
    if (full == null || !writer.isWaiting()) {
      return false;
    }
    synchronized (this) {
      return isCoveredBy(full);
    }
  }

  /**
   * Returns whether no full snapshot was told of yet: older ones, of other processes, come first.
   */
  public synchronized boolean knowsNoSnapshot() {
    return stored.isEmpty();
  }

  /** A full snapshot is safe, with all up to some revisions, by the names of tasks. */
  public void stored(Map<String, Long> revisions) {
    synchronized (this) {
      stored.add(Map.copyOf(revisions));
      tasks.forEach(
          (name, task) -> {
            if (revisions.getOrDefault(name, UNKNOWN) >= task.lost) {
              task.lost = 0;
            }
          });
      if (stored.size() > kept) {
        stored.remove();
      }
    }
    JournalWriter writer = this.writer;
    if (writer != null) {
      writer.deleteSoon();
    }
  }
}
