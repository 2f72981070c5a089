package dev.takt.persist.cycle;

import dev.takt.persist.cycle.GraphWriter.Step;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.SaveSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a cycle that the persistence task does: from the cut to the last block.
 *
 * <pre>
 *   ASKING --all have begun--&gt; WRITING --each root--&gt; ENDING --detached--&gt; DONE
 *                 sinks attached        GraphWriter        last block
 * </pre>
 *
 * <p>A cycle that {@link Limits#tracks} detaches no sink: they list what changes until the next
 * cycle, whose sinks take over from them.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class CycleRun {
  /** How many small pieces of work are done between two looks at the clock, at most. */
  public static final int PIECES = 32;

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
    CLEARING_BEFORE,
    /** All is handed over, and the sinks go on listing what changes. */
    TRACKING,
    ENDING,
    CLEARING,
    DONE
  }

  /**
   * What bounds a cycle, and what kind it is of.
   *
   * @param maxObjects how many objects a root may have
   * @param maxSavedBytes how much the barrier of a root may save
   * @param marks whether all objects are marked before the first one is written
   * @param tracks whether what changes is listed for an incremental cycle that comes next
   */
  public record Limits(long maxObjects, long maxSavedBytes, boolean marks, boolean tracks) {}

  private final CycleMemory memory;
  private final List<StableRoot> roots;
  private final Limits limits;
  private final boolean hasIds;
  private final boolean hasMutables;
  private final List<GraphWriter> writers = new ArrayList<>();
  private final RecordOutput out;
  private Stage stage = Stage.ASKING;

  /** The root at hand. */
  private int at;

  /** Whether it was ended before all was written. */
  private boolean cut;

  // When no sink is attached any more.
  private volatile boolean counted;
  private long objects;
  private long barrierCalls;
  private long barrierSaves;
  private long extraObjects;
  private long barrierGrowths;

  /** Objects and bytes by the names of classes, when the memory has gone; guarded by this. */
  private @Nullable Map<String, long[]> classes;

  /**
   * Makes it; nothing is asked yet.
   *
   * @param memory what cycles before have left, which no other one uses
   * @param roots the tasks
   * @param declared the classes that are declared with a root
   * @param ids of the objects of each root; null for a root without, null instead of it: no root
   *     has any
   * @param baseGeneration what the cycle before has made, if what has changed since is to be
   *     written and no more: it has left this memory, and {@linkplain #canBeBase can be} the base
   *     for these roots; 0: the cycle is full
   */
  public CycleRun(
      CycleMemory memory,
      List<StableRoot> roots,
      Function<StableRoot, DeclaredClasses> declared,
      Limits limits,
      @Nullable Function<StableRoot, @Nullable ObjectIds> ids,
      long baseGeneration) {
    this.roots = List.copyOf(roots);
    this.hasIds = ids != null;
    this.limits = limits;
    this.memory = memory;
    memory.begin(this, baseGeneration > 0);
    out = new RecordOutput(memory.buffers());
    memory.retain(roots);
    hasMutables = this.roots.stream().anyMatch(each -> declared.apply(each).hasMutables());
    for (StableRoot root : roots) {
      CycleMemory.OfRoot own = memory.of(root.name());
      writers.add(
          new GraphWriter(
              own,
              root.object(),
              declared.apply(root),
              out,
              limits,
              ids == null ? null : ids.apply(root),
              hasIds,
              baseGeneration));
    }
  }

  /**
   * Returns whether what it has written and listed is all that an incremental cycle over some roots
   * needs, provided that its snapshot is safe. If so, one begins, or a full one: until then no ids
   * are forgotten.
   */
  public boolean canBeBase(List<StableRoot> next) {
    return stage == Stage.TRACKING
        && next.size() == roots.size()
        && IntStream.range(0, next.size())
            .allMatch(i -> isSame(next.get(i), roots.get(i)) && isComplete(writers.get(i)))
        && writers.stream().allMatch(each -> each.ids == null || each.ids.hold());
  }

  private static boolean isSame(StableRoot one, StableRoot other) {
    return one.object() == other.object()
        && one.sinks() == other.sinks()
        && one.name().equals(other.name());
  }

  private static boolean isComplete(GraphWriter writer) {
    ChangeList changes = writer.capture.changes();
    boolean hasAllIds = writer.ids == null || !writer.ids.hasUntold();
    return changes != null && changes.isComplete() && hasAllIds;
  }

  /**
   * Asks all tasks to begin, each at its next boundary; none of them waits.
   *
   * @param before the cycle whose sinks are attached still, which these take over from; null: none
   */
  public void begin(@Nullable CycleRun before) {
    int asked = 0;
    try {
      for (; asked < roots.size(); asked++) {
        StableRoot root = roots.get(asked);
        SaveSink sink = before == null ? null : before.sink(root);
        root.sinks().replace(sink, writers.get(asked).capture);
      }
    } finally {
      if (asked < roots.size()) {
        for (int i = 0; i < asked; i++) {
          roots.get(i).sinks().ask(null);
        }
      }
    }
    if (before != null) {
      before.leave(roots);
    }
  }

  private @Nullable SaveSink sink(StableRoot root) {
    for (int i = 0; i < roots.size(); i++) {
      if (roots.get(i).sinks() == root.sinks()) {
        return writers.get(i).capture;
      }
    }
    return null;
  }

  /** Detaches the sinks of roots of which another cycle has none. */
  private void leave(List<StableRoot> others) {
    for (StableRoot root : roots) {
      if (others.stream().noneMatch(each -> each.sinks() == root.sinks())) {
        root.sinks().ask(null);
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
      case CLEARING_BEFORE -> clearBefore();
      case ENDING -> awaitEnd();
      case CLEARING -> clear();
      case TRACKING, DONE -> State.DONE;
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
    Step step = writers.get(at).step(pieces);
    if (step == Step.DONE) {
      requireConsistent(at);
      at++;
    }
    return step == Step.NO_ROOM ? State.WAITING : State.RUNNING;
  }

  /** After all was read of a root. */
  private void requireConsistent(int root) {
    String failure = writers.get(root).capture.failure();
    if (failure != null) {
      throw new IllegalStateException("root " + roots.get(root).name() + ": " + failure);
    }
    IdOutput ids = writers.get(root).ids;
    if (ids != null) {
      ids.end();
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
    if (limits.tracks()) {
      at = 0;
      stage = Stage.CLEARING_BEFORE;
    } else {
      end();
    }
    return State.RUNNING;
  }

  /**
   * Ends it before all is written, because it has failed: asks all tasks to save no more; {@link
   * #work} waits until none does. The memory is not used again.
   */
  public void cut() {
    if (stage != Stage.DONE) {
      cut = true;
      memory.end();
      end();
    }
  }

  private void end() {
    if (stage.compareTo(Stage.ENDING) < 0) {
      for (int i = 0; i < roots.size(); i++) {
        roots.get(i).sinks().ask(null);
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
    at = 0;
    count();
    stage = cut ? Stage.DONE : Stage.CLEARING;
    return State.RUNNING;
  }

  /** What the sinks before have listed is written: their memory is for those that come next. */
  private State clearBefore() {
    if (at == writers.size()) {
      count();
      stage = Stage.TRACKING;
      return State.DONE;
    }
    if (writers.get(at).clearBefore()) {
      at++;
    }
    return State.RUNNING;
  }

  private void count() {
    if (counted) {
      return; // and it has failed after that
    }
    long objects = 0;
    for (int i = 0; i < writers.size(); i++) {
      Capture capture = writers.get(i).capture;
      objects += writers.get(i).objects();
      barrierCalls += capture.invocations();
      barrierSaves += capture.saves();
      barrierGrowths += capture.growths();
    }
    this.objects = objects;
    counted = true;
  }

  /** Makes the memory ready for the next cycle, a small part at a time. */
  private State clear() {
    if (at == writers.size()) {
      memory.end();
      stage = Stage.DONE;
      return State.DONE;
    }
    if (writers.get(at).clear()) {
      extraObjects += writers.get(at).capture.extras();
      at++;
    }
    return State.RUNNING;
  }

  /** Returns whether another cycle can have the memory: nothing refers to it any more. */
  public boolean isCleared() {
    return stage == Stage.DONE && !cut;
  }

  /** Returns whether all is handed over and the sinks list what changes. */
  public boolean isTracking() {
    return stage == Stage.TRACKING;
  }

  /** Returns whether all tasks have passed the boundary at which the cycle begins. */
  public boolean hasBegun() {
    return stage != Stage.ASKING;
  }

  /** Returns how many objects there are with those of the base. */
  public long allObjects() {
    return writers.stream().mapToLong(GraphWriter::allObjects).sum();
  }

  /** Returns how many objects were found that are written. */
  public long objects() {
    if (counted) {
      return objects;
    }
    long objects = 0;
    for (int i = 0; i < writers.size(); i++) {
      objects += writers.get(i).objects();
    }
    return objects;
  }

  /** Returns the version of the file. */
  public int version() {
    return Format.version(hasIds, hasMutables);
  }

  /** Returns the revisions of the cut, by the names of the roots; when all is written. */
  public Map<String, Long> revisions() {
    Map<String, Long> all = new HashMap<>();
    for (int i = 0; i < roots.size(); i++) {
      all.put(roots.get(i).name(), writers.get(i).revision());
    }
    return all;
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
  public synchronized void classes(ClassSink to) {
    (classes == null ? countClasses() : classes)
        .forEach((name, sum) -> to.add(name, sum[0], sum[1]));
  }

  /** The memory goes to another cycle: what is asked of it later is found out now. */
  synchronized void leaveMemory() {
    classes = countClasses();
  }

  private Map<String, long[]> countClasses() {
    Map<String, long[]> all = new HashMap<>();
    for (GraphWriter writer : writers) {
      writer.classes(
          (name, objects, bytes) -> {
            long[] sum = all.computeIfAbsent(name, any -> new long[2]);
            sum[0] += objects;
            sum[1] += bytes;
          });
    }
    return all;
  }

  /** Returns how often a release has called the barrier; when {@link State#DONE}. */
  public long barrierCalls() {
    return barrierCalls;
  }

  /** Returns how many objects and arrays the barrier has saved; when {@link State#DONE}. */
  public long barrierSaves() {
    return barrierSaves;
  }

  /** Returns how many of these belong to no root; when {@link State#DONE}, and not ended before. */
  public long extraObjects() {
    return extraObjects;
  }

  /** Returns how often a barrier had to allocate memory; when {@link State#DONE}. */
  public long barrierGrowths() {
    return barrierGrowths;
  }
}
