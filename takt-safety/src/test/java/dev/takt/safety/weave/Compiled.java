package dev.takt.safety.weave;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles source text in memory. */
final class Compiled {
  private Compiled() {}

  /** Returns class files by internal name, compiled against other class files. */
  static Map<String, byte[]> compile(List<String> sources, Map<String, byte[]> against) {
    return compile(sources, against, List.of("-g"));
  }

  static Map<String, byte[]> compile(
      List<String> sources, Map<String, byte[]> against, List<String> options) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, ByteArrayOutputStream> out = new TreeMap<>();
    List<JavaFileObject> units = new ArrayList<>();
    for (String source : sources) {
      units.add(new Source(source));
    }
    StringWriter log = new StringWriter();
    List<String> all = new ArrayList<>(options);
    all.add("-proc:none");
    boolean good =
        compiler
            .getTask(
                log,
                new Files(compiler.getStandardFileManager(null, null, null), out, against),
                null,
                all,
                null,
                units)
            .call();
    if (!good) {
      throw new AssertionError(log.toString());
    }
    Map<String, byte[]> classes = new TreeMap<>();
    out.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("mem:///" + fileName(text)), Kind.SOURCE);
      this.text = text;
    }

    private static String fileName(String text) {
      var matcher =
          java.util.regex.Pattern.compile("(?:class|interface|record|enum) (\\w+)").matcher(text);
      if (!matcher.find()) {
        throw new AssertionError("no class in: " + text);
      }
      return matcher.group(1) + ".java";
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Binary extends SimpleJavaFileObject {
    private final String name;
    private final byte[] bytes;

    Binary(String name, byte[] bytes) {
      super(URI.create("mem:///" + name + ".class"), Kind.CLASS);
      this.name = name;
      this.bytes = bytes;
    }

    @Override
    public java.io.InputStream openInputStream() {
      return new java.io.ByteArrayInputStream(bytes);
    }
  }

  private static final class Files extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> out;
    private final Map<String, byte[]> against;

    Files(
        JavaFileManager base, Map<String, ByteArrayOutputStream> out, Map<String, byte[]> against) {
      super(base);
      this.out = out;
      this.against = against;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + className + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          out.put(className.replace('.', '/'), bytes);
          return bytes;
        }
      };
    }

    @Override
    public Iterable<JavaFileObject> list(
        Location location,
        String packageName,
        java.util.Set<JavaFileObject.Kind> kinds,
        boolean deep)
        throws java.io.IOException {
      List<JavaFileObject> found = new ArrayList<>();
      if (location == StandardLocation.CLASS_PATH && kinds.contains(JavaFileObject.Kind.CLASS)) {
        String prefix = packageName.isEmpty() ? "" : packageName.replace('.', '/') + "/";
        against.forEach(
            (name, bytes) -> {
              if (name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0) {
                found.add(new Binary(name, bytes));
              }
            });
      }
      super.list(location, packageName, kinds, deep).forEach(found::add);
      return found;
    }

    /** The module's own compiler plugin would refuse what the weaver is to be tried with. */
    @Override
    public ClassLoader getClassLoader(Location location) {
      return ClassLoader.getPlatformClassLoader();
    }

    @Override
    public String inferBinaryName(Location location, JavaFileObject file) {
      return file instanceof Binary binary
          ? binary.name.replace('/', '.')
          : super.inferBinaryName(location, file);
    }
  }
}
