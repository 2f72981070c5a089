package dev.takt.safety.javac;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.annotation.processing.Filer;
import javax.tools.FileObject;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * Finds the folder that a compilation has written its classes to.
 *
 * <p>A compiler tells it to annotation processors only. Without one the folder may be on the class
 * path, or be that of the sources, and so may older copies of the same classes, which belong to
 * somebody else. So the time of each file that may be written is kept from before it is written: a
 * folder counts only if all that the compilation has written has changed in it.
 *
 * <p><b>Thread rule:</b> the compiler's thread.
 */
final class OutputFolder {
  /** A class that need not be there: where it would be shows whether there is a folder at all. */
  private static final String PROBE = "takt/Probe";

  /** The source of each class that is written, by the internal name of the class. */
  private final Map<String, URI> sources = new LinkedHashMap<>();

  /** When the files that were there already had been written. */
  private final Map<Path, FileTime> before = new HashMap<>();

  private @Nullable Filer filer;

  /** Asks a filer, of an annotation processor of this compilation, for the folder. */
  void ask(Filer filer) {
    this.filer = filer;
  }

  /** The compiler is about to write a class. */
  void expect(String internalName, FileObject source) throws IOException {
    sources.put(internalName, source.toUri());
    for (Path root : candidates(internalName)) {
      Path file = file(root, internalName);
      if (Files.exists(file)) {
        before.put(file, Files.getLastModifiedTime(file));
      }
    }
  }

  /**
   * Returns the folder, or null if it cannot be found.
   *
   * @param written the internal names of the classes that were written, at least one
   */
  @Nullable Path find(Set<String> written) throws IOException {
    for (String each : written) {
      for (Path root : candidates(each)) {
        if (hasGotAll(root, written)) {
          return root;
        }
      }
    }
    return null;
  }

  /** Returns the folders that a class may be written to. */
  private Set<Path> candidates(String internalName) throws IOException {
    Set<Path> roots = new LinkedHashSet<>();
    String probe = internalName.substring(0, internalName.lastIndexOf('/') + 1) + PROBE;
    add(roots, filer == null ? null : in(filer, probe), probe);
    if (roots.isEmpty()) {
      add(roots, besideSource(internalName), internalName);
      for (URL each : onClassPath(internalName)) {
        add(roots, uri(each), internalName);
      }
    }
    return roots;
  }

  private static void add(Set<Path> roots, @Nullable URI file, String internalName) {
    Path root = file == null ? null : CompilerPath.root(file, internalName);
    if (root != null && Files.isDirectory(root)) {
      roots.add(root);
    }
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

  /** There the compiler writes if it is not given a folder. */
  private @Nullable URI besideSource(String internalName) {
    URI source = sources.get(internalName);
    String name = internalName.substring(internalName.lastIndexOf('/') + 1);
    return source == null || !"file".equals(source.getScheme())
        ? null
        : Path.of(source).resolveSibling(name + ".class").toUri();
  }

  /** Without a processor path the compiler loads the plugin with its class path. */
  private static Iterable<URL> onClassPath(String internalName) throws IOException {
    return Collections.list(
        OutputFolder.class.getClassLoader().getResources(internalName + ".class"));
  }

  private static @Nullable URI uri(URL url) {
    try {
      return url.toURI();
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private boolean hasGotAll(Path root, Set<String> written) throws IOException {
    for (String each : written) {
      Path file = file(root, each);
      if (!Files.isRegularFile(file) || Files.getLastModifiedTime(file).equals(before.get(file))) {
        return false;
      }
    }
    return true;
  }

  private static Path file(Path root, String internalName) {
    return root.resolve(internalName + ".class");
  }
}
