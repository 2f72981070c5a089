package dev.takt.safety;

import dev.takt.safety.classes.ClassWorld;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ModuleDesc;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Small programs, compiled with plain javac into a folder that is deleted when the program is
 * closed.
 *
 * <p>They see takt-space and the stubs of takt-reflex, whose signatures are those of the real
 * classes.
 */
public final class Programs implements AutoCloseable {
  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:public |abstract |final |sealed |non-sealed |@[\\w.]+ )*"
              + "(?:class|interface|record|enum|@interface) (\\w+)",
          Pattern.MULTILINE);
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

  private final Path root;
  private final Path classes;

  private Programs(Path root, Path classes) {
    this.root = root;
    this.classes = classes;
  }

  /**
   * Compiles sources, each one file; its name is that of the first type in it.
   *
   * @throws AssertionError with the compiler's messages if they do not compile
   */
  public static Programs compile(String... sources) {
    try {
      Path root = Files.createTempDirectory("takt-programs");
      Path classes = Files.createDirectory(root.resolve("classes"));
      compile(List.of(sources), classes, libraries(), List.of());
      return new Programs(root, classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compiles sources into a folder. */
  public static void compile(
      List<String> sources, Path into, List<Path> classPath, List<String> options)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> all = new ArrayList<>(List.of("-proc:none", "-nowarn", "-g", "-d", "" + into));
    all.add("-cp");
    all.add(
        String.join(java.io.File.pathSeparator, classPath.stream().map(Path::toString).toList()));
    all.addAll(options);
    List<JavaFileObject> units = new ArrayList<>();
    for (String source : sources) {
      units.add(new Source(source));
    }
    try (JavaFileManager files =
        new WithoutPlugins(compiler.getStandardFileManager(null, null, null))) {
      if (!compiler.getTask(messages, files, null, all, null, units).call()) {
        throw new AssertionError("the program does not compile:\n" + messages);
      }
    }
  }

  /** Keeps the compiler from finding the plugin on the class path of the tests. */
  private static final class WithoutPlugins extends ForwardingJavaFileManager<JavaFileManager> {
    WithoutPlugins(JavaFileManager files) {
      super(files);
    }

    @Override
    public ClassLoader getClassLoader(Location location) {
      return ClassLoader.getPlatformClassLoader();
    }
  }

  /** Makes a folder look like a module of takt, as the real ones are. */
  public static void describeModule(Path folder, String name) throws IOException {
    Files.write(
        folder.resolve("module-info.class"),
        ClassFile.of().buildModule(ModuleAttribute.of(ModuleDesc.of(name), module -> {})));
  }

  /** Returns takt-space and the stubs of takt-reflex, as folders or jars. */
  public static List<Path> libraries() {
    return List.of(Stubs.SPACE, Stubs.REFLEX);
  }

  /** Returns the folder with the classes. */
  public Path classes() {
    return classes;
  }

  /** Opens a world whose application is this program. */
  public ClassWorld world() throws IOException {
    return ClassWorld.open(List.of(classes), libraries());
  }

  @Override
  public void close() {
    delete(root);
  }

  /** Deletes a folder and what is in it. */
  public static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///" + path(text)), Kind.SOURCE);
      this.text = text;
    }

    private static String path(String text) {
      Matcher type = TYPE.matcher(text);
      if (!type.find()) {
        throw new IllegalArgumentException("no type begins a line in:\n" + text);
      }
      Matcher inPackage = PACKAGE.matcher(text);
      String folder = inPackage.find() ? inPackage.group(1).replace('.', '/') + "/" : "";
      return folder + type.group(1) + ".java";
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** The stubs, compiled once a run. */
  private static final class Stubs {
    static final Path SPACE = location("dev/takt/space/Event.class");
    static final Path REFLEX = compileStubs();

    private static Path location(String entry) {
      try {
        URI uri = Stubs.class.getClassLoader().getResource(entry).toURI();
        if (uri.getScheme().equals("jar")) {
          String text = uri.getSchemeSpecificPart();
          return Path.of(URI.create(text.substring(0, text.indexOf('!'))));
        }
        return Path.of(uri).resolve("../../../..").normalize();
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }

    private static Path compileStubs() {
      Path sources = location("stubs/dev/takt/reflex/ReflexTask.java");
      try (Stream<Path> files = Files.walk(sources)) {
        List<String> texts = new ArrayList<>();
        for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
          texts.add(Files.readString(file));
        }
        Path into = Files.createTempDirectory("takt-stubs");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(into)));
        compile(texts, into, List.of(SPACE), List.of());
        describeModule(into, "dev.takt.reflex");
        return into;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
