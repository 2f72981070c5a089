package dev.takt.maven;

import java.io.File;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/** Weaves a folder of classes in place. */
abstract class AbstractWeaveMojo extends AbstractTaktMojo {
  /**
   * Whether the woven classes trap uses of transient objects after their release; slow, allocates,
   * for debugging alone.
   */
  @Parameter(property = "takt.debug", defaultValue = "false")
  boolean debug;

  final void weave(File classes, File stamp, List<String> classpath, boolean unchecked)
      throws MojoExecutionException, MojoFailureException {
    run(
        "weave",
        classes,
        stamp,
        classpath,
        weaver -> unchecked ? weaver.weaveUnchecked() : weaver.weave(debug));
  }
}
