package dev.takt.cli;

import dev.takt.cpu.CpuManager;
import dev.takt.persist.Persistence;
import dev.takt.realtime.NanoClock;
import dev.takt.reflex.ReflexTask;
import dev.takt.session.Sessions;
import dev.takt.space.Event;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Jars and folders that commands are given: the applications, and what they use. */
final class Applications {
  private Applications() {}

  /**
   * Returns the paths as they are if each is a folder or a file.
   *
   * @throws IOException naming the first that is not
   */
  static List<Path> existing(List<Path> paths) throws IOException {
    for (Path each : paths) {
      if (!Files.exists(each)) {
        throw new IOException(
            each + " does not exist; give a jar, or a folder that classes were compiled to");
      }
    }
    return paths;
  }

  /** Where the parts of takt are that tasks use. */
  static List<Path> takt() {
    return Stream.of(
            Event.class,
            NanoClock.class,
            ReflexTask.class,
            CpuManager.class,
            Persistence.class,
            Sessions.class)
        .map(Applications::place)
        .toList();
  }

  /**
   * Returns what applications use beside takt and the JDK: what their manifests name, and what the
   * user names.
   *
   * @param classPath as for {@code java -cp}; an entry may end in {@code /*}; may be empty
   * @throws IOException if an entry that the user names does not exist
   */
  static List<Path> libraries(List<Path> applications, String classPath) throws IOException {
    Set<Path> libraries = new LinkedHashSet<>();
    for (Path each : applications) {
      String names = manifest(each).getValue(Attributes.Name.CLASS_PATH);
      libraries.addAll(namedByManifest(each, names == null ? "" : names));
    }
    libraries.addAll(namedByUser(classPath));
    applications.forEach(libraries::remove);
    return List.copyOf(libraries);
  }

  /** Returns what {@code java -cp} would take; an entry may end in {@code /*}. */
  static List<Path> namedByUser(String classPath) throws IOException {
    List<Path> libraries = new ArrayList<>();
    for (String each : classPath.split(File.pathSeparator)) {
      if (each.endsWith("/*") || each.equals("*")) {
        libraries.addAll(jars(Path.of(each.substring(0, each.length() - 1))));
      } else if (!each.isEmpty()) {
        libraries.addAll(existing(List.of(Path.of(each))));
      }
    }
    return libraries;
  }

  /** Returns the main class that a jar's manifest names; empty if it names none. */
  static String mainClass(Path application) throws IOException {
    String name = manifest(application).getValue(Attributes.Name.MAIN_CLASS);
    return name == null ? "" : name.strip();
  }

  /** The jar or folder that a class comes from. */
  static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no place of classes", e);
    }
  }

  private static List<Path> jars(Path folder) throws IOException {
    existing(List.of(folder));
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> each.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /** As {@code java -jar} does, what is not there is passed over. */
  static List<Path> namedByManifest(Path application, String names) {
    List<Path> libraries = new ArrayList<>();
    for (String each : names.isBlank() ? new String[0] : names.strip().split("\\s+")) {
      try {
        Path library = application.toAbsolutePath().resolveSibling(each.replaceFirst("^file:", ""));
        if (Files.exists(library)) {
          libraries.add(library.normalize());
        }
      } catch (InvalidPathException e) {
        continue; // a URL of another kind, or damage
      }
    }
    return libraries;
  }

  private static Attributes manifest(Path application) throws IOException {
    if (Files.isDirectory(application)) {
      return new Attributes();
    }
    try (JarFile jar = new JarFile(application.toFile(), false)) {
      Manifest manifest = jar.getManifest();
      return manifest == null ? new Attributes() : manifest.getMainAttributes();
    } catch (IOException e) {
      throw new IOException(application + " is not a jar that can be read: " + e.getMessage(), e);
    }
  }
}
