package dev.takt.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemRootTest {
  @TempDir private Path folder;

  @Test
  void shouldReadTextLinesNumbersAndFields() throws IOException {
    FileSystemRoot root =
        new FakeMachine(folder)
            .with("proc/a", " 42 \n")
            .with("proc/b", "Uid:\t1\t2\nUidMap: 9\n")
            .root();

    assertThat(root.text("proc/a")).contains("42");
    assertThat(root.number("proc/a")).hasValue(42);
    assertThat(root.lines("proc/b")).containsExactly("Uid:\t1\t2", "UidMap: 9");
    assertThat(root.field("proc/b", "Uid")).contains("1\t2");
    assertThat(root.number("proc/b")).isEmpty();
  }

  @Test
  void shouldHaveNothingWhereNothingCanBeRead() throws IOException {
    FileSystemRoot root =
        new FakeMachine(folder).with("proc/empty", "\n").with("proc/x/y", "1").root();

    assertThat(root.text("proc/none")).isEmpty();
    assertThat(root.text("proc/empty")).isEmpty();
    assertThat(root.text("proc/x")).as("a folder").isEmpty();
    assertThat(root.text("proc/\0")).as("no path").isEmpty();
    assertThat(root.names("proc/none")).isEmpty();
    assertThat(root.names("proc/empty")).as("a file").isEmpty();
    assertThat(root.unzippedLines("proc/empty")).as("not compressed").isEmpty();
    assertThat(root.device("proc/none", 4)).isEmpty();
  }

  @Test
  void shouldNotLeaveItsFolder() throws IOException {
    Files.writeString(folder.resolve("secret"), "s");
    FileSystemRoot root = new FileSystemRoot(folder.resolve("inside"));

    assertThat(root.text("../secret")).isEmpty();
    assertThat(root.text("proc/../../secret")).isEmpty();
    assertThat(root.text(folder.resolve("secret").toString())).isEmpty();
    assertThat(root.exists("../secret")).isFalse();
  }

  @Test
  void shouldNotWaitForAPipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThat(new FileSystemRoot(folder).text("pipe")).isEmpty();
    assertThat(new FileSystemRoot(folder).unzippedLines("pipe")).isEmpty();
  }

  @Test
  void shouldReadTheBeginningOnlyOfAHugeFile() throws IOException {
    try (RandomAccessFile huge = new RandomAccessFile(folder.resolve("huge").toFile(), "rw")) {
      huge.writeBytes("first\n");
      huge.setLength(1L << 34); // a hole: it takes no room on the disk
    }

    assertThat(new FileSystemRoot(folder).lines("huge").getFirst()).isEqualTo("first");
    assertThat(new FileSystemRoot(folder).text("huge").orElseThrow())
        .hasSizeLessThan(FileSystemRoot.MAX_BYTES + 1);
  }

  @Test
  void shouldUnpackTheBeginningOnlyOfACompressedFile() throws IOException {
    FileSystemRoot root =
        new FakeMachine(folder).withZipped("bomb", "x\n" + "0".repeat(10_000_000)).root();

    assertThat(root.unzippedLines("bomb").getFirst()).isEqualTo("x");
    assertThat(root.unzippedLines("bomb").getLast()).hasSize(FileSystemRoot.MAX_BYTES - 2);
  }

  @Test
  void shouldListSomeOnlyOfVeryManyEntries() throws IOException {
    for (int i = 0; i < FileSystemRoot.MAX_ENTRIES + 10; i++) {
      Files.createFile(folder.resolve(Integer.toString(i)));
    }

    assertThat(new FileSystemRoot(folder).names(""))
        .hasSize(FileSystemRoot.MAX_ENTRIES)
        .startsWith("0", "1", "2");
  }

  @Test
  void shouldTakeBytesThatAreNoTextForText() throws IOException {
    byte[] garbage = new byte[5_000];
    new Random(1).nextBytes(garbage);
    FileSystemRoot root = new FakeMachine(folder).with("garbage", garbage).root();

    assertThat(root.text("garbage")).isPresent();
    assertThat(root.number("garbage")).isEmpty();
  }
}
