package dev.takt.safety.bytecode;

import dev.takt.safety.Finding;
import java.util.List;

/** Checks all tasks of a world against the rules that bytecode can show. */
public final class Verifier {
  /**
   * What a check has found.
   *
   * @param findings sorted by class, line and rule
   * @param closures one for each task class that can be read, in the order of their names; also of
   *     those with findings
   */
  public record Result(List<Finding> findings, List<Closure> closures) {
    /** Copies the lists. */
    public Result {
      findings = List.copyOf(findings);
      closures = List.copyOf(closures);
    }

    /** Returns whether all tasks may run. */
    public boolean isClean() {
      return findings.stream().noneMatch(Finding::isError);
    }
  }

  private Verifier() {}

  /**
   * Checks the tasks of a world, and its stable classes, whether a task reaches them or not.
   *
   * <p>What is wrong with one class hides nothing about another: a class that cannot be read is a
   * finding too.
   */
  public static Result verify(ClassWorld world) {
    return new Check(world).run();
  }

  /** Returns the closures of a world's tasks without a check of anything, for tests of tasks. */
  public static Result unchecked(ClassWorld world) {
    return new Result(
        List.of(), world.tasks().stream().map(task -> Closure.of(world, task)).toList());
  }
}
