package dev.takt.cpu;

import dev.takt.cpu.cost.CodeIdentity;
import dev.takt.cpu.cost.LearnedCosts;
import dev.takt.cpu.cost.LearnedCostsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What trials have learned, in memory and in its file.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class CostStore {
  private final LearnedCostsFile file;
  private final LearnedCosts costs;
  private final Consumer<String> problems;
  private long written;

  private CostStore(Path path, Consumer<String> problems) {
    this.file = new LearnedCostsFile(path);
    this.problems = problems;
    this.costs = read();
  }

  /** Returns the store that settings ask for; null: they ask for none. */
  static @Nullable CostStore of(@Nullable Path path, Consumer<String> problems) {
    return path == null ? null : new CostStore(path, problems);
  }

  private LearnedCosts read() {
    try {
      return file.read();
    } catch (IOException e) {
      problems.accept("nothing is taken from it, all trials are made: " + e.getMessage());
      return new LearnedCosts();
    }
  }

  /** Returns what the code of a task is called here; null: nothing can be kept of it. */
  @Nullable String identity(Profile profile, Class<?> code) {
    return profile.budgetNs() != 0
        ? null
        : CodeIdentity.of(profile.name() + '/' + profile.periodNs(), code).orElse(null);
  }

  /** Returns the cost of code; empty: it has to be learned. */
  OptionalLong costNs(@Nullable String identity) {
    return identity == null ? OptionalLong.empty() : costs.costNs(identity);
  }

  /** Keeps the cost of a task, or forgets it. */
  void keep(ManagedTask task, boolean conforms) {
    if (task.identity != null && conforms) {
      costs.learn(task.identity, task.costNs());
    } else if (task.identity != null) {
      costs.forget(task.identity);
    }
  }

  /** Writes the file if anything has changed. */
  synchronized void write() {
    long changes = costs.changes();
    if (changes != written) {
      written = changes; // also if that fails: it is said once for each change
      try {
        file.write(costs);
      } catch (IOException e) {
        problems.accept("what was learned is not kept: " + e);
      }
    }
  }
}
