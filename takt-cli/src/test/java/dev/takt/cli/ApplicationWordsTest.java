package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationWordsTest {
  private static List<ApplicationWords> parse(String... words) {
    return ApplicationWords.parse("a.Main", "x.jar", Path.of("a.jar"), List.of(words));
  }

  private static ApplicationWords named(
      String name, String jar, String main, String classPath, String... arguments) {
    return new ApplicationWords(name, Path.of(jar), main, classPath, List.of(arguments));
  }

  @Test
  void shouldTellJarsOptionsAndArgumentsApart() {
    assertThat(parse()).containsExactly(named("a", "a.jar", "a.Main", "x.jar"));
    assertThat(
            parse(
                "--",
                "1",
                "--main",
                "2",
                "--",
                "lib/b.jar",
                "--class-path=y.jar",
                "--main",
                "c.Main",
                "a.jar",
                "--"))
        .containsExactly(
            named("a", "a.jar", "a.Main", "x.jar", "1", "--main", "2"),
            named("b", "lib/b.jar", null, ""),
            named("a-2", "a.jar", "c.Main", "y.jar"));
  }

  @Test
  void shouldRefuseWhatIsNoJar() {
    assertThatThrownBy(() -> parse("-x")).hasMessageContaining("unknown option -x before a jar");
    assertThatThrownBy(() -> parse("--main")).hasMessageContaining("a value is missing after");
    assertThatThrownBy(() -> parse("--main=")).hasMessageContaining("a value is missing after");
    assertThatThrownBy(() -> parse("--main", "b.Main")).hasMessageContaining("a jar is missing");
    assertThatThrownBy(() -> parse("")).hasMessageContaining("the path of a jar is empty");
    assertThatThrownBy(() -> parse("\0")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> parse(Collections.nCopies(64, "b.jar").toArray(String[]::new)))
        .hasMessage("more than 64 jars (limit: 64); start them in several processes");
  }
}
