package dev.takt.maven;

import dev.takt.safety.Finding;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.load.WeaveResult;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/** What the goals have in common. */
abstract class AbstractTaktMojo extends AbstractMojo {
  /**
   * Which classes to look at: {@code com.acme.Order}, {@code com.acme.*} (a package) or {@code
   * com.acme.**} (a package and all below it). All, if none is given.
   */
  @Parameter(property = "takt.includes")
  List<String> includes = List.of();

  /**
   * Libraries that are left out, by how the names of their files begin, such as {@code netty-}:
   * those whose objects no task meets, not even by an interface or an exception. Else what they
   * override counts as code of every task that calls it. A task that uses one of their classes is
   * refused.
   */
  @Parameter(property = "takt.withoutLibraries")
  List<String> withoutLibraries = List.of();

  /** Whether a finding that is an error fails the build. */
  @Parameter(property = "takt.failOnFindings", defaultValue = "true")
  boolean failOnFindings = true;

  /** Does nothing if set. */
  @Parameter(property = "takt.skip", defaultValue = "false")
  boolean skip;

  /** What a goal does with a folder. */
  interface Work {
    WeaveResult on(FolderWeaver weaver) throws IOException;
  }

  /**
   * Does the work of a goal, unless it is skipped, and reports what was found.
   *
   * @param verb what the goal does
   * @param stamp the file of the last run; null: none
   */
  final void run(String verb, File classes, File stamp, List<String> classpath, Work work)
      throws MojoExecutionException, MojoFailureException {
    if (skip || !classes.isDirectory()) {
      getLog().debug(skip ? "skipped" : "no classes in " + classes);
      return;
    }
    WeaveResult done;
    try {
      Path noted = stamp == null ? null : stamp.toPath();
      done =
          work.on(
              new FolderWeaver(classes.toPath(), noted, included(), libraries(classpath, classes)));
    } catch (IOException e) {
      throw new MojoExecutionException(
          "cannot %s %s: %s".formatted(verb, classes, e.getMessage()), e);
    }
    report(done.findings());
    getLog().info(done.summary());
  }

  /** Returns what to look at, null for all. */
  Predicate<String> included() throws MojoExecutionException {
    try {
      return ClassPatterns.matching(includes);
    } catch (IllegalArgumentException e) {
      throw new MojoExecutionException("includes: " + e.getMessage(), e);
    }
  }

  /**
   * Shows findings, and fails the build if one is an error.
   *
   * @throws MojoFailureException unless the build is to go on all the same
   */
  void report(List<Finding> findings) throws MojoFailureException {
    long errors = 0;
    for (Finding each : findings) {
      // line by line, so that each of them begins as a line of an error does
      if (each.isError()) {
        FindingText.of(each).lines().forEach(getLog()::error);
        errors++;
      } else {
        FindingText.of(each).lines().forEach(getLog()::warn);
      }
    }
    if (errors > 0 && failOnFindings) {
      throw new MojoFailureException(
          errors
              + (errors == 1 ? " finding breaks" : " findings break")
              + " the safety rules of tasks; see above for the places and what to do");
    }
  }

  /**
   * The class path without the folder that is looked at, what is left out, and what is not there.
   */
  final List<Path> libraries(List<String> classpath, File classes) {
    return classpath.stream()
        .map(File::new)
        .filter(each -> each.exists() && !each.equals(classes))
        .filter(each -> withoutLibraries.stream().noneMatch(each.getName()::startsWith))
        .map(File::toPath)
        .toList();
  }
}
