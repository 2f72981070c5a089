package dev.takt.safety.load;

import dev.takt.safety.Printable;
import dev.takt.safety.load.WeaveRun.Mode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Weaves while a program is developed: {@code java -javaagent:takt-safety.jar}, with {@code =debug}
 * at the end for traps. It looks at the folders on the class path, since that is where an IDE
 * compiles to; jars are taken as they are. For development alone: a JVM with an agent starts slowly
 * and uses no AOT cache. Programs on the module path are not woven by it.
 *
 * <p>Another option ends the JVM with the exit code 2. If a task breaks a rule, it says so and
 * weaves nothing; the runtime then refuses the tasks.
 */
public final class TaktAgent {
  private static final List<String> TAKT =
      List.of(
          "dev/takt/space/Stable.class",
          "dev/takt/realtime/NanoClock.class",
          "dev/takt/reflex/ReflexTask.class",
          "dev/takt/safety/Rule.class");

  private static final String DEBUG = "debug";

  private TaktAgent() {}

  /** Called by the JVM before the program's main method. */
  public static void premain(@Nullable String options, Instrumentation instrumentation)
      throws IOException {
    if (options != null && !options.isEmpty() && !options.equals(DEBUG)) {
      System.err.println(
          ("takt: the agent has no option %s; it takes -javaagent:takt-safety.jar, or "
                  + "-javaagent:takt-safety.jar=%s for traps")
              .formatted(Printable.of(options), DEBUG));
      System.exit(2); // an exception would abort the JVM with a dump of it
    }
    List<Path> application = new ArrayList<>();
    List<Path> libraries = new ArrayList<>();
    String separator = System.getProperty("path.separator", ":");
    for (String each : System.getProperty("java.class.path", "").split(separator, -1)) {
      Path path = Path.of(each.isEmpty() ? "." : each);
      if (Files.isDirectory(path) && !isTakt(path)) {
        application.add(path);
      } else if (Files.exists(path)) {
        libraries.add(path);
      }
    }
    Mode mode = DEBUG.equals(options) ? Mode.DEBUG : Mode.WEAVE;
    WeaveRun.Output output = WeaveRun.run(application, libraries, mode);
    say(output.weaving(), System.err);
    if (output.weaving().isClean()) {
      install(output.classes(), application, instrumentation);
    }
  }

  private static boolean isTakt(Path folder) {
    return TAKT.stream().anyMatch(each -> Files.exists(folder.resolve(each)));
  }

  private static void say(WeaveResult weaving, PrintStream err) {
    err.println(
        "takt: woven by the agent, which is for development alone (%s%s%s"
            .formatted(
                weaving.tasks(),
                weaving.tasks() == 1 ? " task)" : " tasks)",
                weaving.isClean() ? "" : "; nothing is woven, because:"));
    err.print(FindingText.of(weaving.findings()));
  }

  /** Replaces classes when they are loaded; those that the weaver added come from a jar. */
  private static void install(
      Map<String, byte[]> classes, List<Path> application, Instrumentation instrumentation)
      throws IOException {
    Map<String, byte[]> replaced = new TreeMap<>();
    Map<String, byte[]> added = new TreeMap<>();
    classes.forEach(
        (name, bytes) -> {
          boolean there =
              application.stream().anyMatch(each -> Files.exists(ClassFiles.file(each, name)));
          (there ? replaced : added).put(name, bytes);
        });
    if (!added.isEmpty()) {
      instrumentation.appendToSystemClassLoaderSearch(new JarFile(jar(added).toFile()));
    }
    instrumentation.addTransformer(new Replacer(replaced));
  }

  private static Path jar(Map<String, byte[]> classes) throws IOException {
    Path jar = Files.createTempFile("takt-agent", ".jar");
    jar.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        zip.putNextEntry(new ZipEntry(each.getKey() + ".class"));
        zip.write(each.getValue());
        zip.closeEntry();
      }
    }
    return jar;
  }

  /** Gives the system class loader the woven classes. */
  private record Replacer(Map<String, byte[]> classes) implements ClassFileTransformer {
    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        String className,
        @Nullable Class<?> redefined,
        ProtectionDomain domain,
        byte[] bytes) {
      boolean isOurs = loader == ClassLoader.getSystemClassLoader() && redefined == null;
      return isOurs ? classes.get(className) : null;
    }
  }
}
