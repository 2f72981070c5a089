package dev.takt.testsupport;

import dev.takt.realtime.OperatingSystems;


import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The tests of this module once more: as a user who may do little, and in a JVM that may do less.
 */
class UnprivilegedTest {
  /** Not a test of this JVM's; it fails in the other one. */
  static class Failing {
    @Test
    void shouldFail() {
      assertThat(true).as("this fails").isFalse();
    }
  }

  /** Passes for an ordinary user only. */
  static class Ordinary {
    @Test
    void shouldBeRunByAnOrdinaryUserWithNativeAccess() throws IOException {
      assertThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isNotEqualTo(0);
      assertThat(OperatingSystems.current().isNative()).isTrue();
    }
  }

  private static CompletableFuture<Void> ordinary;
  private static CompletableFuture<Void> portable;

  /** Both at once, since such tests mostly wait. */
  @BeforeAll
  static void startTheOtherJvms() {
    ordinary = CompletableFuture.runAsync(() -> Unprivileged.assertPasses(allTests()));
    portable = CompletableFuture.runAsync(() -> Unprivileged.assertPassesPortable(allTests()));
  }

  @Test
  void shouldServeAnOrdinaryUser() throws Exception {
    ordinary.get();
  }

  @Test
  void shouldServeWithoutNativeAccessAndWithoutWarning() throws Exception {
    portable.get();
  }

  @Test
  void shouldTakeTheRightsAway() {
    if (System.getProperty("os.name").equals("Linux")) {
      Unprivileged.assertPasses(Ordinary.class);
    }
    assertThat(allTests()).hasSizeGreaterThan(10).doesNotContain(UnprivilegedTest.class);
  }

  @Test
  void shouldCatchATestThatFails() {
    assertThatThrownBy(() -> Unprivileged.assertPasses(Failing.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("this fails");
  }

  @Test
  void shouldCatchARunWithoutTests() {
    assertThatThrownBy(() -> Unprivileged.assertPasses(String.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("0 tests passed");
  }

  /** Those that do not start others themselves, and for which the user makes a difference. */
  private static Class<?>[] allTests() {
    Path root = Unprivileged.origin(UnprivilegedTest.class);
    try (Stream<Path> files = Files.walk(root)) {
      List<String> names =
          files
              .filter(each -> each.toString().endsWith("Test.class"))
              .filter(each -> !each.getFileName().toString().contains("$"))
              .filter(each -> !mentions(each, Unprivileged.class))
              .filter(each -> !mentions(each, NeedsNoRights.class))
              .map(each -> root.relativize(each).toString().replace(".class", ""))
              .map(each -> each.replace('/', '.'))
              .sorted()
              .toList();
      Class<?>[] tests = new Class<?>[names.size()];
      for (int i = 0; i < tests.length; i++) {
        tests[i] = Class.forName(names.get(i));
      }
      return tests;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean mentions(Path classFile, Class<?> type) {
    try {
      return Files.readString(classFile, StandardCharsets.ISO_8859_1)
          .contains(type.getName().replace('.', '/'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
