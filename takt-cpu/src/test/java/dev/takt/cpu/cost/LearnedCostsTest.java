package dev.takt.cpu.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedCostsTest {
  private static final String ONE = "0123456789abcdef".repeat(4);

  @TempDir private Path folder;

  private static String identity(int number) {
    return "%064x".formatted(number);
  }

  @Test
  void shouldKeepCostsInAFileForItsOwnerAlone() throws IOException {
    Path path = folder.resolve("learned");
    LearnedCostsFile file = new LearnedCostsFile(path);
    LearnedCosts costs = file.read();
    assertThat(costs.costNs(ONE)).isEmpty();
    costs.learn(ONE, 1_234);
    costs.learn(identity(2), 7);
    costs.forget(identity(2));
    file.write(costs);

    assertThat(file.read().costNs(ONE)).hasValue(1_234);
    assertThat(file.read().costNs(identity(2))).isEmpty();
    assertThat(Files.readString(path)).isEqualTo("takt learned costs 1\n" + ONE + " 1234\n");
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-------");
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).as("no temporary file is left").containsExactly(path);
    }
  }

  @Test
  void shouldSayWhetherAnythingHasChanged() {
    LearnedCosts costs = new LearnedCosts();
    costs.learn(ONE, 5);
    long changes = costs.changes();
    costs.learn(ONE, 5);
    costs.forget(identity(1));
    assertThat(costs.changes()).isEqualTo(changes);
    costs.learn(ONE, 6);
    assertThat(costs.changes()).isGreaterThan(changes);
  }

  @Test
  void shouldForgetWhatWasUsedLongestAgoWhenThereAreTooMany() {
    LearnedCosts costs = new LearnedCosts();
    for (int i = 0; i < LearnedCosts.MAX_ENTRIES; i++) {
      costs.learn(identity(i), 1 + i);
    }
    assertThat(costs.costNs(identity(0))).as("used").hasValue(1);
    costs.learn(ONE, 9);
    assertThat(costs.costNs(identity(0))).hasValue(1);
    assertThat(costs.costNs(identity(1))).isEmpty();
    assertThat(LearnedCosts.ofText(costs.toText()).toText()).isEqualTo(costs.toText());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "takt learned costs 2\n",
        "takt learned costs 1",
        "takt learned costs 1\nx 1\n",
        "takt learned costs 1\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n",
        "takt learned costs 1\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef 0\n",
        "takt learned costs 1\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef 5"
      })
  void shouldRefuseAFileThatIsDamaged(String text) throws IOException {
    Path path = Files.writeString(folder.resolve("learned"), text);
    assertThatThrownBy(() -> new LearnedCostsFile(path).read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("learned: ")
        .hasMessageEndingWith("; delete it");
  }

  /** A pipe without a writer would be waited for without end. */
  @Test
  void shouldRefuseWhatIsNoFile() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path each : List.of(pipe, folder, folder.getRoot())) {
      LearnedCostsFile file = new LearnedCostsFile(each);
      assertThatThrownBy(file::read)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(each.toString(), "is no regular file", "name another path");
      assertThatThrownBy(() -> file.write(new LearnedCosts()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is no regular file");
    }
    assertThat(Files.isRegularFile(pipe)).as("it was not replaced").isFalse();
  }

  /** Nothing could be written there at the end: that is to be said at the beginning. */
  @Test
  void shouldSayWhenItIsReadThatItsFolderIsMissing() throws IOException {
    assertThat(new LearnedCostsFile(folder.resolve("none yet")).read().changes()).isZero();
    Path path = folder.resolve("nofolder").resolve("x");
    assertThatThrownBy(() -> new LearnedCostsFile(path).read())
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(path.getParent() + " is no folder", path.toString());
  }

  @Test
  void shouldRefuseAFileThatIsTooLong() throws IOException {
    Path path = Files.write(folder.resolve("learned"), new byte[LearnedCostsFile.MAX_BYTES + 1]);
    assertThatThrownBy(() -> new LearnedCostsFile(path).read())
        .hasMessageContaining("is longer than 1048576 bytes");
    Files.writeString(
        path, "takt learned costs 1\n" + (ONE + " 1\n").repeat(LearnedCosts.MAX_ENTRIES + 1));
    assertThatThrownBy(() -> new LearnedCostsFile(path).read())
        .hasMessageContaining("it has more than 4096 costs");
  }

  @Test
  void shouldRefuseWhatIsNoIdentityOrNoCost() {
    LearnedCosts costs = new LearnedCosts();
    assertThatThrownBy(() -> costs.learn("x".repeat(64), 1)).hasMessageContaining("64 hexadecimal");
    assertThatThrownBy(() -> costs.learn(ONE, 0)).hasMessageContaining("costNs=0");
  }

  @Test
  void shouldKnowCodeByItsClassFileAndTheNameOfTheTask() {
    Runnable lambda = () -> {};
    Runnable other = () -> {};
    assertThat(CodeIdentity.of("task", getClass())).isEqualTo(CodeIdentity.of("task", getClass()));
    assertThat(CodeIdentity.of("task", getClass()).orElseThrow()).matches("[0-9a-f]{64}");
    assertThat(CodeIdentity.of("task", getClass())).isNotEqualTo(CodeIdentity.of("b", getClass()));
    assertThat(CodeIdentity.of("task", getClass()))
        .isNotEqualTo(CodeIdentity.of("task", LearnedCosts.class));
    assertThat(CodeIdentity.of("task", lambda.getClass()))
        .as("that of the class it is in")
        .isPresent()
        .isEqualTo(CodeIdentity.of("task", other.getClass()))
        .isEqualTo(CodeIdentity.of("task", getClass()));
    assertThat(CodeIdentity.of("task", String.class)).isPresent();
  }

  @Test
  void shouldHaveNoIdentityForAClassThatWasMadeAtRunTime() {
    Object proxy =
        java.lang.reflect.Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (a, b, c) -> null);
    assertThat(CodeIdentity.of("task", proxy.getClass())).isEmpty();
    assertThat(CodeIdentity.of("task", int[].class)).isEmpty();
  }
}
