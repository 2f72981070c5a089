package dev.takt.stress.rollback;

import dev.takt.reflex.ReflexTask;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.rules.Verifier;
import dev.takt.safety.weave.Weaver;
import dev.takt.stress.rollback.graph.Case;
import dev.takt.stress.rollback.graph.Graph;
import dev.takt.stress.rollback.graph.GraphTask;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The classes of the graph once more, with static fields of their own: woven, mutilated or plain.
 */
final class GraphLoader extends ClassLoader {
  private static final String PACKAGE = Graph.class.getPackageName();
  private static final String SUFFIX = ".class";

  private final Map<String, byte[]> classes;
  private final Field seed;
  private final Field end;
  private final Field endStep;
  private final Field steps;

  GraphLoader(Map<String, byte[]> classes) throws ReflectiveOperationException {
    super(GraphLoader.class.getClassLoader());
    this.classes = classes;
    Class<?> type = loadClass(Case.class.getName());
    seed = type.getField("seed");
    end = type.getField("end");
    endStep = type.getField("endStep");
    steps = type.getField("steps");
  }

  /** Returns the classes as the compiler wrote them, by internal name. */
  static Map<String, byte[]> plain() throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder())) {
      for (Path each : files.filter(file -> file.toString().endsWith(SUFFIX)).toList()) {
        String file = each.getFileName().toString();
        String name = file.substring(0, file.length() - SUFFIX.length());
        classes.put(PACKAGE.replace('.', '/') + "/" + name, Files.readAllBytes(each));
      }
    }
    return classes;
  }

  /** Returns the woven classes, by internal name. */
  static Map<String, byte[]> woven(Path temporary) throws IOException {
    Map<String, byte[]> classes = plain();
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      Path file = temporary.resolve(each.getKey() + SUFFIX);
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
    List<Path> libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    try (ClassWorld world = ClassWorld.open(List.of(temporary), libraries)) {
      Verifier.Result result = Verifier.verify(world);
      if (!result.isClean()) {
        throw new IOException("rules are broken:\n" + FindingText.of(result.findings()));
      }
      classes.putAll(Weaver.weave(world, result.closures(), true, false, _ -> {}));
    }
    return classes;
  }

  /** Returns classes, each of them changed. */
  static Map<String, byte[]> changed(Map<String, byte[]> classes, UnaryOperator<byte[]> change) {
    Map<String, byte[]> changed = new TreeMap<>();
    classes.forEach((name, bytes) -> changed.put(name, change.apply(bytes)));
    return changed;
  }

  private static Path folder() throws IOException {
    try {
      return Path.of(Graph.class.getResource("Graph.class").toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    byte[] bytes = classes.get(name.replace('.', '/'));
    if (bytes == null) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
    }
  }

  /** Shows the plain classes, as a program with an agent does, and what the weaver has added. */
  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] added =
        getResource(name) == null && name.endsWith(SUFFIX)
            ? classes.get(name.substring(0, name.length() - SUFFIX.length()))
            : null;
    return added == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(added);
  }

  /** Makes a task with a graph, from chance. */
  ReflexTask newTask(long seed, int transientSizeBytes, int stableSizeBytes)
      throws ReflectiveOperationException {
    Class<?> graphType = loadClass(Graph.class.getName());
    Object graph = graphType.getConstructor(long.class).newInstance(seed);
    return (ReflexTask)
        loadClass(GraphTask.class.getName())
            .getConstructor(graphType, int.class, int.class)
            .newInstance(graph, transientSizeBytes, stableSizeBytes);
  }

  /** Returns the graph of a task. */
  Steps graphOf(ReflexTask task) throws ReflectiveOperationException {
    Field graph = task.getClass().getDeclaredField("graph");
    graph.setAccessible(true);
    return (Steps) graph.get(task);
  }

  /** Says what the next release is to do. */
  void next(long seed, int steps, int endStep, int end) {
    try {
      this.seed.setLong(null, seed);
      this.steps.setInt(null, steps);
      this.endStep.setInt(null, endStep);
      this.end.setInt(null, end);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
