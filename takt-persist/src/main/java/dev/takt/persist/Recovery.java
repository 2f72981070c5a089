package dev.takt.persist;

import dev.takt.persist.format.RecordInput;
import dev.takt.persist.format.SnapshotIndex;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.recover.GraphReader;
import dev.takt.persist.store.Storage;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.TaskRecovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
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
   * A snapshot that was there and is damaged or not complete.
   *
   * @param generation its number
   * @param reason what is wrong, with the offset
   */
  public record Rejected(long generation, String reason) {}

  private final Storage.@Nullable Input from;
  private final @Nullable SnapshotIndex index;
  private final List<Rejected> rejected;
  private final Function<Class<?>, DeclaredClasses> declared;
  private final Set<String> claimed = new HashSet<>();

  Recovery(
      Storage.@Nullable Input from,
      @Nullable SnapshotIndex index,
      List<Rejected> rejected,
      Function<Class<?>, DeclaredClasses> declared) {
    this.from = from;
    this.index = index;
    this.rejected = List.copyOf(rejected);
    this.declared = declared;
  }

  /** Returns whether there is a complete snapshot: a warm start. */
  public boolean isWarm() {
    return index != null;
  }

  /** Returns the generation of the snapshot; 0 at a cold start. */
  public long generation() {
    return index == null ? 0 : index.generation();
  }

  /** Returns the names of the roots in the snapshot. */
  public List<String> roots() {
    return index == null
        ? List.of()
        : index.sections().stream().map(SnapshotIndex.Section::root).toList();
  }

  /**
   * Returns the roots that no task has claimed: when all are registered, what the next snapshots
   * will not have any more.
   */
  public List<String> unclaimed() {
    return roots().stream().filter(each -> !claimed.contains(each)).toList();
  }

  /** Returns the newer snapshots that could not be used, the newest first. */
  public List<Rejected> rejected() {
    return rejected;
  }

  @Override
  public boolean recover(String name, ReflexTask task) {
    if (index == null || from == null) {
      return false;
    }
    for (SnapshotIndex.Section section : index.sections()) {
      if (section.root().equals(name)) {
        read(section, task);
        claimed.add(name);
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("NullAway") // there is a file where there are sections
  private void read(SnapshotIndex.Section section, ReflexTask task) {
    try {
      RecordInput in = SnapshotIndex.read(from, section);
      GraphReader.read(in, task, declared.apply(task.getClass()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "task %s cannot be recovered from generation %s: %s"
              .formatted(section.root(), generation(), e.getMessage()),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "task %s cannot be recovered from generation %s: %s"
              .formatted(section.root(), generation(), e.getMessage()),
          e);
    }
  }

  /** Closes the snapshot: nothing is recovered any more. */
  @Override
  public void close() throws IOException {
    if (from != null) {
      from.close();
    }
  }
}
