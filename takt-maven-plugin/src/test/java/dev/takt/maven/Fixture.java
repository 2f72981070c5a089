package dev.takt.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.jspecify.annotations.Nullable;

/**
 * A project of a user, compiled. Takt's own classes are compiled from their sources, since this
 * plugin is built before them.
 */
final class Fixture {
  private static final List<String> TAKT = List.of("takt-space", "takt-realtime", "takt-reflex");

  final Path classes;
  final Path state;
  final List<String> log = new ArrayList<>();

  private final Path folder;
  private final Path takt;

  /** Makes a project in a folder; takt is what {@link #compileTakt} has compiled. */
  Fixture(Path folder, Path takt) throws IOException {
    this.folder = folder;
    this.takt = takt;
    classes = Files.createDirectories(folder.resolve("target/classes"));
    state = folder.resolve("target/takt-weave");
  }

  /** Compiles what tasks stand on into a folder. */
  static void compileTakt(Path into) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : TAKT) {
      Path root = Path.of(System.getProperty("takt.root")).resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(each -> each.toString().endsWith(".java"))
            .filter(each -> !each.endsWith("module-info.java"))
            .forEach(sources::add);
      }
    }
    compile(into, place(Nullable.class), sources);
  }

  /** A task that counts its releases. */
  void compileCounter() throws IOException {
    compileTask("Counter", "private long count; public void execute() { count++; }");
  }

  /** A task that waits, which rule R5 forbids. */
  void compileSleeper() throws IOException {
    compileTask(
        "Sleeper",
        "public void execute() { java.util.concurrent.locks.LockSupport.parkNanos(1); }");
  }

  private void compileTask(String name, String body) throws IOException {
    Path source = folder.resolve(name + ".java");
    Files.writeString(
        source,
        "package com.acme;\npublic final class "
            + name
            + " extends dev.takt.reflex.ReflexTask {\n  "
            + body
            + "\n}\n");
    compile(classes, takt.toString(), List.of(source));
  }

  List<String> classpath() {
    return List.of(classes.toString(), takt.toString(), folder.resolve("absent.jar").toString());
  }

  /** What the goal prints goes into {@link #log}. */
  SystemStreamLog recorder() {
    return new SystemStreamLog() {
      @Override
      public void error(CharSequence text) {
        log.add("error: " + text);
      }

      @Override
      public void warn(CharSequence text) {
        log.add("warn: " + text);
      }

      @Override
      public void info(CharSequence text) {
        log.add("info: " + text);
      }
    };
  }

  private static String place(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  /**
   * A compiler of its own: one in this process would find the compiler plugin on our class path.
   */
  private static void compile(Path into, String classpath, List<Path> sources) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of("-d", into.toString(), "-proc:none", "-nowarn", "-cp", classpath));
    sources.forEach(each -> command.add(each.toString()));
    Process javac = new ProcessBuilder(command).redirectErrorStream(true).start();
    String messages = new String(javac.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(javac.waitFor()).as(messages).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
