package dev.takt.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Sleeper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs test classes once more in a JVM with fewer rights.
 *
 * <p>As the superuser, {@link #assertPasses} runs them as user {@code nobody}; as an ordinary user
 * it runs them as this user. {@link #assertPassesPortable} runs them as this user, without native
 * access, and sees to it that the JVM prints no warning. A test class that is run so asks what is
 * permitted and asserts the right one of both outcomes; it must not call this class itself.
 */
public final class Unprivileged {
  private static final String NOBODY = "65534";
  private static final int TIMEOUT_SECONDS = 300;

  /** What the superuser starts a program with as someone else; the first that is there. */
  private static final List<List<String>> AS_NOBODY =
      List.of(
          List.of(
              "setpriv",
              "--reuid=" + NOBODY,
              "--regid=" + NOBODY,
              "--clear-groups",
              "--no-new-privs"),
          List.of("runuser", "-u", "nobody", "--"));

  private Unprivileged() {}

  /** Runs test classes with native access and without the superuser's rights. */
  public static void assertPasses(Class<?>... testClasses) {
    inOwnFolder(
        folder -> {
          boolean isSuperuser = isSuperuser(folder);
          List<String> command = new ArrayList<>(isSuperuser ? asNobody() : List.of());
          command.addAll(
              java(folder, isSuperuser, testClasses, "--enable-native-access=ALL-UNNAMED"));
          Result result = run(folder, command);
          assertThat(result.out()).as(result.toString()).contains(" native=" + isLinux());
          if (isSuperuser) {
            assertThat(result.out()).contains("user=nobody");
          }
          assertThat(result.exitCode()).as(result.toString()).isZero();
        });
  }

  /** Runs test classes without native access. */
  public static void assertPassesPortable(Class<?>... testClasses) {
    inOwnFolder(
        folder -> {
          Result result = run(folder, java(folder, false, testClasses));
          assertThat(result.out()).as(result.toString()).contains(" native=false");
          assertThat(result.err()).as("warnings").isEmpty();
          assertThat(result.exitCode()).as(result.toString()).isZero();
        });
  }

  private static boolean isLinux() {
    return System.getProperty("os.name").equals("Linux");
  }

  private static boolean isSuperuser(Path ownFile) throws IOException {
    return Integer.valueOf(0).equals(Files.getAttribute(ownFile, "unix:uid"));
  }

  private static List<String> asNobody() {
    for (List<String> each : AS_NOBODY) {
      for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
        if (Files.isExecutable(Path.of(folder, each.getFirst()))) {
          return each;
        }
      }
    }
    throw new AssertionError(
        "no setpriv and no runuser on the PATH: the superuser's tests need one of them to run a part"
            + " of themselves as nobody (both are in util-linux)");
  }

  private static List<String> java(
      Path folder, boolean copied, Class<?>[] testClasses, String... options) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.add("-Djava.util.logging.config.file=" + logging(folder));
    List<String> classPath = new ArrayList<>();
    for (Path each : classPath()) {
      classPath.add((copied ? copy(each, folder.resolve("" + classPath.size())) : each).toString());
    }
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
    command.add(TestRunner.class.getName());
    Arrays.stream(testClasses).map(Class::getName).forEach(command::add);
    return command;
  }

  /** What the JDK warns of when it reads a jar that a test has damaged is no warning of Takt's. */
  private static Path logging(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "logging", ".properties");
    Files.writeString(
        file, "handlers=java.util.logging.ConsoleHandler\njava.util.jar.level=OFF\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return file;
  }

  /** All that this JVM takes classes from, whether by module path or class path. */
  static Set<Path> classPath() {
    Set<Path> entries = new LinkedHashSet<>();
    for (Class<?> each : List.of(TestRunner.class, Sleeper.class)) {
      entries.add(origin(each));
    }
    for (String property : List.of("java.class.path", "jdk.module.path")) {
      Arrays.stream(System.getProperty(property, "").split(File.pathSeparator))
          .filter(each -> !each.isEmpty())
          .map(Path::of)
          .filter(Files::exists)
          .forEach(entries::add);
    }
    return entries;
  }

  /** The folder or archive that a class comes from. */
  static Path origin(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** Where anyone may read it. */
  private static Path copy(Path from, Path to) throws IOException {
    Path target = Files.isDirectory(from) ? to : Path.of(to + ".jar");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path each : files.toList()) {
        Path copy = target.resolve(from.relativize(each).toString());
        if (each.equals(from) && !Files.isDirectory(from)) {
          copy = target;
        }
        Files.copy(each, copy);
        String rights = Files.isDirectory(each) ? "rwxr-xr-x" : "rw-r--r--";
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString(rights));
      }
    }
    return target;
  }

  private record Result(int exitCode, String out, String err) {}

  private static Result run(Path folder, List<String> command) throws IOException {
    File out = folder.resolve("out.txt").toFile();
    File err = folder.resolve("err.txt").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      return new Result(
          ended ? process.exitValue() : -1,
          Files.readString(out.toPath()),
          Files.readString(err.toPath()));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private interface FolderUser {
    void use(Path folder) throws IOException;
  }

  private static void inOwnFolder(FolderUser user) {
    try {
      Path folder = Files.createTempDirectory("takt-unprivileged");
      try {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        user.use(folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
