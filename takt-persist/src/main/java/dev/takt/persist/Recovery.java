package dev.takt.persist;

import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.journal.ImageLog;
import dev.takt.persist.recover.GraphReader;
import dev.takt.persist.recover.ObjectsById;
import dev.takt.persist.recover.Unknown;
import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.TaskRecovery;
import dev.takt.reflex.woven.ChangeSink;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.Abort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What there was to recover: warm or cold start told apart in one call. Hand it to the runtime with
 * {@link dev.takt.reflex.RuntimeSettings#withRecovery}.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class Recovery implements TaskRecovery, AutoCloseable {
  /**
   * A snapshot that was there and is damaged, not complete or cannot be read.
   *
   * @param generation its number
   * @param reason what is wrong, with the offset
   */
  public record Rejected(long generation, String reason) {}

  private final @Nullable SnapshotChain chain;
  private final List<Rejected> rejected;
  private final Function<Class<?>, DeclaredClasses> declared;
  private final Set<String> claimed = new HashSet<>();

  /** The plain roots of the snapshot; null: not read yet. */
  private @Nullable Map<String, Object> plain;

  /** What was declared when they were read. */
  private @Nullable DeclaredClasses plainClasses;

  /** The roots that are recovered lazily and not yet seen by a cycle: of the persistence. */
  private final Map<String, RootRecovery> lazy;

  /** What a journal has of the tasks; null: there is none. */
  private final @Nullable ImageLog images;

  private final NanoClock clock;

  Recovery(
      @Nullable SnapshotChain chain,
      List<Rejected> rejected,
      Function<Class<?>, DeclaredClasses> declared,
      Map<String, RootRecovery> lazy,
      @Nullable ImageLog images,
      NanoClock clock) {
    this.images = images;
    this.lazy = lazy;
    this.clock = clock;
    this.chain = chain;
    this.rejected = List.copyOf(rejected);
    this.declared = declared;
  }

  /**
   * Returns whether there is a complete snapshot: a warm start. Whether a root is in it, {@link
   * #recover} and {@link #root} say: it may have others.
   */
  public boolean isWarm() {
    return chain != null;
  }

  /** Returns the generation of the snapshot; 0 at a cold start. */
  public long generation() {
    return chain == null ? 0 : chain.generation();
  }

  /**
   * Returns the names of the tasks in the snapshot; the plain roots, if there are any, are together
   * one of them, {@code (roots)}.
   */
  public List<String> roots() {
    return chain == null ? List.of() : chain.roots();
  }

  /**
   * Returns the roots that no task has claimed, and the plain ones that were not asked for: when
   * all are registered or added, what the next snapshots will not have any more.
   */
  public List<String> unclaimed() {
    List<String> all = new ArrayList<>(roots());
    Map<String, Object> known = plain;
    if (known != null) {
      all.addAll(known.keySet());
    }
    all.removeAll(claimed);
    return List.copyOf(all);
  }

  /** Returns the newer snapshots that could not be used, the newest first. */
  public List<Rejected> rejected() {
    return rejected;
  }

  @Override
  public boolean recover(String name, ReflexTask task) {
    RootRecovery begun = lazy.get(name);
    if (begun != null && begun.task() == task) {
      GraphReader reader = begun.requireDone();
      replay(name, task, reader);
      return true;
    }
    return read(name, task, task.getClass());
  }

  @Override
  public @Nullable ChangeSink changes(String name, ReflexTask task, TaskMemory memory) {
    try {
      return images == null
          ? null
          : images.register(name, task, memory, declared.apply(task.getClass()));
    } catch (Abort refused) {
      throw new IllegalStateException(
          "task %s cannot be kept by the journal: %s".formatted(name, refused.getMessage()),
          refused);
    }
  }

  private static void readAll(GraphReader reader) throws IOException {
    boolean done = false;
    while (!done) {
      done = reader.step(Integer.MAX_VALUE);
    }
  }

  /** Puts what the journal has over what was read of a snapshot; null: nothing was. */
  private void replay(String name, Object root, @Nullable GraphReader reader) {
    if (images != null) {
      images.recover(
          name,
          root,
          reader == null ? new ObjectsById() : reader.objectsById(),
          reader == null ? 0 : Math.max(0, reader.revision()),
          declared.apply(root.getClass()));
    }
  }

  private boolean read(String name, Object root, Class<?> type) {
    ImageLog log = root instanceof ReflexTask ? images : null;
    boolean isStored = roots().contains(name);
    if (!isStored && (log == null || !log.has(name))) {
      return false;
    }
    try {
      GraphReader reader = isStored ? reader(name, root, type) : null;
      if (reader != null && log != null && log.isWhole(name, Math.max(0, reader.revision()))) {
        reader = null;
      }
      if (reader != null) {
        readAll(reader);
      }
      if (log != null) {
        replay(name, root, reader);
      }
    } catch (IllegalArgumentException | IOException e) {
      throw failure(name, e);
    }
    claimed.add(name);
    return true;
  }

  /**
   * Begins to recover a task lazily: in increments, while others, which are registered, run. When
   * it is done, the task is registered, and goes on with the events that have come meanwhile. Until
   * then no cycle begins, since its snapshot would not have this root.
   *
   * @param name the name under which the task is to be registered
   * @param task as its constructor has made it; not registered
   * @return what reads it; this must stay open for that long
   * @throws IllegalArgumentException if nothing is stored under that name
   * @throws IllegalStateException if it is recovered already
   */
  public RootRecovery recoverLazily(String name, ReflexTask task) {
    if (!roots().contains(name)) {
      throw new IllegalArgumentException(
          "nothing is stored under name=%s (stored: %s); register the task as it is"
              .formatted(name, roots()));
    }
    RootRecovery begun =
        new RootRecovery(
            name,
            task,
            clock,
            () -> reader(name, task, task.getClass()),
            this::failure,
            () -> lazy.remove(name));
    if (!claimed.add(name) || lazy.putIfAbsent(name, begun) != null) {
      throw new IllegalStateException(
          "root %s is recovered already; recover each root once".formatted(name));
    }
    return begun;
  }

  /**
   * Returns a plain object that was stored as a root: the paper's RecvPData. All roots of a
   * snapshot are read at the first call, since they may have objects in common; so with roots of
   * several classes these are {@linkplain Persistence#declare declared} before that, unless the
   * first one leads to them. Roots whose class is not declared, or is gone, are skipped, and stay
   * {@link #unclaimed}.
   *
   * @return the object, which is no root of the next snapshot before it is {@linkplain
   *     Persistence#addRoot added}; null: none was stored under this name, at a cold start, or
   *     because the root is new
   * @throws IllegalArgumentException if what was stored does not fit the classes of this program;
   *     and, at a cold start too, if this class was not declared before the first root was asked
   *     for
   */
  public <T> @Nullable T root(String name, Class<T> type) {
    Map<String, Object> known = plain;
    if (known == null) {
      @Nullable Object[] graph = new Object[1];
      known = read(PlainRoots.NAME, graph, type) ? PlainRoots.of(graph) : Map.of();
      plain = known;
      plainClasses = declared.apply(type);
    }
    Object root = known.get(name);
    if (root instanceof Unknown unknown) {
      throw new IllegalArgumentException(
          ("root %s was stored as %s, which is not declared; call persistence.declare(%s.class)"
                  + " before the first root is asked for; and if that class had the name before,"
                  + " annotate it with @FormerName(\"%s\")")
              .formatted(name, unknown.type(), type.getSimpleName(), unknown.type()));
    }
    if (root == null) {
      requireDeclared(name, type);
    }
    if (root != null && !type.isInstance(root)) {
      throw new IllegalArgumentException(
          "root %s was stored as %s, it is asked for as %s; ask for that, or under another name"
              .formatted(name, root.getClass().getName(), type.getName()));
    }
    claimed.add(name);
    return type.cast(root);
  }

  /** Has a program fail at its first start already, and not at the next one. */
  private void requireDeclared(String name, Class<?> type) {
    DeclaredClasses read = plainClasses;
    if (read != null && Undoable.class.isAssignableFrom(type) && !read.contains(type)) {
      throw new IllegalArgumentException(
          ("root %s is asked for as %s, which was not declared when the first root was asked for, so"
                  + " it could not be recovered; call persistence.declare(%s.class) before that")
              .formatted(name, type.getName(), type.getSimpleName()));
    }
  }

  @SuppressWarnings("NullAway") // there are files where there are roots
  private GraphReader reader(String name, Object root, Class<?> type) throws IOException {
    return new GraphReader(chain.read(name), root, declared.apply(type));
  }

  private RuntimeException failure(String name, Exception e) {
    String message =
        "%s %s cannot be recovered from generation %s: %s"
            .formatted(
                name.equals(PlainRoots.NAME) ? "graph" : "task",
                name,
                generation(),
                e.getMessage());
    return e instanceof IOException io
        ? new UncheckedIOException(message, io)
        : new IllegalArgumentException(message, e);
  }

  /** Closes the snapshot: nothing is recovered any more. */
  @Override
  public void close() throws IOException {
    if (chain != null) {
      chain.close();
    }
  }
}
