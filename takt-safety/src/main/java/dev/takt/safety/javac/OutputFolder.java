package dev.takt.safety.javac;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.annotation.processing.ProcessingEnvironment;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/** Finds the folder that a compilation has written its classes to. */
final class OutputFolder {
  private OutputFolder() {}

  /**
   * Returns the folder, or null if it cannot be found.
   *
   * @param environment of an annotation processor of this compilation; null if there is none: then
   *     the folder is found only if it is on the class path
   * @param written the internal names of the classes that were written, at least one
   */
  static @Nullable Path find(@Nullable ProcessingEnvironment environment, Set<String> written) {
    for (String each : written) {
      URI file = environment == null ? onClassPath(each) : in(environment, each);
      Path root = file == null ? null : CompilerPath.root(file, each);
      if (root != null && holdsAll(root, written)) {
        return root;
      }
    }
    return null;
  }

  private static @Nullable URI in(ProcessingEnvironment environment, String internalName) {
    int slash = internalName.lastIndexOf('/');
    String packageName = slash < 0 ? "" : internalName.substring(0, slash).replace('/', '.');
    try {
      return environment
          .getFiler()
          .getResource(
              StandardLocation.CLASS_OUTPUT,
              packageName,
              internalName.substring(slash + 1) + ".class")
          .toUri();
    } catch (IOException | IllegalArgumentException e) {
      return null; // a compiler that writes elsewhere, as into memory
    }
  }

  /** Without a processor path the compiler loads the plugin with its class path. */
  private static @Nullable URI onClassPath(String internalName) {
    URL url = OutputFolder.class.getClassLoader().getResource(internalName + ".class");
    try {
      return url == null ? null : url.toURI();
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static boolean holdsAll(Path root, Set<String> written) {
    return written.stream().allMatch(each -> Files.isRegularFile(root.resolve(each + ".class")));
  }
}
