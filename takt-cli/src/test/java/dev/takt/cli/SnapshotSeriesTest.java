package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Incremental snapshots are compared with all that they are based on. */
class SnapshotSeriesTest {
  private static final int[] CLASS = payload(0, 0, "app.Node", 2, 0, "count", 'I', 0, "next", 'L');

  @TempDir private Path folder;
  private final SnapshotRun snapshot = new SnapshotRun();
  private Path full;
  private Path second;
  private Path third;

  /** Two objects; then another value in one of them and a third one; then two other values. */
  @BeforeEach
  void write() throws IOException {
    full = file(1, 0, 1, payload("list", CLASS, 1, 2, 1, 1, 4, 0), 2);
    second = file(2, 1, 4, payload("list", 1, 2, 1, CLASS, 1, 1, 14, 1, 1, 18, 0), 2);
    third = file(3, 2, 4, payload("list", 2, 3, 2, CLASS, 1, 2, 16, 0, 1, 0, 10, 3), 2);
  }

  private static int[] payload(Object... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Object each : parts) {
      switch (each) {
        case String text -> {
          bytes.write(text.length());
          bytes.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        }
        case int[] more -> {
          for (int b : more) {
            bytes.write(b);
          }
        }
        case Character c -> bytes.write(c);
        default -> bytes.write((Integer) each);
      }
    }
    int[] payload = new int[bytes.size()];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = bytes.toByteArray()[i];
    }
    return payload;
  }

  private Path file(long generation, long base, int kind, int[] section, long objects)
      throws IOException {
    ByteBuffer file = ByteBuffer.allocate(1_000).order(ByteOrder.LITTLE_ENDIAN);
    file.put("TAKTPERS".getBytes(StandardCharsets.US_ASCII))
        .putShort((short) 2)
        .putShort((short) 0);
    file.putInt(8_192).putLong(generation).putInt(0);
    CRC32C checksum = new CRC32C();
    checksum.update(file.array(), 0, file.position());
    file.putInt((int) checksum.getValue());
    block(file, generation, kind, 0, section);
    block(
        file,
        generation,
        3,
        1,
        payload(1, 0, 0, 0, 0, 0, 0, 0, (int) objects, 0, 0, 0, 0, 0, 0, 0));
    byte[] bytes = new byte[file.position()];
    file.get(0, bytes);
    String name =
        base == 0
            ? "snapshot-%016x.takt".formatted(generation)
            : "changes-%016x-%016x.takt".formatted(generation, base);
    return Files.write(folder.resolve(name), bytes);
  }

  private static void block(ByteBuffer file, long generation, int kind, int index, int[] payload) {
    int from = file.position();
    file.putInt(payload.length | kind << 24).putInt(index);
    for (int b : payload) {
      file.put((byte) b);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, generation).array());
    checksum.update(file.array(), from, file.position() - from);
    file.putInt((int) checksum.getValue());
  }

  @Test
  void shouldCompareWhatAllFilesOfASnapshotHaveTogether() {
    assertThat(snapshot.run("diff", third, third)).as(snapshot.err()).isZero();
    assertThat(snapshot.run("diff", full, second)).isEqualTo(1);
    assertThat(snapshot.lines())
        .containsExactly(
            "root list, object 1, app.Node.count: 2 -> 7",
            "root list, object 1, app.Node.next: null -> object 2",
            "root list, app.Node: objects only in the first file: 0, only in the second: 1");
    assertThat(snapshot.run("diff", second, third)).isEqualTo(1);
    assertThat(snapshot.lines())
        .containsExactly(
            "root list, object 0, app.Node.count: 1 -> 5",
            "root list, object 2, app.Node.count: 9 -> 8");
  }

  /** A list of an array, whose elements have a text each: all numbers move by one, or two. */
  private static int[] list(String... texts) {
    int count = texts.length;
    int[] next = new int[count];
    Arrays.fill(next, 1);
    List<Object> parts = new ArrayList<>(List.of("list"));
    parts.addAll(List.of(payload(0, 3, "[Ljava.lang.Object;", 0), 1, count, count, next));
    parts.add(payload(0, 0, "app.Name", 1, 0, "text", 'L'));
    for (int i = 0; i < count; i++) {
      parts.addAll(List.of(2, 1));
    }
    parts.add(payload(0, 4, "java.lang.String", 0));
    for (String each : texts) {
      parts.addAll(List.of(3, each.length(), each.length(), 0));
      each.chars().forEach(c -> parts.add((char) c));
    }
    return payload(parts.toArray());
  }

  private Path list(long generation, String... texts) throws IOException {
    return file(generation, 0, 1, list(texts), 2L * texts.length + 1);
  }

  @Test
  void shouldPairElementsByWhatTheyHoldWhereOneIsMoreInFrontOrGone() throws IOException {
    Path before = list(7, "anna", "bert", "carl", "dora");
    assertThat(snapshot.run("diff", before, list(8, "zoe", "anna", "bert", "carl", "dora")))
        .as(snapshot.err())
        .isEqualTo(1);
    assertThat(snapshot.lines())
        .containsExactly(
            "root list, object 0, [Ljava.lang.Object;: 4 elements: object 1, object 2, object 3,"
                + " object 4 -> 5 elements: object 1, object 2, object 3, object 4, object 5",
            "root list, app.Name: objects only in the first file: 0, only in the second: 1",
            "root list, java.lang.String: objects only in the first file: 0, only in the second: 1");

    assertThat(snapshot.run("diff", before, list(9, "anna", "carl", "dOra"))).isEqualTo(1);
    assertThat(snapshot.lines())
        .containsExactly(
            "root list, object 0, [Ljava.lang.Object;: 4 elements: object 1, object 2, object 3,"
                + " object 4 -> 3 elements: object 1, object 2, object 3",
            "root list, object 8, java.lang.String: \"dora\" -> \"dOra\"",
            "root list, app.Name: objects only in the first file: 1, only in the second: 0",
            "root list, java.lang.String: objects only in the first file: 1, only in the second: 0");
  }

  @Test
  void shouldSayThatElementsHaveChangedPlaces() throws IOException {
    Path before = list(7, "anna", "bert");
    assertThat(snapshot.run("diff", before, list(8, "bert", "anna"))).isEqualTo(1);
    assertThat(snapshot.out()).contains("object 0, [Ljava.lang.Object;", "(not the same)");
  }

  @Test
  void shouldListWhatIsRefusedSinceItIsBasedOnWhatIs() throws IOException {
    assertThat(snapshot.run("ls", folder)).as(snapshot.out()).isZero();
    byte[] bytes = Files.readAllBytes(second);
    bytes[60]++;
    Files.write(second, bytes);
    assertThat(snapshot.run("ls", folder)).isEqualTo(1);
    assertThat(snapshot.out())
        .contains(second + "  (refused: offset ")
        .contains(
            third
                + "  (refused: what it is based on is not there, or cannot be used: generation=2");
    assertThat(snapshot.lines().filter(line -> line.endsWith(full.toString()))).hasSize(1);
  }

  @Test
  void shouldSayWhatIsMissingOrDamagedOfASeries() throws IOException {
    Files.move(full, folder.resolve("elsewhere"));
    assertThat(snapshot.run("diff", second, third)).isEqualTo(1);
    assertThat(snapshot.err()).contains("is based on generation 1", "put it there");
    Files.copy(third, full);
    assertThat(snapshot.run("diff", second, second)).isEqualTo(1);
    assertThat(snapshot.err()).contains("what bears its name is generation 3");
    byte[] bytes = Files.readAllBytes(folder.resolve("elsewhere"));
    bytes[60]++;
    Files.write(full, bytes);
    assertThat(snapshot.run("diff", second, third)).isEqualTo(1);
    assertThat(snapshot.err()).contains("is damaged: offset ");
  }
}
