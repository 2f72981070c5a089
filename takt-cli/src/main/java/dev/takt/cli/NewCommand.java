package dev.takt.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a small project with one task and one test, ready to be built. */
@Command(name = "new", sortOptions = false, mixinStandardHelpOptions = true)
final class NewCommand implements Callable<Integer> {
  private static final List<String> SOURCES =
      List.of(
          "src/main/java/com/example/App.java",
          "src/main/java/com/example/Buyer.java",
          "src/test/java/com/example/BuyerTest.java");

  @Parameters(paramLabel = "DIR", description = "the project's folder; its name is the project's")
  private Path folder;

  @Option(names = "--gradle", description = "a build for Gradle instead of Maven")
  private boolean gradle;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    if (Files.exists(folder) && !isEmptyFolder()) {
      err.println("takt new: " + folder + " is there and not empty; name a new folder");
      return CommandLine.ExitCode.USAGE;
    }
    String build = gradle ? "gradle/" : "maven/";
    List<String> files = new ArrayList<>(List.of("README.md"));
    files.addAll(gradle ? List.of("build.gradle.kts", "settings.gradle.kts") : List.of("pom.xml"));
    for (String each : files) {
      write(each, build + each);
    }
    for (String each : SOURCES) {
      write(each, each);
    }
    write(".gitignore", "gitignore");
    PrintWriter out = spec.commandLine().getOut();
    out.println(folder + " is made; next:");
    out.println("  cd " + word(folder.toString()));
    // Maven itself would run on the default java, which may be too old; this one is new enough.
    String jdk = word(System.getProperty("java.home"));
    out.println(gradle ? "  gradle build" : "  JAVA_HOME=" + jdk + " mvn package");
    out.flush();
    return CommandLine.ExitCode.OK;
  }

  private boolean isEmptyFolder() throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private void write(String file, String template) throws IOException {
    Path target = folder.resolve(file);
    Files.createDirectories(target.toAbsolutePath().getParent());
    Files.writeString(target, filled(template));
  }

  /** The text of a template, with the project's name and the versions that Takt itself uses. */
  private String filled(String template) throws IOException {
    Properties values = new Properties();
    try (InputStream versions =
            NewCommand.class.getResourceAsStream("project/versions.properties");
        InputStream text = NewCommand.class.getResourceAsStream("project/" + template)) {
      values.load(versions);
      values.setProperty("takt", Main.Version.ofTakt());
      values.setProperty("name", name());
      String filled = new String(text.readAllBytes(), StandardCharsets.UTF_8);
      for (String each : values.stringPropertyNames()) {
        filled = filled.replace("@" + each + "@", values.getProperty(each));
      }
      return filled;
    }
  }

  /** As one word of a shell. */
  private static String word(String text) {
    boolean plain = text.matches("[\\w./+:@%-]+");
    return plain ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /** The folder's name as Maven and Gradle allow it. */
  private String name() {
    String name = folder.toAbsolutePath().normalize().getFileName().toString();
    String allowed = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String trimmed = allowed.replaceAll("^-|-$", "");
    return trimmed.isEmpty() ? "app" : trimmed;
  }
}
