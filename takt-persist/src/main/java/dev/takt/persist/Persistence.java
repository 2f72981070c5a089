package dev.takt.persist;

import dev.takt.persist.cycle.CycleMemory;
import dev.takt.persist.cycle.CycleRun;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.journal.ImageLog;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.Generations;
import dev.takt.persist.store.Storage;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.TaskControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Stores the state of tasks and of plain objects while they go on, and gives it back: the paper's
 * SendPData and RecvPData, with each task as a persistent root by its name, and others by {@link
 * #addRoot}. What is stored together is consistent in itself; objects that are to be stored at
 * other times have a {@code Persistence} of their own, with a folder of its own.
 *
 * {@snippet :
 * Persistence persistence = Persistence.open(Path.of("data"));
 * Recovery recovery = persistence.recover();
 * ReflexRuntime runtime =
 *     ReflexRuntime.create(space, RuntimeSettings.DEFAULTS.withRecovery(recovery));
 * runtime.passive("buyer", new StockBuyer(), 10);
 * runtime.start();
 * persistence.begin(runtime).run();
 * // ...
 * persistence.close();
 * }
 *
 * <p><b>One program at a time.</b> From the first recovery or cycle on the folder is locked against
 * other programs, until this is closed or the program ends, however it does. Several of one program
 * may be open, of which one writes a snapshot at a time.
 *
 * <p><b>Thread rule:</b> any thread, but for the storage, which one cycle or recovery uses at a
 * time.
 *
 * <p><b>Memory:</b> see {@link PersistSettings}.
 */
public final class Persistence implements AutoCloseable {
  private final PersistSettings settings;
  private final Storage storage;
  private final Generations generations;
  private final PlainRoots roots = new PlainRoots();
  private final CopyOnWriteArraySet<Class<?>> more = new CopyOnWriteArraySet<>();
  private final Map<Class<?>, DeclaredClasses> declared = new ConcurrentHashMap<>();

  /** The roots that are recovered lazily and that no cycle has stored yet. */
  private final Map<String, RootRecovery> lazy = new ConcurrentHashMap<>();

  /** The journal that keeps the tasks, too; null: there is none. */
  private volatile @Nullable Journal journal;

  private final AtomicBoolean cycling = new AtomicBoolean();
  private volatile boolean closed;

  /** What the cycle before has left; guarded by {@link #cycling}. */
  private @Nullable CycleMemory memory;

  /** What an incremental cycle goes on with; guarded likewise. */
  private @Nullable Chain chain;

  /**
   * A full snapshot and the incremental ones after it, all of this program.
   *
   * @param run the last cycle, whose sinks list what changes
   * @param memory what it has left
   * @param generation what it has made
   * @param length how many snapshots there are
   * @param fullObjects how many objects the full one has
   * @param fullBytes how long it is
   * @param moreBytes how long the others are together
   */
  private record Chain(
      CycleRun run,
      CycleMemory memory,
      long generation,
      int length,
      long fullObjects,
      long fullBytes,
      long moreBytes) {

    /** Objects that nothing leads to any more stay until a full cycle: as many as there were. */
    boolean goesOn(int fullEvery, List<StableRoot> roots) {
      return length < fullEvery
          && moreBytes <= fullBytes
          && run.allObjects() <= 2 * fullObjects
          && run.canBeBase(roots);
    }
  }

  private Persistence(Storage storage, PersistSettings settings) {
    this.storage = Objects.requireNonNull(storage, "storage");
    this.settings = Objects.requireNonNull(settings, "settings");
    this.generations = new Generations(storage, settings.generations());
  }

  /** Opens a folder, which is made if it is not there, with the default settings. */
  public static Persistence open(Path folder) throws IOException {
    return open(FolderStorage.open(folder), PersistSettings.DEFAULTS);
  }

  /** Opens a storage. */
  public static Persistence open(Storage storage, PersistSettings settings) {
    return new Persistence(storage, settings);
  }

  /** Returns the settings. */
  public PersistSettings settings() {
    return settings;
  }

  /** Keeps other programs from writing to the storage, until this is closed. */
  void hold() {
    requireOpen();
    try {
      generations.hold();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed; open another one");
    }
  }

  /**
   * Declares classes beyond those that the fields and the weaver's notes of a task lead to:
   * subclasses, for example, that no field names. An instance of a class that is not declared is
   * not stored, and none is made whatever a file says.
   */
  public void declare(Class<?>... classes) {
    more.addAll(List.of(classes));
    declared.clear();
  }

  private DeclaredClasses declared(Class<?> root) {
    return declared.computeIfAbsent(root, type -> DeclaredClasses.of(type, more));
  }

  /**
   * Makes a plain object a root: it is stored by each cycle that begins after this, with all that
   * it leads to, and given back by {@link Recovery#root}. The paper's AddRoot.
   *
   * @param name the root of this name before, if any, is none any more
   * @param root an instance of a {@link dev.takt.persist.annotation.Persistent} class
   * @throws IllegalArgumentException if its class is not woven
   */
  public void addRoot(String name, Object root) {
    Objects.requireNonNull(name, "name");
    roots.put(name, Objects.requireNonNull(root, "root"));
    declare(root.getClass());
  }

  /** Makes a plain object no root any more; the next snapshot is without it. */
  public void removeRoot(String name) {
    roots.remove(name);
  }

  /**
   * Finds the newest snapshot that is complete, with all that it is based on. Every byte of it is
   * checked; those that are damaged or cannot be read are passed over and {@linkplain
   * Recovery#rejected named}.
   *
   * @return what there is; close it when all tasks are registered
   * @throws IOException if the storage cannot be read, or has snapshots and none that can be used,
   *     or another program writes to it
   */
  public Recovery recover() throws IOException {
    return recovery(null);
  }

  /**
   * Looks which snapshots of a storage a recovery would pass over, with the reasons: as {@link
   * Recovery#rejected} does, but for all of them, older ones too. Changes nothing, keeps no other
   * program out, and reads all files.
   *
   * @return the newest first
   * @throws IOException if the names of the files cannot be read
   */
  public static List<Recovery.Rejected> rejected(Storage storage) throws IOException {
    return SnapshotChain.rejected(new Generations(storage, 1));
  }

  private Recovery recovery(@Nullable Journal journal) throws IOException {
    requireOpen();
    generations.hold();
    List<Recovery.Rejected> rejected = new ArrayList<>();
    List<Generations.File> ahead = new ArrayList<>();
    SnapshotChain chain = SnapshotChain.newest(generations, rejected, journal, ahead);
    generations.delete(ahead); // before a commit has the revision that they have
    ImageLog images = journal == null ? null : journal.images();
    return new Recovery(chain, rejected, this::declared, lazy, images, settings.clock());
  }

  /**
   * As {@link #recover()}, but of tasks up to the last commit that the journal has: their fields
   * agree with the events that it has given back. From then on each release that commits has what
   * it has changed kept by the journal, in one record with its events; cycles store the rest. Use
   * it at each start from the first one on, once, before a cycle begins.
   *
   * @param journal open, of the space of the tasks
   * @throws IOException as {@link #recover()}; or if the snapshots go with another journal: the
   *     segments of that are gone, or this one is of another program. {@link
   *     dev.takt.persist.journal.JournalSettings#withId} has a program go on then, without what
   *     only that journal has.
   * @throws IllegalStateException if the journal keeps the tasks of another one
   */
  public Recovery recover(Journal journal) throws IOException {
    ImageLog images = journal.images();
    images.attach(settings.generations());
    Recovery recovery = null;
    try {
      recovery = recovery(journal);
      this.journal = journal;
      return recovery;
    } finally {
      if (recovery == null) {
        images.detach(); // so that it can be tried again
      }
    }
  }

  /**
   * Begins a cycle over the {@linkplain #addRoot plain roots}: all are stored as they are at one
   * moment after this call, in which no thread is in an update. The paper's SendPData.
   *
   * @throws IllegalStateException if there are none, or the cycle before is not over
   */
  public Cycle begin() {
    StableRoot plain = roots.graph();
    if (plain == null) {
      throw new IllegalStateException("there are no roots; add one with Persistence.addRoot");
    }
    return begin(List.of(plain));
  }

  /**
   * Begins a cycle over all tasks of a runtime: each is stored as it is at a moment between two of
   * its releases, which comes after this call. Plain roots, if there are any, are stored with them,
   * as they are at a moment of their own.
   *
   * @throws IllegalStateException if the cycle before is not over
   */
  public Cycle begin(ReflexRuntime runtime) {
    List<StableRoot> all =
        new ArrayList<>(runtime.tasks().stream().map(TaskControl::stableRoot).toList());
    StableRoot plain = roots.graph();
    if (plain != null) {
      all.add(plain);
    }
    return begin(all);
  }

  /**
   * Returns how long after a cycle, in nanoseconds, another one is to begin because the journal has
   * failed and waits for a full snapshot; less than 0: it does not wait.
   */
  long wantedAfterNs() {
    Journal journal = this.journal;
    return journal != null && journal.images().wantsSnapshot() ? journal.images().retryNs() : -1;
  }

  /** Returns whether all roots that are recovered lazily are tasks of a runtime now. */
  boolean hasAllRoots(ReflexRuntime runtime) {
    return lazy.isEmpty()
        || missing(runtime.tasks().stream().map(TaskControl::stableRoot).toList()) == null;
  }

  /** Returns whether a runtime has something to store. */
  boolean hasRoots(ReflexRuntime runtime) {
    return !runtime.tasks().isEmpty() || roots.graph() != null;
  }

  private @Nullable String missing(List<StableRoot> roots) {
    if (lazy.isEmpty()) {
      return null;
    }
    return lazy.keySet().stream()
        .filter(name -> roots.stream().noneMatch(each -> each.name().equals(name)))
        .findFirst()
        .orElse(null);
  }

  private static Set<String> names(List<StableRoot> roots) {
    Set<String> names = new HashSet<>();
    for (StableRoot each : roots) {
      names.add(each.name());
    }
    return names;
  }

  /**
   * Begins a cycle over some tasks.
   *
   * @throws IllegalArgumentException if there is none, or two have one name
   * @throws IllegalStateException if the cycle before is not over, or a root that is {@linkplain
   *     Recovery#recoverLazily recovered lazily} is not among them: the snapshot would lose it; or
   *     this is closed
   */
  public Cycle begin(List<StableRoot> roots) {
    requireOpen();
    String missing = missing(roots);
    if (missing != null) {
      throw new IllegalStateException(
          ("root %s is being recovered, and a snapshot without it would lose it; register its task"
                  + " first, or close its RootRecovery")
              .formatted(missing));
    }
    int names = names(roots).size();
    if (roots.isEmpty() || names < roots.size()) {
      throw new IllegalArgumentException(
          "roots=%s, different names=%s; give each root a name of its own, and at least one"
              .formatted(roots.size(), names));
    }
    if (!cycling.compareAndSet(false, true)) {
      throw new IllegalStateException("a cycle goes on already; begin the next one after it");
    }
    Journal journal = this.journal;
    ImageLog images = journal == null ? null : journal.images();
    Chain before = chain;
    chain = null;
    boolean begun = false;
    try {
      roots.forEach(each -> declared(each.object().getClass()).prepare());
      boolean goesOn =
          (images == null || !images.wantsSnapshot())
              && before != null
              && before.goesOn(settings.fullEvery(), roots);
      Chain base = goesOn ? before : null;
      long baseGeneration = base == null ? 0 : base.generation();
      if (before != null && base == null) {
        before.memory().end();
      }
      CycleMemory kept = base == null ? memory : base.memory();
      memory = null;
      CycleMemory own = kept == null ? new CycleMemory(settings.blockBytes()) : kept;
      CycleRun run =
          new CycleRun(
              own,
              roots,
              root -> declared(root.object().getClass()),
              new CycleRun.Limits(
                  settings.maxObjects(),
                  settings.maxSavedBytes(),
                  settings.scheme() == Scheme.MARKING,
                  settings.fullEvery() > 1),
              images == null ? null : root -> images.ids(root.name()),
              baseGeneration);
      run.begin(before == null ? null : before.run());
      begun = true;
      roots.forEach(each -> lazy.remove(each.name()));
      return new Cycle(
          run,
          own,
          generations,
          settings.clock(),
          baseGeneration,
          journal,
          cycle -> over(cycle, base));
    } finally {
      if (!begun) {
        if (before != null) {
          before.run().cut();
        }
        cycling.set(false);
      }
    }
  }

  private void over(Cycle cycle, @Nullable Chain before) {
    CycleRun run = cycle.safeRun();
    if (run != null && run.isCleared()) {
      memory = cycle.memory();
    } else if (run != null && run.isTracking()) {
      chain = chain(run, cycle, before);
    }
    cycling.set(false);
  }

  private static Chain chain(CycleRun run, Cycle cycle, @Nullable Chain before) {
    CycleMemory memory = cycle.memory();
    long generation = cycle.generation();
    return before == null
        ? new Chain(run, memory, generation, 1, run.allObjects(), cycle.bytes(), 0)
        : new Chain(
            run,
            memory,
            generation,
            before.length() + 1,
            before.fullObjects(),
            before.fullBytes(),
            before.moreBytes() + cycle.bytes());
  }

  /**
   * Has no task list its changes any more: the next cycle is a full one. Call it after the last
   * cycle, if tasks go on; a {@link PersistenceTask} that is closed does. Changes nothing while a
   * cycle goes on, or if all cycles are full.
   */
  public void stopTracking() {
    if (cycling.compareAndSet(false, true)) {
      Chain before = chain;
      chain = null;
      if (before != null) {
        before.run().cut();
      }
      cycling.set(false);
    }
  }

  /**
   * Lets other programs write to the storage; this one cannot do so any more by this. Close it
   * after the last cycle, and its {@link PersistenceTask}; once more changes nothing.
   *
   * @throws IllegalStateException if a cycle goes on
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (!cycling.compareAndSet(false, true)) {
      throw new IllegalStateException("a cycle goes on; end it before its persistence is closed");
    }
    closed = true;
    cycling.set(false);
    stopTracking();
    generations.close();
  }

  @Override
  public String toString() {
    return "persistence in " + storage;
  }
}
