package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.bytecode.ClassWorld;
import dev.takt.safety.bytecode.Closure;
import dev.takt.safety.bytecode.UnreadableClassException;
import dev.takt.safety.bytecode.Verifier;
import dev.takt.safety.weave.Weaver;
import dev.takt.safety.weave.WeavingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Verifies and weaves the classes of one application; a seam for tests of what is around it. */
@FunctionalInterface
interface Engine {
  /** The verifier and the weaver. */
  Engine REAL = Engine::verifyAndWeave;

  /** How far to go. */
  enum Mode {
    /** Only look. */
    CHECK,
    /** Weave what is clean. */
    WEAVE,
    /** Weave what is clean so that uses of dead transient objects are trapped. */
    DEBUG,
    /** Weave without a look at the rules. */
    UNCHECKED
  }

  /**
   * What came of it.
   *
   * @param findings sorted by class, line and rule
   * @param tasks how many task classes the application has
   * @param size how many classes the application has
   * @param classes new bytes by internal name; empty if nothing is to be woven
   * @param added how many of those are no classes of the application
   */
  record Output(
      List<Finding> findings, int tasks, int size, Map<String, byte[]> classes, int added) {
    /** Returns whether all tasks may run. */
    boolean isClean() {
      return findings.stream().noneMatch(Finding::isError);
    }
  }

  /**
   * Verifies, and weaves what is clean.
   *
   * @throws IOException if a jar or folder cannot be read; the message names it
   */
  Output run(List<Path> application, List<Path> libraries, Mode mode) throws IOException;

  /** Returns what is to be said about it. */
  static Weaving summary(Output output) {
    int woven = output.classes().size() - output.added();
    return new Weaving(
        output.findings(), output.tasks(), output.size(), woven, output.added(), false);
  }

  /** Whether it was found already that a class is not the one that the weaver has seen. */
  private static boolean isSameClass(Finding known, Finding other) {
    return known.rule() == other.rule()
        && known.place().className().equals(other.place().className());
  }

  private static Verifier.Result unchecked(ClassWorld world) {
    return new Verifier.Result(
        List.of(), world.tasks().stream().map(task -> Closure.of(world, task)).toList());
  }

  private static Output verifyAndWeave(List<Path> application, List<Path> libraries, Mode mode)
      throws IOException {
    try (ClassWorld world = ClassWorld.open(application, libraries)) {
      Verifier.Result result = mode == Mode.UNCHECKED ? unchecked(world) : Verifier.verify(world);
      int tasks = world.tasks().size();
      int size = world.application().size();
      List<Finding> findings = new ArrayList<>(result.findings());
      if (mode == Mode.CHECK || !result.isClean()) {
        if (result.isClean()) {
          findings.addAll(Reweaving.compare(world, result, application, libraries));
        }
        if (mode == Mode.CHECK) {
          SealComparison.compare(world, result).stream()
              .filter(each -> findings.stream().noneMatch(known -> isSameClass(known, each)))
              .forEach(findings::add);
        }
        return new Output(findings, tasks, size, Map.of(), 0);
      }
      Map<String, byte[]> classes =
          Weaver.weave(
              world,
              result.closures(),
              true,
              mode == Mode.DEBUG,
              mode == Mode.UNCHECKED ? _ -> {} : findings::add);
      findings.sort(
          Comparator.comparing((Finding finding) -> finding.place().className())
              .thenComparingInt(finding -> finding.place().line())
              .thenComparing(Finding::rule));
      Set<String> added = new HashSet<>(classes.keySet());
      added.removeAll(world.application());
      Output output = new Output(findings, tasks, size, new TreeMap<>(classes), added.size());
      return output.isClean() ? output : new Output(findings, tasks, size, Map.of(), 0);
    } catch (UnreadableClassException | WeavingException e) {
      throw new IOException(e.getMessage(), e);
    } catch (RuntimeException | StackOverflowError e) {
      // The JDK finds some damage only when it comes to it, and says so in many ways.
      throw new IOException(
          application
              + " has a class that makes no sense ("
              + e
              + "); compile it again, and if that does not help, report it as an error of takt",
          e);
    }
  }
}
