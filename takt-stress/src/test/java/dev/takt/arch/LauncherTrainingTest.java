package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher with {@code --train}: a JVM that is not the launcher's last act. */
class LauncherTrainingTest extends LauncherProject {
  @Test
  void shouldUseAnAotCacheOnlyWhenItWasMadeForTheSameJdkAndOptions()
      throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    assertThat(takt("run", "a.jar").out()).doesNotContain("AOT");

    Project.Run trained = takt("run", "--train", "a.jar");

    assertThat(trained.exitCode()).as(trained.err()).isZero();
    assertThat(trained.out())
        .contains("-XX:AOTConfiguration=", "dev.takt.cli.Main run --train a.jar");
    assertThat(trained.err()).contains("not trained, so the next runs start as before");
    Path cache =
        Path.of(trained.out().replaceAll("(?s).*AOTConfiguration=(.*?)[.]config .*", "$1"));
    assertThat(takt("run", "a.jar").out()).as("the JVM made none").doesNotContain("AOT");
    Files.writeString(cache, "cache");
    assertThat(takt("run", "a.jar").out()).contains("-XX:AOTCache=" + cache + " ");
    assertThat(takt("run", "a.jar").err()).isEmpty();
    environment.put("TAKT_JAVA_FLAGS", "-XX:+UseZGC");
    assertThat(takt("run", "a.jar").out()).doesNotContain("AOT");
  }

  @Test
  void shouldTellOfTrainingInOneSentenceAndEndAsTheProgramDid()
      throws IOException, InterruptedException {
    String made =
        """
        case "$*" in
          *AOTMode=create*)
            echo 'AOTCache creation is complete'
            for each; do
              case $each in -XX:AOTCache=*) echo cache >"${each#-XX:AOTCache=}" ;; esac
            done ;;
          *) echo program; exit 3 ;;
        esac\
        """;
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    takt("run", "a.jar");
    script(jdk.resolve("bin/java"), made);

    Project.Run trained = takt("run", "--train", "a.jar");

    assertThat(trained.exitCode()).isEqualTo(3);
    assertThat(trained.out()).isEqualTo("program\n");
    assertThat(trained.err())
        .contains("trained: the next runs with these options start with what the JVM has learned")
        .doesNotContain("AOT");
  }

  /** As a service manager, a closed terminal and Ctrl-C end a program. */
  @ParameterizedTest
  @CsvSource({"TERM, 143", "HUP, 129", "INT, 130"})
  void shouldEndTheProgramAndNotTheShellAloneWhenASignalComes(String signal, int exitCode)
      throws IOException, InterruptedException {
    Path jdk = jdk(jvms.resolve("jdk-25"), 25);
    takt("run", "a.jar");
    script(
        jdk.resolve("bin/java"),
        """
        case "$*" in *AOTMode=create*) exit 1 ;; esac
        trap 'echo ended by TERM; exit 143' TERM
        trap 'echo ended by HUP; exit 129' HUP
        read -r line
        echo "$$ has $line"
        n=0
        while [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done\
        """);
    List<String> command = new ArrayList<>();
    if (System.getProperty("os.name").equals("Linux")) {
      // a build in the background ignores some signals, and so does all that it starts
      command.addAll(List.of("env", "--default-signal=HUP,INT,TERM"));
    }
    command.addAll(List.of("sh", home.resolve("takt").toString(), "run", "--train", "a.jar"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    Process trained = builder.start();
    String started = null;
    try {
      trained.outputWriter().append("its input\n").flush();
      started = trained.inputReader().readLine();
      assertThat(started)
          .as("a program in the background would read nothing")
          .endsWith("has its input");

      new ProcessBuilder("kill", "-s", signal, Long.toString(trained.pid())).start().waitFor();

      assertThat(trained.inputReader().readLine())
          .isEqualTo("ended by " + (signal.equals("INT") ? "TERM" : signal));
      assertThat(trained.waitFor()).isEqualTo(exitCode);
    } finally {
      trained.destroyForcibly();
      if (started != null) {
        ProcessHandle.of(Long.parseLong(started.split(" ")[0]))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void shouldTrainWhereverTheOptionStandsBeforeTheProgramsArguments()
      throws IOException, InterruptedException {
    jdk(jvms.resolve("jdk-25"), 25);
    for (String words :
        List.of(
            "demo --speed max --train",
            "run --main A --train a.jar",
            "run a.jar --debug --train",
            "run a.jar --train x")) {
      assertThat(takt(words.split(" ")).out()).as(words).contains("-XX:AOTConfiguration=");
    }
    for (String words : List.of("run a.jar x --train", "run a.jar -- --train", "doctor --train")) {
      assertThat(takt(words.split(" ")).out()).as(words).doesNotContain("AOT");
    }
  }
}
