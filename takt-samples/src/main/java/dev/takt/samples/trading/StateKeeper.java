package dev.takt.samples.trading;

import dev.takt.persist.Persistence;
import dev.takt.persist.PersistenceTask;
import dev.takt.persist.PersistenceTaskSettings;
import dev.takt.persist.Recovery;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.TaskRecovery;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps the state of the tasks in a folder, in one persistence cycle after another while they go
 * on, so that a program that was killed goes on after its last snapshot.
 *
 * <p><b>Why what is recovered agrees.</b> Each task is cut at a moment of its own, and the events
 * of the space are not stored. But each task counts what it has read of its stream ({@link
 * ReadPosition}) in the same memory as what it has found, and the feed writes to each stream what
 * its task has not read. Only a change of the pass is one moment for all: {@link #beginPass} waits
 * for the end of a cycle that has begun.
 *
 * <p><b>Errors.</b> A cycle that fails is told once and tried again; tasks and the snapshots before
 * stay as they are. {@link #end} says whether the last one failed.
 *
 * <p><b>Thread rule:</b> one thread, beside its own three. A second program is kept out of the
 * folder by its lock, which ends with this process.
 */
final class StateKeeper implements AutoCloseable {
  /** From the end of a cycle to the begin of the next. */
  private static final long PAUSE_NS = 50_000_000;

  /** Cycles on request, one after the other; what fails is told by who has asked. */
  private static final PersistenceTaskSettings SETTINGS =
      PersistenceTaskSettings.DEFAULTS
          .withIncrements(500_000, 2_000_000)
          .withCyclePeriodNs(0)
          .withFailures(_ -> {});

  private static final String INPUT_FILE = "demo.input";
  private static final int MAX_INPUT_BYTES = 4_096;
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path folder;
  private final Persistence persistence;
  private final Recovery recovery;
  private final Consumer<String> trouble;

  /** Held while a cycle goes on, and when a pass begins. */
  private final ReentrantLock cycling = new ReentrantLock();

  private PersistenceTask task;
  private Thread thread;
  private volatile boolean ended;
  private volatile String problem;

  private StateKeeper(
      Path folder, Persistence persistence, Recovery recovery, Consumer<String> trouble) {
    this.folder = folder;
    this.persistence = persistence;
    this.recovery = recovery;
    this.trouble = trouble;
  }

  /**
   * Opens a folder, which is made if it is not there, and finds the newest snapshot in it.
   *
   * @param input what is replayed, by a text that is another one for other data
   * @param trouble gets a line for what is wrong and does not end the program
   * @throws IOException if it cannot be used, another program uses it, none of its snapshots can be
   *     read, or they are of another input
   */
  static StateKeeper open(Path folder, String input, Consumer<String> trouble) throws IOException {
    Persistence persistence = Persistence.open(folder);
    boolean opened = false;
    try {
      Recovery recovery = persistence.recover();
      for (Recovery.Rejected each : recovery.rejected()) {
        trouble.accept("a snapshot in " + folder + " is damaged: " + each.reason());
      }
      requireInput(recovery.isWarm(), folder, input);
      opened = true;
      return new StateKeeper(folder, persistence, recovery, trouble);
    } finally {
      if (!opened) {
        persistence.close();
      }
    }
  }

  /** Writes what is replayed before the first snapshot is there, and compares it later. */
  private static void requireInput(boolean isWarm, Path folder, String input) throws IOException {
    Path file = folder.resolve(INPUT_FILE);
    String stored;
    try {
      if (!isWarm) {
        write(file, input);
      }
      try (InputStream in = Files.newInputStream(file)) {
        stored = new String(in.readNBytes(MAX_INPUT_BYTES), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new IOException(
          "%s, which tells of what input the state is, cannot be %s: %s; name another folder"
              .formatted(file, isWarm ? "read" : "written", e),
          e);
    }
    if (!stored.equals(input)) {
      throw new IOException(
          "%s has the state of another input: %s, not %s; name the input that was replayed, or another folder for this one"
              .formatted(folder, stored, input));
    }
  }

  private static void write(Path file, String input) throws IOException {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] ownerOnly =
        posix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            ownerOnly)) {
      channel.write(ByteBuffer.wrap(input.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
  }

  /** What gives tasks their state back when they are registered. */
  TaskRecovery recovery() {
    return recovery;
  }

  /** Returns whether there was a snapshot. */
  boolean isWarm() {
    return recovery.isWarm();
  }

  Path folder() {
    return folder;
  }

  /**
   * Begins to keep the state of all tasks of a runtime; all of them are registered.
   *
   * @throws IllegalStateException if the CPU manager does not admit the persistence task
   */
  void start(ReflexRuntime runtime) throws IOException {
    recovery.close();
    task = PersistenceTask.of(persistence, runtime, SETTINGS);
    task.start();
    thread = Thread.ofPlatform().name("takt-demo-state").daemon().start(this::keep);
  }

  /** Waits until no cycle goes on: what is cut from now on sees the pass that begins. */
  void beginPass() {
    cycling.lock();
    cycling.unlock();
  }

  private void keep() {
    while (!ended) {
      cycle();
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  private void cycle() {
    cycling.lock();
    try {
      task.request().join();
      problem = null;
    } catch (CancellationException e) {
      problem = "the program was ended";
    } catch (CompletionException e) {
      String before = problem;
      problem = String.valueOf(e.getCause().getMessage());
      if (!problem.equals(before)) {
        trouble.accept(
            "the state cannot be kept in %s: %s; the snapshots before it stay, and it is tried again"
                .formatted(folder, problem));
      }
    } finally {
      cycling.unlock();
    }
  }

  /**
   * Keeps the last state, when the tasks have come to rest.
   *
   * @return why it could not, or null
   */
  String end() throws InterruptedException {
    if (thread != null) {
      stop();
      cycle();
    }
    return problem;
  }

  private void stop() throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join();
  }

  /** Gives up the folder. */
  @Override
  public void close() throws IOException {
    try (persistence) {
      if (task != null) {
        task.close();
      }
      if (thread != null) {
        stop();
      }
      recovery.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
