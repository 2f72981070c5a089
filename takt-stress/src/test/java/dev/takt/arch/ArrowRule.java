package dev.takt.arch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which module may use which: the layout of the modules as a table. A new module is a new row. */
final class ArrowRule {
  /** Without the prefix {@code takt-} or {@code dev.takt.}. */
  static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("space", Set.of()),
          Map.entry("realtime", Set.of()),
          Map.entry("rtsj", Set.of("realtime")),
          Map.entry("cpu", Set.of("realtime")),
          Map.entry("safety", Set.of()),
          Map.entry("maven-plugin", Set.of("safety")),
          Map.entry("reflex", Set.of("space", "realtime")),
          Map.entry("persist", Set.of("space", "realtime", "reflex")),
          Map.entry("session", Set.of("space", "realtime", "cpu")),
          Map.entry("client", Set.of("space")),
          Map.entry(
              "host", Set.of("space", "realtime", "cpu", "reflex", "persist", "session", "client")),
          Map.entry("netty", Set.of("session")),
          Map.entry("testkit", Set.of("space", "realtime", "reflex", "session")),
          Map.entry(
              "cli",
              Set.of(
                  "space",
                  "realtime",
                  "cpu",
                  "reflex",
                  "persist",
                  "session",
                  "client",
                  "host",
                  "safety")),
          Map.entry(
              "samples",
              Set.of(
                  "space",
                  "realtime",
                  "rtsj",
                  "cpu",
                  "reflex",
                  "persist",
                  "session",
                  "client",
                  "host",
                  "safety",
                  "cli")),
          Map.entry(
              "bench",
              Set.of(
                  "space",
                  "realtime",
                  "rtsj",
                  "cpu",
                  "reflex",
                  "persist",
                  "session",
                  "client",
                  "host",
                  "netty",
                  "safety",
                  "cli",
                  "samples",
                  "testkit")),
          Map.entry(
              "stress",
              Set.of(
                  "space",
                  "realtime",
                  "rtsj",
                  "cpu",
                  "reflex",
                  "persist",
                  "session",
                  "client",
                  "host",
                  "netty",
                  "safety",
                  "testkit",
                  "samples")));

  private static final String PREFIX = "dev.takt.";

  /** Not those of tests: Maven sees to it that they form no circle. */
  private static final Pattern POM_DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*(?:<!--.*?-->\\s*)?<groupId>dev\\.takt</groupId>\\s*"
              + "<artifactId>takt-([\\w-]+)</artifactId>(?!\\s*<scope>test</scope>)");

  private ArrowRule() {}

  /** What is wrong with the arrows of a compiled module. */
  static List<String> check(ModuleDescriptor module) {
    List<String> wrong = new ArrayList<>();
    String name =
        module.name().startsWith(PREFIX) ? module.name().substring(PREFIX.length()) : module.name();
    for (ModuleDescriptor.Requires each : module.requires()) {
      boolean compileTimeOnly =
          each.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC);
      if (each.name().startsWith(PREFIX)) {
        check(name, each.name().substring(PREFIX.length()), wrong);
      } else if (Project.CORE.contains("takt-" + name)
          && !isSupportedJdk(each.name())
          && !compileTimeOnly) {
        wrong.add(
            name
                + " requires "
                + each.name()
                + ": a core module stands on the JDK's supported modules alone");
      }
    }
    return wrong;
  }

  /** What is wrong with the dependencies in a module's pom. */
  static List<String> check(String module, String pom) {
    List<String> wrong = new ArrayList<>();
    Matcher dependency = POM_DEPENDENCY.matcher(pom);
    while (dependency.find()) {
      check(module, dependency.group(1), wrong);
    }
    return wrong;
  }

  static ModuleDescriptor read(Path moduleInfo) {
    try (InputStream in = Files.newInputStream(moduleInfo)) {
      return ModuleDescriptor.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(String from, String to, List<String> wrong) {
    if (!ALLOWED.containsKey(from)) {
      wrong.add(from + " has no row in ArrowRule.ALLOWED; add it with its arrows");
    } else if (!ALLOWED.get(from).contains(to)) {
      wrong.add(
          from
              + " -> "
              + to
              + " (allowed: "
              + ALLOWED.get(from)
              + "); move the code, or change the table first");
    }
  }

  private static boolean isSupportedJdk(String module) {
    return module.startsWith("java.")
        || module.startsWith("jdk.")
            && !module.startsWith("jdk.internal.")
            && !module.equals("jdk.unsupported");
  }
}
