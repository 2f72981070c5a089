package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.load.TaktAgent;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent for development, in a JVM of its own. */
class AgentTest {
  @TempDir private Path folder;

  @Test
  void shouldWeaveTheFoldersOnTheClassPath() throws Exception {
    Path told = folder.resolve("told.txt");

    String err = run(UserProgram.compile(folder, UserProgram.COUNTER), told);

    assertThat(err)
        .isEqualTo("takt: woven by the agent, which is for development alone (1 task)\n");
    assertThat(told).hasContent("counted 1 " + told);
  }

  @Test
  void shouldSayWhyItWeavesNothingWhenATaskBreaksARule() throws Exception {
    Path told = folder.resolve("told.txt");

    String err = run(UserProgram.compile(folder, UserProgram.SLEEPER), told);

    assertThat(err).contains("nothing is woven, because:", "error R5", "Main.java:16");
    assertThat(told).hasContent("started");
  }

  @Test
  void shouldRefuseAnOptionThatItDoesNotKnow() throws Exception {
    Path told = folder.resolve("told.txt");

    String err = run(UserProgram.compile(folder, UserProgram.COUNTER), told, "=dbug", 2);

    assertThat(err).contains("no option dbug", "=debug").hasLineCount(1);
    assertThat(told).doesNotExist();
  }

  private String run(Path classes, Path told) throws IOException, InterruptedException {
    return run(classes, told, "", 0);
  }

  private String run(Path classes, Path told, String options, int exitCode)
      throws IOException, InterruptedException {
    List<Path> classPath = new ArrayList<>(Applications.takt());
    classPath.add(Applications.place(TaktAgent.class));
    classPath.add(classes);
    String path =
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-javaagent:" + agent() + options,
                "-cp",
                path,
                "app.Main",
                told.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String err = new String(java.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(java.waitFor()).as(err).isEqualTo(exitCode);
    return err;
  }

  /**
   * A jar that names the agent as the one of takt-safety does; its classes are on the class path.
   */
  private Path agent() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", TaktAgent.class.getName());
    Path jar = folder.resolve("agent.jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }
}
