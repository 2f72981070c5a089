package dev.takt.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
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
  final Path stamp;
  final List<String> log = new ArrayList<>();

  private final Path folder;
  private final Path takt;

  /** Makes a project in a folder; takt is what {@link #compileTakt} has compiled. */
  Fixture(Path folder, Path takt) throws IOException {
    this.folder = folder;
    this.takt = takt;
    classes = Files.createDirectories(folder.resolve("target/classes"));
    stamp = folder.resolve("target/takt-woven.txt");
  }

  /** Compiles what tasks stand on, each module into a folder of its name. */
  static void compileTakt(Path into) throws IOException {
    List<Path> sources = new ArrayList<>();
    List<String> options = new ArrayList<>(List.of("-p", place(Nullable.class)));
    for (String module : TAKT) {
      Path root = Path.of(System.getProperty("takt.root")).resolve(module).resolve("src/main/java");
      options.add("--module-source-path");
      options.add(moduleName(module) + "=" + root);
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(each -> each.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    compile(into, options, sources);
  }

  private static String moduleName(String artifact) {
    return "dev." + artifact.replace('-', '.');
  }

  private List<String> taktFolders() {
    return TAKT.stream().map(each -> takt.resolve(moduleName(each)).toString()).toList();
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
    compile(
        classes, List.of("-cp", String.join(File.pathSeparator, taktFolders())), List.of(source));
  }

  List<String> classpath() {
    List<String> path = new ArrayList<>(List.of(classes.toString()));
    path.addAll(taktFolders());
    path.add(folder.resolve("absent.jar").toString());
    return path;
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
  private static void compile(Path into, List<String> options, List<Path> sources)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
    command.addAll(List.of("-d", into.toString(), "-proc:none", "-nowarn"));
    command.addAll(options);
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
