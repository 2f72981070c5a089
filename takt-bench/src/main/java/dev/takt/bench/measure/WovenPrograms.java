package dev.takt.bench.measure;

import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.woven.TransientArea;
import dev.takt.reflex.woven.TransientPlan;
import dev.takt.reflex.woven.Woven;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.FolderWeaver;
import dev.takt.safety.load.WeaveResult;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Gives woven copies of the classes in {@code dev.takt.bench.programs}, beside the plain ones that
 * the class path gives.
 *
 * <p>WeaveResult takes more memory than some of the measuring JVMs have: so the process that starts
 * them weaves, into a folder that the system property {@value #PROPERTY} names.
 */
public final class WovenPrograms {
  /** The system property with the folder of the woven classes. */
  static final String PROPERTY = "takt.bench.programs";

  private static final String PACKAGE = "dev.takt.bench.programs";
  private static final String SUFFIX = ".class";

  /** Peers whose objects no task meets, as in this module's pom.xml. */
  private static final List<String> LEFT_OUT =
      List.of("netty-", "mina-", "net.tascalate.", "aeron-", "agrona-");

  /** Where the woven classes are, once for all, since all of them are one application. */
  private static Path folder;

  private static ClassLoader loader;

  private WovenPrograms() {}

  /** Returns the flag for a JVM that is to use the woven classes of this one. */
  public static String flag() throws IOException {
    return "-D" + PROPERTY + "=" + folder();
  }

  /** Makes a task of the woven copy of a class, with its public constructor without parameters. */
  public static ReflexTask task(Class<? extends ReflexTask> plain)
      throws ReflectiveOperationException, IOException {
    return task(plain.getName());
  }

  /** Makes a task of the woven copy of a class, with its constructor without parameters. */
  public static ReflexTask task(String className) throws ReflectiveOperationException, IOException {
    Constructor<? extends ReflexTask> constructor =
        Class.forName(className, true, loader())
            .asSubclass(ReflexTask.class)
            .getDeclaredConstructor();
    constructor.setAccessible(true); // Fig. 2 has no modifiers
    return constructor.newInstance();
  }

  /**
   * Makes an area with the transient objects of a task's releases, as a runtime does when the task
   * is registered: a pool that has grown in a release makes slower what is compiled then, for good.
   *
   * @param woven the task
   * @param limitBytes its transient memory
   */
  public static TransientArea area(ReflexTask woven, long limitBytes) {
    Woven marks = woven.getClass().getAnnotation(Woven.class);
    for (Class<?> type : marks.transients()) {
      initialize(type);
    }
    TransientArea area = new TransientArea();
    area.prepare(new TransientPlan(0, List.of(marks.transients()), List.of(), limitBytes));
    return area;
  }

  private static void initialize(Class<?> type) {
    try {
      Class.forName(type.getName(), true, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the woven copy of a class. */
  public static Class<?> woven(Class<?> plain) throws ClassNotFoundException, IOException {
    return Class.forName(plain.getName(), true, loader());
  }

  private static synchronized ClassLoader loader() throws IOException {
    if (loader == null) {
      loader = new Loader(folder());
    }
    return loader;
  }

  private static synchronized Path folder() throws IOException {
    if (folder == null) {
      String given = System.getProperty(PROPERTY);
      folder = given != null ? Path.of(given) : weave();
    }
    return folder;
  }

  private static Path weave() throws IOException {
    Path woven = Files.createTempDirectory("takt-programs");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(woven)));
    copy(woven);
    List<Path> libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .filter(each -> LEFT_OUT.stream().noneMatch(each.getFileName().toString()::startsWith))
            .toList();
    WeaveResult weaving = new FolderWeaver(woven, null, null, libraries).weave(false);
    if (!weaving.isClean()) {
      throw new IOException("rules are broken:\n" + FindingText.of(weaving.findings()));
    }
    return woven;
  }

  private static void copy(Path target) throws IOException {
    Path place = place();
    if (Files.isDirectory(place)) {
      copy(place, target);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      copy(jar.getPath("/"), target);
    }
  }

  private static void copy(Path root, Path target) throws IOException {
    String name = PACKAGE.replace('.', '/');
    Path folder = Files.createDirectories(target.resolve(name));
    try (Stream<Path> files = Files.list(root.resolve(name))) {
      for (Path each : files.filter(file -> file.toString().endsWith(SUFFIX)).toList()) {
        Files.copy(each, folder.resolve(each.getFileName().toString()));
      }
    }
  }

  /** The folder or jar of the classes. */
  private static Path place() throws IOException {
    try {
      return Path.of(
          WovenPrograms.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("the classes of " + PACKAGE + " are in no file", e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      System.err.println("takt bench: " + folder + " stays: " + e);
    }
  }

  /** Loads the classes of the package from the folder. */
  private static final class Loader extends ClassLoader {
    private final Path folder;

    Loader(Path folder) {
      super(WovenPrograms.class.getClassLoader());
      this.folder = folder;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE + ".")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      try {
        Path woven = folder.resolve(name);
        return Files.exists(woven) ? Files.newInputStream(woven) : super.getResourceAsStream(name);
      } catch (IOException e) {
        return null;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + SUFFIX;
      try {
        byte[] bytes = Files.readAllBytes(folder.resolve(file));
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
