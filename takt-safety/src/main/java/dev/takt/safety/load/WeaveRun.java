package dev.takt.safety.load;

import dev.takt.safety.Finding;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.UnreadableClassException;
import dev.takt.safety.rules.Verifier;
import dev.takt.safety.weave.PlainCode;
import dev.takt.safety.weave.Weaver;
import dev.takt.safety.weave.WeavingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Verifies and weaves the classes of one application. */
final class WeaveRun {
  /** How far to go. */
  enum Mode {
    /** Find what weaving would, and what was exchanged since; weave nothing. */
    CHECK,
    /** Weave what is clean. */
    WEAVE,
    /** Weave what is clean so that uses of dead transient objects are trapped. */
    DEBUG,
    /** As {@link #WEAVE}, for an application that is about to run: all its code can be ended. */
    RUN,
    /** Weave without a look at the rules. */
    UNCHECKED
  }

  /**
   * What came of it.
   *
   * @param weaving what was found and done
   * @param classes new bytes by internal name; empty if nothing is to be woven
   */
  record Output(WeaveResult weaving, Map<String, byte[]> classes) {}

  private WeaveRun() {}

  /**
   * Verifies, and weaves what is clean.
   *
   * @throws IOException if a jar or folder cannot be read; the message names it
   */
  static Output run(List<Path> application, List<Path> libraries, Mode mode) throws IOException {
    try (ClassWorld world = ClassWorld.open(application, libraries)) {
      return run(world, application, libraries, mode);
    }
  }

  /**
   * Verifies a world that is open, and weaves what is clean.
   *
   * @param application where its classes are
   * @param libraries what the world uses
   */
  static Output run(ClassWorld world, List<Path> application, List<Path> libraries, Mode mode)
      throws IOException {
    try {
      Verifier.Result result =
          mode == Mode.UNCHECKED ? Verifier.unchecked(world) : Verifier.verify(world);
      List<Finding> findings = new ArrayList<>(result.findings());
      Map<String, byte[]> classes = Map.of();
      if (result.isClean()) {
        boolean verified = mode != Mode.UNCHECKED;
        classes =
            Weaver.weave(
                world,
                result.closures(),
                verified,
                mode == Mode.DEBUG,
                mode == Mode.RUN ? PlainCode.all(world) : PlainCode.annotated(world),
                findings::add);
        findings.sort(
            Comparator.comparing((Finding finding) -> finding.place().className())
                .thenComparingInt(finding -> finding.place().line())
                .thenComparing(Finding::rule));
      }
      if (mode == Mode.CHECK) {
        if (result.isClean()) {
          findings.addAll(Reweaving.compare(world, result, classes, application, libraries));
        }
        SealComparison.compare(world, result).stream()
            .filter(each -> findings.stream().noneMatch(known -> isSameClass(known, each)))
            .forEach(findings::add);
        classes = Map.of();
      }
      if (mode == Mode.UNCHECKED) {
        findings.clear(); // the weaver has some, too
      }
      boolean refused = findings.stream().anyMatch(Finding::isError);
      return output(world, findings, refused ? Map.of() : new TreeMap<>(classes));
    } catch (UnreadableClassException | WeavingException e) {
      throw new IOException(e.getMessage(), e);
    } catch (RuntimeException | StackOverflowError e) {
      // The JDK finds some damage only when it comes to it, and says so in many ways.
      throw new IOException(
          String.format(
              "%s has a class file that cannot be processed (%s); compile it again, and if that"
                  + " does not help, report it as an error of takt",
              application, e),
          e);
    }
  }

  private static Output output(
      ClassWorld world, List<Finding> findings, Map<String, byte[]> classes) {
    List<String> compiled =
        world.application().stream()
            .filter(each -> ClassFiles.compiled(world, each).length > 0)
            .toList();
    int woven = (int) compiled.stream().filter(classes::containsKey).count();
    int added = classes.size() - woven;
    return new Output(
        new WeaveResult(findings, world.tasks().size(), compiled.size(), woven, added, false),
        classes);
  }

  /** Whether it was found already that a class is not the one that the weaver has seen. */
  private static boolean isSameClass(Finding known, Finding other) {
    return known.rule() == other.rule()
        && known.place().className().equals(other.place().className());
  }
}
