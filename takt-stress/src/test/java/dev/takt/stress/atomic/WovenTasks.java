package dev.takt.stress.atomic;

import dev.takt.reflex.ReflexTask;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeavingLoader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The tasks of a package, woven. */
final class WovenTasks implements AutoCloseable {
  /** Hides the plain classes of the package, so that the woven ones are found. */
  private static final class Hiding extends ClassLoader {
    private final String packageName;

    Hiding(String packageName) {
      super(WovenTasks.class.getClassLoader());
      this.packageName = packageName;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(packageName + ".")) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  private final String packageName;
  private final Path folder;
  private final WeavingLoader loader;

  private WovenTasks(String packageName, Path folder, WeavingLoader loader) {
    this.packageName = packageName;
    this.folder = folder;
    this.loader = loader;
  }

  static WovenTasks open(String packageName) throws IOException, UnsafeTasksException {
    Path folder = Files.createTempDirectory("takt-stress");
    String path = packageName.replace('.', '/');
    copy(path, Files.createDirectories(folder.resolve(path)));
    List<Path> provided =
        Arrays.stream(classPath().split(File.pathSeparator)).map(Path::of).toList();
    WeavingLoader loader =
        WeavingLoader.open(List.of(folder), List.of(), provided, new Hiding(packageName), false);
    return new WovenTasks(packageName, folder, loader);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static void copy(String path, Path target) throws IOException {
    try {
      URI origin = WovenTasks.class.getClassLoader().getResource(path).toURI();
      try (Stream<Path> files = Files.list(Path.of(origin))) {
        for (Path each : files.toList()) {
          Files.copy(each, target.resolve(each.getFileName()));
        }
      }
    } catch (URISyntaxException e) {
      throw new IOException("the classes of " + path + " are not in a folder", e);
    }
  }

  /** Makes a task with its only public constructor. */
  ReflexTask task(String simpleName, Object... arguments) throws ReflectiveOperationException {
    return (ReflexTask)
        loader
            .loadClass(packageName + "." + simpleName)
            .getConstructors()[0]
            .newInstance(arguments);
  }

  @Override
  public void close() throws IOException {
    loader.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
