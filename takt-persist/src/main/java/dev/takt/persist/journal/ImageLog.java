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

  /** What there is of a task. */
  private static final class OfTask {
    private List<ImageUnit> parts = new ArrayList<>();
    private @Nullable ObjectsById objects;
    private long revision;
    private @Nullable TaskImages images;
  }

  private final CommitRing ring;
  private @Nullable JournalWriter writer;
  private final JournalSettings settings;

  // Guarded by this.
  private final Map<String, OfTask> tasks = new HashMap<>();

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

  /** A unit, or a part, was found when the journal was opened. */
  synchronized void read(String task, ImageUnit part) {
    tasks.computeIfAbsent(task, any -> new OfTask()).parts.add(part);
    note(part.number(), task, part.revision());
  }

  /** A unit, or a part, is written. */
  synchronized void written(long segment, ImageCursor unit) {
    note(segment, unit.task(), unit.revision());
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

  /** Returns whether tasks are kept, so that no unit may be lost. */
  synchronized boolean isAttached() {
    return isAttached;
  }

  // ---- for Persistence

  /**
   * Begins to keep tasks.
   *
   * @param generations how many full snapshots are kept
   * @throws IllegalArgumentException if the journal goes on unsafe
   * @throws IllegalStateException if it keeps tasks already
   */
  public synchronized void attach(int generations) {
    if (settings.goesOnUnsafe()) {
      throw new IllegalArgumentException(
          "the journal goes on without its storage (JournalSettings.withGoingOnUnsafe), so what"
              + " releases have changed would be lost; open it without");
    }
    if (isAttached) {
      throw new IllegalStateException(
          "the journal keeps tasks already (limit: 1 Persistence); recover once, or open it anew");
    }
    isAttached = true;
    kept = generations;
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
      units = units(tasks.computeIfAbsent(name, any -> new OfTask()), revision);
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
      OfTask task = tasks.computeIfAbsent(name, any -> new OfTask());
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
      OfTask task = tasks.computeIfAbsent(name, any -> new OfTask());
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
    images.register(root, this::put);
    return images;
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
   * Waits until all that is committed now is safe.
   *
   * @throws IOException if the journal has failed
   */
  public void force() throws IOException {
    JournalWriter writer = this.writer;
    long end = ring.tail();
    while (writer != null && ring.safe() - end < 0) {
      Throwable failure = writer.failure();
      if (failure != null) {
        throw new IOException(
            "the journal has failed, and a snapshot would be ahead of it: " + failure, failure);
      }
      if (!writer.isAlive()) {
        throw new IOException("the journal is closed, and a snapshot would be ahead of it");
      }
      writer.forceUpTo(end);
      settings.clock().parkNanos(LOOK_NS);
    }
  }

  /** A full snapshot is safe, with all up to some revisions, by the names of tasks. */
  public void stored(Map<String, Long> revisions) {
    synchronized (this) {
      stored.add(Map.copyOf(revisions));
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
