package dev.takt.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where the built classes are. */
final class Modules {
  static final Path ROOT = findRoot();
  static final List<String> CORE =
      List.of("takt-space", "takt-realtime", "takt-rtsj", "takt-reflex", "takt-safety");

  private Modules() {}

  private static Path findRoot() {
    Path folder = Path.of(System.getProperty("takt.root", "")).toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("takt-space"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  static Path origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Path classes(String module) {
    return ROOT.resolve(module).resolve("target/classes");
  }

  static Path tests(String module) {
    return ROOT.resolve(module).resolve("target/test-classes");
  }

  /** The folders that the tests of a module need. */
  static List<Path> folders(String module) {
    List<Path> folders = new ArrayList<>();
    folders.add(tests(module));
    CORE.forEach(each -> folders.add(classes(each)));
    folders.add(classes("takt-testkit"));
    folders.add(tests("takt-testkit"));
    return folders;
  }

  /** The names of the classes in a folder, sorted. */
  static List<String> names(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(each -> folder.relativize(each).toString())
          .filter(each -> each.endsWith(".class") && !each.endsWith("-info.class"))
          .map(each -> each.substring(0, each.length() - ".class".length()).replace('/', '.'))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
