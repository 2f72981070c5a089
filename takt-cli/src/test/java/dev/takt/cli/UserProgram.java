package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;

/**
 * Programs of a user, compiled as a user would without the compiler plugin, in a compiler of its
 * own: one in this process would find the plugin on our path.
 */
final class UserProgram {
  /** A good task, and a main method that says what it was given and whether the task is woven. */
  static final String COUNTER =
      """
      package app;

      import dev.takt.reflex.ReflexRuntime;
      import dev.takt.reflex.ReflexTask;
      import dev.takt.reflex.Schedule;
      import dev.takt.space.Event;
      import dev.takt.space.EventSpace;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.time.Duration;

      public final class Main {
        static final class Counter extends ReflexTask {
          private long count;

          @Override
          public void execute() {
            write(new Event("count", ++count));
          }
        }

        public static void main(String[] arguments) throws Exception {
          EventSpace space = EventSpace.create();
          long count;
          try (ReflexRuntime runtime = ReflexRuntime.create(space)) {
            runtime.active("counter", new Counter(), Schedule.periodic(1_000_000));
            runtime.start();
            count = space.take(new Event("count", null), Duration.ofSeconds(30)).getLong("count");
          }
          String words = String.join(",", arguments);
          Files.writeString(Path.of(arguments[0]), "counted " + count + " " + words);
          if (words.contains("fail")) {
            throw new IllegalStateException("as told");
          }
        }
      }
      """;

  /** Without tasks: a session waits for an event, whose value is written into a file. */
  static final String SESSION =
      """
      package app;

      import dev.takt.session.Session;
      import dev.takt.session.SessionSettings;
      import dev.takt.session.Sessions;
      import dev.takt.space.Event;
      import dev.takt.space.EventSpace;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.time.Duration;

      public final class Main {
        public static void main(String[] arguments) throws Exception {
          EventSpace space = EventSpace.create();
          try (Sessions sessions = Sessions.open(SessionSettings.DEFAULTS)) {
            Session<Event> session =
                sessions.start(
                    "waits", () -> space.take(new Event("count", null), Duration.ofSeconds(30)));
            space.write(new Event("count", 7));
            long count = session.await().value().getLong("count");
            Files.writeString(Path.of(arguments[0]), "a session got " + count);
          }
        }
      }
      """;

  /** A task that blocks, and a main method that must not be reached. */
  static final String SLEEPER =
      """
      package app;

      import dev.takt.reflex.ReflexTask;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.util.concurrent.locks.LockSupport;

      public final class Main {
        static final class Sleeper extends ReflexTask {
          @Override
          public void execute() {
            rest();
          }

          private static void rest() {
            LockSupport.parkNanos(1);
          }
        }

        public static void main(String[] arguments) throws Exception {
          Files.writeString(Path.of(arguments[0]), "started");
        }
      }
      """;

  private UserProgram() {}

  /** Compiles a class {@code app.Main} into a folder of classes. */
  static Path compile(Path folder, String source) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path file = Files.createDirectories(folder.resolve("source")).resolve("Main.java");
    Files.writeString(file, source);
    String classPath =
        Applications.takt().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of("-g", "-cp", classPath, "-d", classes.toString(), file.toString()));
    Process javac = new ProcessBuilder(command).redirectErrorStream(true).start();
    String messages = new String(javac.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(javac.waitFor()).as(messages).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return classes;
  }

  /** Copies a package with all below it out of a folder or a jar, whatever the build has made. */
  static void copyPackage(Path place, String name, Path to) throws IOException {
    if (Files.isDirectory(place)) {
      copy(place.resolve(name), to.resolve(name));
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      copy(jar.getPath("/" + name), to.resolve(name));
    }
  }

  /** Packs a folder of classes, with a manifest that names the main class, and more entries. */
  static Path jar(Path classes, Path jar, String... moreNames) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream zip = new JarOutputStream(out)) {
      put(zip, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: app.Main\nX-Mine: 7\n");
      put(zip, "app/readme.txt", "hello");
      for (String each : moreNames) {
        put(zip, each, each);
      }
      List<Path> files;
      try (var walk = Files.walk(classes)) {
        files = walk.filter(Files::isRegularFile).sorted().toList();
      }
      for (Path each : files) {
        zip.putNextEntry(entry(classes.relativize(each).toString()));
        zip.write(Files.readAllBytes(each));
        zip.closeEntry();
      }
    }
    return jar;
  }

  static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (var walk = Files.walk(from)) {
      files = walk.filter(Files::isRegularFile).toList();
    }
    for (Path each : files) {
      Path copy = to.resolve(from.relativize(each).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(each, copy);
    }
  }

  private static void put(JarOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(entry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }

  private static JarEntry entry(String name) {
    JarEntry entry = new JarEntry(name);
    entry.setTime(1_000_000_000_000L);
    return entry;
  }
}
