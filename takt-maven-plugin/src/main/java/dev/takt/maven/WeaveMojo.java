package dev.takt.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Checks the tasks of a module against the safety rules and weaves what they use, in place. Can run
 * again and again: what has not changed stays as it is.
 */
@Mojo(
    name = "weave",
    defaultPhase = LifecyclePhase.PROCESS_CLASSES,
    requiresDependencyResolution = ResolutionScope.COMPILE,
    threadSafe = true)
public final class WeaveMojo extends AbstractWeaveMojo {
  /** The folder with the classes. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
  File classesDirectory;

  /** The file by which the goal sees that nothing has changed since it ran last. */
  @Parameter(defaultValue = "${project.build.directory}/takt-woven.txt", required = true)
  File stamp;

  @Parameter(defaultValue = "${project.compileClasspathElements}", readonly = true, required = true)
  List<String> classpath = List.of();

  /** Called by Maven. */
  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    weave(classesDirectory, stamp, classpath, false);
  }
}
