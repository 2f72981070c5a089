package dev.takt.safety.weave;

import dev.takt.safety.Finding;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodId;
import dev.takt.safety.reach.Closure;
import dev.takt.safety.rules.Verifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Woven classes, loaded beside the {@link StandIn}, with the JVM's verification on. */
final class Program {
  final Map<String, byte[]> plain;
  final SortedMap<String, byte[]> woven;
  final List<Finding> findings = new ArrayList<>();
  private final Loader loader;

  private Program(Map<String, byte[]> plain, List<Closure> closures, boolean debug) {
    this.plain = plain;
    woven = weave(plain, closures, debug);
    loader = load(plain, woven);
  }

  private Program(Map<String, byte[]> plain) {
    this.plain = plain;
    woven = new TreeMap<>();
    loader = load(plain, woven);
  }

  private static Loader load(Map<String, byte[]> plain, Map<String, byte[]> woven) {
    Map<String, byte[]> all = new HashMap<>(StandIn.CLASSES);
    all.putAll(plain);
    all.putAll(woven);
    return new Loader(all);
  }

  /** Compiles sources, takes all their code for live, weaves and loads them. */
  static Program of(String... sources) {
    Map<String, byte[]> plain = Compiled.compile(List.of(sources), StandIn.CLASSES);
    return new Program(plain, closures(plain), false);
  }

  /** Returns what the verifier finds in sources. */
  static List<Finding> verify(String... sources) {
    Map<String, byte[]> plain = Compiled.compile(List.of(sources), StandIn.CLASSES);
    return inWorld(plain, world -> Verifier.verify(world).findings());
  }

  /** Loads sources as they are. */
  static Program plain(String... sources) {
    return new Program(Compiled.compile(List.of(sources), StandIn.CLASSES));
  }

  static Program debug(String... sources) {
    Map<String, byte[]> plain = Compiled.compile(List.of(sources), StandIn.CLASSES);
    return new Program(plain, closures(plain), true);
  }

  static Program of(Map<String, byte[]> plain, List<Closure> closures, boolean debug) {
    return new Program(plain, closures, debug);
  }

  /** Weaves with the stand-in and the JDK as libraries. */
  private SortedMap<String, byte[]> weave(
      Map<String, byte[]> plain, List<Closure> closures, boolean debug) {
    return inWorld(plain, world -> Weaver.weaveOnly(world, closures, true, debug, findings::add));
  }

  private static <T> T inWorld(Map<String, byte[]> plain, Function<ClassWorld, T> use) {
    try {
      Path root = Files.createTempDirectory("takt-weave");
      try {
        List<Path> application = List.of(write(plain, root.resolve("application")));
        List<Path> libraries = List.of(write(StandIn.CLASSES, root.resolve("libraries")));
        try (ClassWorld world =
            ClassWorld.open(application, plain::containsKey, libraries, _ -> null)) {
          return use.apply(world);
        }
      } finally {
        delete(root);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path write(Map<String, byte[]> classes, Path folder) throws IOException {
    Files.createDirectories(folder);
    for (var each : classes.entrySet()) {
      Path file = folder.resolve(each.getKey() + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, each.getValue());
    }
    return folder;
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** One closure for each task: everything is live. */
  static List<Closure> closures(Map<String, byte[]> classes) {
    Map<MethodId, MethodId> methods = new HashMap<>();
    Set<String> instantiated = new HashSet<>();
    Set<MethodId> atomic = new HashSet<>();
    List<String> tasks = new ArrayList<>();
    for (var entry : new TreeMap<>(classes).entrySet()) {
      ClassModel model = ClassFile.of().parse(entry.getValue());
      if (model.superclass().map(s -> s.asInternalName()).orElse("").equals(Abi.TASK)) {
        tasks.add(entry.getKey());
      }
      for (MethodModel method : model.methods()) {
        if (method.methodName().equalsString("<clinit>")) {
          continue;
        }
        MethodId id = WeavePlan.id(model, method);
        methods.put(id, id);
        atomic.add(id);
        method
            .findAttribute(Attributes.code())
            .ifPresent(
                code ->
                    code.forEach(
                        element -> {
                          if (element instanceof NewObjectInstruction made) {
                            instantiated.add(made.className().asInternalName());
                          }
                        }));
      }
    }
    boolean isAtomic =
        classes.values().stream()
            .anyMatch(
                bytes ->
                    new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
                        .contains("Ldev/takt/reflex/Atomic;"));
    return tasks.stream()
        .map(
            task ->
                new Closure(
                    task,
                    methods,
                    isAtomic ? atomic : Set.of(),
                    methods.keySet(),
                    instantiated,
                    Set.of(),
                    Set.copyOf(classes.keySet()),
                    Set.of(),
                    Set.of(),
                    false))
        .toList();
  }

  Class<?> type(String name) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads an element of a class's mark; arrays as lists. */
  Object mark(String name, String element) {
    for (var annotation : type(name).getAnnotations()) {
      if (annotation.annotationType().getSimpleName().equals("Woven")) {
        Object value = call(annotation, element);
        return value instanceof Object[] array ? List.of(array) : value;
      }
    }
    throw new AssertionError(name + " is not marked");
  }

  /** Loads all classes, so that the JVM verifies each of them. */
  Program verified() {
    plain.keySet().forEach(name -> type(name.replace('/', '.')));
    woven.keySet().forEach(name -> type(name.replace('/', '.')));
    return this;
  }

  Object make(String name, Object... arguments) {
    try {
      for (var constructor : type(name).getDeclaredConstructors()) {
        if (constructor.getParameterCount() == arguments.length && !constructor.isSynthetic()) {
          constructor.setAccessible(true);
          return constructor.newInstance(arguments);
        }
      }
      throw new AssertionError("no constructor of " + name + " with " + arguments.length);
    } catch (InvocationTargetException e) {
      throw sneaky(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Calls a method, static if the target is a class. */
  static Object call(Object target, String name, Object... arguments) {
    Class<?> type = target instanceof Class<?> c ? c : target.getClass();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
          try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
          } catch (InvocationTargetException e) {
            throw sneaky(e.getCause());
          } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    throw new AssertionError(
        "no method " + name + " with " + Arrays.toString(arguments) + " in " + type);
  }

  static Object get(Object target, String name) {
    Class<?> type = target instanceof Class<?> c ? c : target.getClass();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      try {
        var field = at.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(target);
      } catch (NoSuchFieldException e) {
        continue;
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("no field " + name + " in " + type);
  }

  /** A task's memory; {@code begin}, {@code commit} and {@code rollback} are its methods. */
  Object memory() {
    return make("dev.takt.reflex.woven.TaskMemory");
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable t) throws T {
    throw (T) t;
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(Map<String, byte[]> classes) {
      super(ClassLoader.getPlatformClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name.replace('.', '/'));
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
