package dev.takt.stress.woven;

import dev.takt.reflex.ReflexTask;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.rules.Verifier;
import dev.takt.safety.weave.Weaver;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A program from source text: compiled, verified, woven, and loaded beside the real runtime. */
final class WovenProgram extends ClassLoader {
  private static final String SUFFIX = ".class";

  private final Map<String, byte[]> classes;

  private WovenProgram(Map<String, byte[]> classes) {
    super(WovenProgram.class.getClassLoader());
    this.classes = classes;
  }

  /** Weaves a program that obeys the rules. */
  static WovenProgram of(Path folder, String source) throws IOException {
    return weave(folder, source, true, false);
  }

  /** Weaves a program that obeys the rules, for debugging or not. */
  static WovenProgram of(Path folder, String source, boolean debug) throws IOException {
    return weave(folder, source, true, debug);
  }

  /** Weaves a program for debugging that breaks rules. */
  static WovenProgram unchecked(Path folder, String source) throws IOException {
    return weave(folder, source, false, true);
  }

  private static WovenProgram weave(Path folder, String source, boolean checks, boolean debug)
      throws IOException {
    List<Path> libraries = libraries();
    compile(folder, source, libraries);
    Map<String, byte[]> classes = read(folder);
    try (ClassWorld world = ClassWorld.open(List.of(folder), libraries)) {
      Verifier.Result result = Verifier.verify(world);
      if (checks && !result.isClean()) {
        throw new AssertionError(FindingText.of(result.findings()));
      }
      classes.putAll(Weaver.weave(world, result.closures(), true, debug, _ -> {}));
    }
    return new WovenProgram(classes);
  }

  /**
   * What of the tests' class path is Takt's. Programs need nothing else; for each one the verifier
   * would look through all classes of Lincheck, Kotlin and jcstress again.
   */
  private static List<Path> libraries() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(classPath.split(File.pathSeparator))
        .map(Path::of)
        .filter(each -> Files.isDirectory(each) || isOfTakt(each))
        .toList();
  }

  private static boolean isOfTakt(Path jar) {
    return Files.exists(jar) && jar.getFileName().toString().startsWith("takt-");
  }

  private static void compile(Path folder, String source, List<Path> libraries) throws IOException {
    String classPath =
        libraries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter log = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean good =
          compiler
              .getTask(
                  log,
                  new WithoutPlugins(files),
                  null,
                  List.of("-g", "-proc:none", "-d", folder.toString(), "-classpath", classPath),
                  null,
                  List.of(new Source(source)))
              .call();
      if (!good) {
        throw new AssertionError(log.toString());
      }
    }
  }

  private static Map<String, byte[]> read(Path folder) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
        String name = folder.relativize(file).toString().replace(File.separatorChar, '/');
        classes.put(name.substring(0, name.length() - SUFFIX.length()), Files.readAllBytes(file));
      }
    }
    return classes;
  }

  /** Returns this program with one class as an IDE leaves it that compiles after the weaver. */
  WovenProgram withCompiledAgain(Path folder, String name) throws IOException {
    Map<String, byte[]> changed = new TreeMap<>(classes);
    String internal = name.replace('.', '/');
    changed.put(internal, Files.readAllBytes(folder.resolve(internal + SUFFIX)));
    return new WovenProgram(changed);
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] bytes =
        name.endsWith(SUFFIX)
            ? classes.get(name.substring(0, name.length() - SUFFIX.length()))
            : null;
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }

  /** Makes a task with its constructor without parameters. */
  ReflexTask task(String name) throws ReflectiveOperationException {
    var constructor = loadClass(name).asSubclass(ReflexTask.class).getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  /** Returns the names of all classes, also of those that the weaver has made. */
  List<String> names() {
    return classes.keySet().stream().map(name -> name.replace('/', '.')).toList();
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name.replace('.', '/'));
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("mem:///Program.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps the rules' compiler plugin out: here the verifier has the say. */
  private static final class WithoutPlugins extends ForwardingJavaFileManager<JavaFileManager> {
    WithoutPlugins(JavaFileManager files) {
      super(files);
    }

    @Override
    public ClassLoader getClassLoader(Location location) {
      return ClassLoader.getPlatformClassLoader();
    }
  }
}
