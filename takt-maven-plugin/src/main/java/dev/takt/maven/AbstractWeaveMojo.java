package dev.takt.maven;

import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.load.Weaving;
import java.io.File;
import java.io.IOException;
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
    if (skip || !classes.isDirectory()) {
      getLog().debug(skip ? "skipped" : "no classes in " + classes);
      return;
    }
    Weaving weaving;
    try {
      FolderWeaver weaver =
          new FolderWeaver(
              classes.toPath(), stamp.toPath(), included(), libraries(classpath, classes));
      weaving = unchecked ? weaver.weaveUnchecked() : weaver.weave(debug);
    } catch (IOException e) {
      throw new MojoExecutionException("cannot weave " + classes + ": " + e.getMessage(), e);
    }
    report(weaving.findings());
    getLog().info(weaving.summary());
  }
}
