package dev.takt.maven;

import dev.takt.safety.load.FolderWeaver;
import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Checks the tasks of a module against the safety rules, and changes nothing. Also right for
 * classes that are woven already: it looks at what the compiler wrote.
 */
@Mojo(
    name = "check",
    defaultPhase = LifecyclePhase.VERIFY,
    requiresDependencyResolution = ResolutionScope.COMPILE,
    threadSafe = true)
public final class CheckMojo extends AbstractTaktMojo {
  /** The folder with the classes. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
  File classesDirectory;

  @Parameter(defaultValue = "${project.compileClasspathElements}", readonly = true, required = true)
  List<String> classpath = List.of();

  /** Called by Maven. */
  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    run("check", classesDirectory, null, classpath, FolderWeaver::check);
  }
}
