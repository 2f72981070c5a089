package dev.takt.persist.cycle;

import dev.takt.persist.cycle.GraphWriter.Step;
import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.reflex.StableRoot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The part of a cycle that the persistence task does: from the cut to the last block.
 *
 * <pre>
 *   ASKING --all have begun--&gt; WRITING --each root--&gt; ENDING --detached--&gt; DONE
 *                 sinks attached        GraphWriter        last block
 * </pre>
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class CycleRun {
  /** How many small pieces of work are done between two looks at the clock, at most. */
  public static final int PIECES = 16;

  /** What the work has come to. */
  public enum State {
    /** There is more to do. */
    RUNNING,
    /** Nothing can be done until a release ends or a buffer is written. */
    WAITING,
    /** All was handed to the writer, and no sink is attached any more. */
    DONE
  }

  private enum Stage {
    ASKING,
    WRITING,
    LAST_BLOCK,
    ENDING,
    DONE
  }

  private final List<StableRoot> roots;
  private final Map<String, BarrierRoom> rooms;
  private final long maxSavedBytes;
  private final List<GraphWriter> writers = new ArrayList<>();
  private final RecordOutput out;
  private Stage stage = Stage.ASKING;

  /** The root at hand. */
  private int at;

  /**
   * Makes it; nothing is asked yet.
   *
   * @param roots the tasks
   * @param declared the classes that are declared with a root
   * @param rooms what the barriers have saved in earlier cycles, by the names of the roots; it is
   *     brought up to date when the cycle is {@link State#DONE}
   */
  public CycleRun(
      List<StableRoot> roots,
      Function<StableRoot, DeclaredClasses> declared,
      BlockBuffers buffers,
      Map<String, BarrierRoom> rooms,
      long maxObjects,
      long maxSavedBytes,
      boolean marks) {
    this.roots = List.copyOf(roots);
    this.rooms = rooms;
    this.maxSavedBytes = maxSavedBytes;
    this.out = new RecordOutput(buffers);
    GraphWriter.Limits limits = new GraphWriter.Limits(maxObjects, maxSavedBytes, marks);
    Scratch scratch = new Scratch();
    for (StableRoot root : roots) {
      BarrierRoom room = rooms.getOrDefault(root.name(), BarrierRoom.FIRST);
      writers.add(
          new GraphWriter(
              root.name(), root.object(), declared.apply(root), out, scratch, room, limits));
    }
  }

  /** Asks all tasks to begin, each at its next boundary; none of them waits. */
  public void begin() {
    int asked = 0;
    try {
      for (; asked < roots.size(); asked++) {
        roots.get(asked).sinks().ask(writers.get(asked).capture);
      }
    } finally {
      if (asked < roots.size()) {
        for (int i = 0; i < asked; i++) {
          roots.get(i).sinks().ask(null);
        }
      }
    }
  }

  /**
   * Does some pieces of work.
   *
   * @param pieces how many objects at most; a chunk of an array or string counts for all of them
   * @throws IllegalArgumentException if something cannot be stored
   * @throws IllegalStateException if the barrier could not save what it should
   */
  public State work(int pieces) {
    return switch (stage) {
      case ASKING -> awaitBegin();
      case WRITING -> write(pieces);
      case LAST_BLOCK -> writeLast();
      case ENDING -> awaitEnd();
      case DONE -> State.DONE;
    };
  }

  private State awaitBegin() {
    while (at < roots.size() && roots.get(at).sinks().hasBegun()) {
      at++;
    }
    if (at < roots.size()) {
      return State.WAITING;
    }
    at = 0;
    stage = Stage.WRITING;
    return State.RUNNING;
  }

  private State write(int pieces) {
    if (at == writers.size()) {
      stage = Stage.LAST_BLOCK;
      return State.RUNNING;
    }
    GraphWriter writer = writers.get(at);
    for (int i = 0; i < pieces; i++) {
      Step step = writer.step();
      if (step == Step.NO_ROOM) {
        return State.WAITING;
      }
      if (step == Step.CHUNK) {
        return State.RUNNING;
      }
      if (step == Step.DONE) {
        requireConsistent(at);
        at++;
        return State.RUNNING;
      }
    }
    return State.RUNNING;
  }

  /** After all was read of a root. */
  private void requireConsistent(int root) {
    String failure = writers.get(root).capture.failure();
    if (failure != null) {
      throw new IllegalStateException("root " + roots.get(root).name() + ": " + failure);
    }
  }

  private State writeLast() {
    if (out.isBegun()) {
      out.end();
    }
    if (!out.begin(Format.END_BLOCK)) {
      return State.WAITING;
    }
    out.eightBytes(roots.size());
    out.eightBytes(objects());
    out.end();
    end();
    return State.RUNNING;
  }

  /** Asks all tasks to save no more; {@link #work} waits until none does. */
  public void end() {
    if (stage != Stage.ENDING && stage != Stage.DONE) {
      for (StableRoot root : roots) {
        root.sinks().ask(null);
      }
      at = 0;
      stage = Stage.ENDING;
    }
  }

  private State awaitEnd() {
    while (at < roots.size() && roots.get(at).sinks().hasBegun()) {
      at++;
    }
    if (at < roots.size()) {
      return State.WAITING;
    }
    stage = Stage.DONE;
    for (int i = 0; i < roots.size(); i++) {
      BarrierRoom used = writers.get(i).capture.used();
      rooms.merge(
          roots.get(i).name(),
          BarrierRoom.FIRST.atLeast(used, maxSavedBytes),
          (before, now) -> before.atLeast(now, maxSavedBytes));
    }
    return State.DONE;
  }

  /** Returns whether all tasks have passed the boundary at which the cycle begins. */
  public boolean hasBegun() {
    return stage != Stage.ASKING;
  }

  /** Returns how many objects were found. */
  public long objects() {
    long objects = 0;
    for (int i = 0; i < writers.size(); i++) {
      objects += writers.get(i).objects();
    }
    return objects;
  }

  /** Returns how many blocks were handed to the writer. */
  public long blocks() {
    return out.blocks();
  }

  /** Returns how many bytes of payload were put. */
  public long payloadBytes() {
    return out.bytes();
  }

  /** Told of the objects of a class. */
  public interface ClassSink {
    /** Some objects of a class of that name, and how many bytes they took. */
    void add(String name, long objects, long bytes);
  }

  /** Tells of which classes the objects are; when {@link State#DONE}. */
  public void classes(ClassSink to) {
    Map<String, long[]> all = new HashMap<>();
    for (GraphWriter writer : writers) {
      writer.classes(
          (name, objects, bytes) -> {
            long[] sum = all.computeIfAbsent(name, any -> new long[2]);
            sum[0] += objects;
            sum[1] += bytes;
          });
    }
    all.forEach((name, sum) -> to.add(name, sum[0], sum[1]));
  }

  /** Returns how often a release has called the barrier; when {@link State#DONE}. */
  public long barrierCalls() {
    return writers.stream().mapToLong(each -> each.capture.invocations()).sum();
  }

  /** Returns how many objects and arrays the barrier has saved; when {@link State#DONE}. */
  public long barrierSaves() {
    return writers.stream().mapToLong(each -> each.capture.saves()).sum();
  }

  /** Returns how many of these belong to no root; when {@link State#DONE}. */
  public long extraObjects() {
    return writers.stream().mapToLong(each -> each.capture.extras()).sum();
  }

  /** Returns how often a barrier had to allocate memory; when {@link State#DONE}. */
  public long barrierGrowths() {
    return writers.stream().mapToLong(each -> each.capture.growths()).sum();
  }
}
