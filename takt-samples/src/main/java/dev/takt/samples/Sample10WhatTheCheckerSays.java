package dev.takt.samples;

import dev.takt.reflex.ReflexTask;
import dev.takt.safety.Finding;
import dev.takt.safety.load.Checker;
import dev.takt.space.Event;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A task that breaks the safety rules is refused before it runs: by the compiler plugin at the
 * line, by {@code takt check} and {@code takt:weave} in what was compiled, and by the runtime if it
 * was not woven. This sample compiles such a task with plain javac and asks the checker.
 *
 * <p>The task keeps events in a list of the JDK, though events are gone after the release, and it
 * sleeps. You will see the rules with their numbers, and what to do:
 *
 * <pre>
 * R8 at Hoarder.all
 * R5 at Hoarder.execute()
 * </pre>
 */
public final class Sample10WhatTheCheckerSays {
  private static final String HOARDER =
      """
      import dev.takt.reflex.ReflexTask;
      import dev.takt.space.Event;
      import java.util.ArrayList;
      import java.util.List;
      import java.util.concurrent.locks.LockSupport;

      class Hoarder extends ReflexTask {
        private final List<Event> all = new ArrayList<>();

        @Override
        public void execute() {
          all.add(event());
          LockSupport.parkNanos(1_000);
        }
      }
      """;

  private Sample10WhatTheCheckerSays() {}

  /** Runs the sample. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("takt-sample");
    try {
      compile(folder);
      for (Finding finding : Checker.check(List.of(folder), takt()).findings()) {
        String member = finding.place().member();
        IO.println(finding.rule() + " at " + finding.place().className() + "." + member);
        IO.println("  " + finding.message());
        IO.println("  why: " + finding.rule().reason());
        IO.println("  do:  " + finding.rule().remedy());
      }
    } finally {
      delete(folder);
    }
  }

  /** Compiles it without the compiler plugin on the class path. */
  private static void compile(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve("Hoarder.java");
    Files.writeString(source, HOARDER);
    String javac = Path.of(System.getProperty("java.home"), "bin", "javac").toString();
    String classPath = takt().get(0) + System.getProperty("path.separator") + takt().get(1);
    List<String> command = List.of(javac, "-cp", classPath, "-d", "" + folder, "" + source);
    new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static List<Path> takt() {
    return Stream.of(Event.class, ReflexTask.class).map(Sample10WhatTheCheckerSays::place).toList();
  }

  private static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no place of classes", e);
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
