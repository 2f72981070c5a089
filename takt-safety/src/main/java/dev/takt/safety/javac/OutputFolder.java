package dev.takt.safety.javac;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.annotation.processing.Filer;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/** Finds the folder that a compilation has written its classes to. */
final class OutputFolder {
  /** A class that need not be there: where it would be shows whether there is a folder at all. */
  private static final String PROBE = "takt/Probe";

  private OutputFolder() {}

  /**
   * Returns the folder, or null if it cannot be found.
   *
   * @param filer of an annotation processor of this compilation; null if there is none: then the
   *     folder is found only if it is on the class path
   * @param written the internal names of the classes that were written, at least one
   */
  static @Nullable Path find(@Nullable Filer filer, Set<String> written) {
    for (String each : written) {
      String name = filer == null ? each : each.substring(0, each.lastIndexOf('/') + 1) + PROBE;
      URI file = filer == null ? onClassPath(name) : in(filer, name);
      Path root = file == null ? null : CompilerPath.root(file, name);
      if (root != null && holdsAll(root, written)) {
        return root;
      }
    }
    return null;
  }

  private static @Nullable URI in(Filer filer, String probe) {
    int end = probe.length() - PROBE.length() - 1;
    String packageName = end < 0 ? "" : probe.substring(0, end).replace('/', '.');
    try {
      return filer
          .getResource(StandardLocation.CLASS_OUTPUT, packageName, PROBE + ".class")
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
