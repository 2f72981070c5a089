package dev.takt.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Checks and weaves the tasks among the test classes, as {@code weave} does among the others. */
@Mojo(
    name = "test-weave",
    defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES,
    requiresDependencyResolution = ResolutionScope.TEST,
    threadSafe = true)
public final class TestWeaveMojo extends AbstractWeaveMojo {
  /** The folder with the classes. */
  @Parameter(defaultValue = "${project.build.testOutputDirectory}", required = true)
  File classesDirectory;

  /** The file by which the goal sees that nothing has changed since it ran last. */
  @Parameter(defaultValue = "${project.build.directory}/takt-test-woven.txt", required = true)
  File stamp;

  /**
   * Whether the tasks are woven without a look at the rules, because they assert, count and fail on
   * purpose. For test classes only: nothing of them is shipped.
   */
  @Parameter(property = "takt.unchecked", defaultValue = "false")
  boolean unchecked;

  @Parameter(defaultValue = "${project.testClasspathElements}", readonly = true, required = true)
  List<String> classpath = List.of();

  /** Called by Maven. */
  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    weave(classesDirectory, stamp, classpath, unchecked);
  }
}
