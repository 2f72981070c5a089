package dev.takt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on the file that the tests of persistence keep, and on damaged copies of it. */
class SnapshotCommandTest {
  private static final Path FIXTURE =
      Path.of("../takt-persist/src/test/resources/dev/takt/persist/version1.takt");

  @TempDir private Path folder;
  private final SnapshotRun snapshot = new SnapshotRun();
  private Path good;
  private Path damaged;

  @BeforeEach
  void copy() throws IOException {
    byte[] bytes = Files.readAllBytes(FIXTURE);
    good = Files.write(folder.resolve("snapshot-0000000000000001.takt"), bytes);
    bytes[bytes.length - 30] ^= 1;
    damaged = Files.write(folder.resolve("snapshot-0000000000000002.takt"), bytes);
  }

  @Test
  void shouldListTheSnapshotsOfAFolder() {
    assertThat(snapshot.run("ls", folder)).isEqualTo(1);
    assertThat(snapshot.out())
        .contains("generation", good.toString())
        .containsPattern("0002.takt  \\(refused: offset \\d+");
  }

  /** A recovery that passes over them tells so at that start only. */
  @Test
  void shouldListWhichSnapshotsARecoveryRefusesAndWhy() throws IOException {
    Path newer = folder.resolve("snapshot-0000000000000003.takt");
    Path renamed = folder.resolve("snapshot-0000000000000004.takt");
    byte[] bytes = Files.readAllBytes(good);
    Files.write(renamed, bytes);
    Files.write(newer, withVersion(bytes, 9));
    Path unbased =
        Files.write(folder.resolve("changes-0000000000000005-0000000000000002.takt"), bytes);
    assertThat(snapshot.run("ls", folder)).isEqualTo(1);
    assertThat(snapshot.out())
        .contains(newer + ": refused, nothing can be read: offset 8: version=9, this program reads")
        .contains(renamed + "  (refused: offset 16: generation=1, its name says 4")
        .contains(unbased + "  (refused: offset 16: generation=1, its name says 5");
    assertThat(snapshot.lines().filter(line -> line.endsWith(good.toString()))).hasSize(1);
    Files.delete(newer);
    Files.delete(renamed);
    Files.delete(unbased);
    Files.delete(damaged);
    assertThat(snapshot.run("ls", folder)).isZero();
    assertThat(snapshot.out()).doesNotContain("refused");
  }

  private static byte[] withVersion(byte[] file, int version) {
    byte[] bytes = file.clone();
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    header.putShort(8, (short) version);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, 28);
    header.putInt(28, (int) checksum.getValue());
    return bytes;
  }

  @Test
  void shouldVerifyAndTellWhatIsReadable() {
    assertThat(snapshot.run("verify", good)).isZero();
    assertThat(snapshot.out()).contains("good, generation 1, 1 roots");
    assertThat(snapshot.run("verify", good, damaged)).isEqualTo(1);
    assertThat(snapshot.out())
        .containsPattern("0002.takt: damaged: offset \\d+: ")
        .contains("readable before that: ");
  }

  @Test
  void shouldCountTheObjectsOfEachClass() {
    assertThat(snapshot.run("inspect", good)).isZero();
    assertThat(snapshot.out())
        .contains("root everything: ", "stable dev.takt.kept.Everything", "record dev.takt.kept");
  }

  @Test
  void shouldExportEachObjectAsALineOfJson() throws IOException {
    assertThat(snapshot.run("export", good)).isZero();
    List<String> lines = snapshot.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Map<String, Object> object = JSON.std.mapFrom(lines.get(i));
      assertThat(object).containsEntry("root", "everything").containsEntry("id", i);
      assertThat(object).containsKey("class").hasSize(4);
    }
    assertThat(lines.getFirst()).contains("\"class\":\"dev.takt.kept.Everything\",\"fields\":{");
    assertThat(lines).anyMatch(each -> each.contains("\"elements\":["));
    Path json = folder.resolve("objects.json");
    assertThat(snapshot.run("export", good, "--output", json)).isZero();
    assertThat(Files.readAllLines(json)).isEqualTo(lines);
  }

  @Test
  void shouldExportTheElementsOfCollections() throws IOException {
    assertThat(snapshot.run("export", FIXTURE.resolveSibling("version2.takt"))).isZero();
    List<String> lines = snapshot.lines().toList();
    for (String line : lines) {
      assertThat(JSON.std.mapFrom(line)).containsKey("class").hasSize(4);
    }
    assertThat(lines)
        .anyMatch(each -> each.endsWith("\"class\":\"java.util.Set\",\"elements\":[]}"))
        .anyMatch(each -> each.contains("\"class\":\"java.util.Map\",\"elements\":[{\"ref\":"))
        .anyMatch(each -> each.contains("\"class\":\"java.util.UUID\",\"value\":\"0000"));
  }

  @Test
  void shouldRefuseToExportADamagedFileUnlessAskedForAPart() {
    assertThat(snapshot.run("export", damaged)).isEqualTo(1);
    assertThat(snapshot.out()).isEmpty();
    assertThat(snapshot.err()).containsPattern("damaged: offset \\d+").contains("--partial");
    assertThat(snapshot.run("export", damaged, "--partial")).isEqualTo(1);
    assertThat(snapshot.err()).contains("damaged: offset ");
  }

  @Test
  void shouldNeverExportOntoTheSnapshotItself() throws IOException {
    byte[] before = Files.readAllBytes(good);
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), good);
    Path hardLink = Files.createLink(folder.resolve("hard.json"), good);
    for (Path each : List.of(good, link, hardLink)) {
      assertThat(snapshot.run("export", good, "--output", each)).isEqualTo(2);
      assertThat(snapshot.err()).contains("is the snapshot itself");
      assertThat(Files.readAllBytes(good)).isEqualTo(before);
    }
  }

  @Test
  void shouldExportAWholeFileThatItsOwnerAloneMayReadOrNone() throws IOException {
    Path json = Files.writeString(folder.resolve("objects.json"), "before");
    assertThat(snapshot.run("export", damaged, "--output", json)).isEqualTo(1);
    assertThat(json).hasContent("before");
    assertThat(snapshot.run("export", good, "--output", json)).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(json)))
        .isEqualTo("rw-------");
    assertThat(snapshot.run("export", good, "--output", folder)).isEqualTo(2);
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.filter(each -> each.toString().endsWith(".tmp"))).isEmpty();
    }
  }

  @Test
  void shouldFindNoDifferenceOfAFileToItself() {
    assertThat(snapshot.run("diff", good, good)).isZero();
    assertThat(snapshot.out()).isEmpty();
    assertThat(snapshot.run("diff", good, damaged)).isEqualTo(1);
    assertThat(snapshot.err()).contains("damaged: offset ");
  }

  /** Writes a whole file in which one text is another one of the same length. */
  private Path changed(String from, String to) throws IOException {
    byte[] bytes = Files.readAllBytes(FIXTURE);
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(from);
    System.arraycopy(to.getBytes(StandardCharsets.ISO_8859_1), 0, bytes, at, to.length());
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = file.getInt(32) & 0xff_ffff; // of the first block, which has all objects
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 16, 8);
    checksum.update(bytes, 32, 8 + length);
    file.putInt(40 + length, (int) checksum.getValue());
    return Files.write(folder.resolve("changed.takt"), bytes);
  }

  @Test
  void shouldTellWhichValuesDiffer() throws IOException {
    assertThat(snapshot.run("diff", good, changed("caf", "Caf"))).isEqualTo(1);
    assertThat(snapshot.lines())
        .containsExactly(
            "root everything, object 1, java.lang.String: \"caf\u00e9\" -> \"Caf\u00e9\"");
    assertThat(snapshot.run("diff", good, folder.resolve("changed.takt"), "--limit", 0))
        .isEqualTo(1);
    assertThat(snapshot.lines()).containsExactly("1 more differences; --limit shows more");
  }

  @Test
  void shouldCountObjectsByClassWhereTheGraphsDiffer() throws IOException {
    assertThat(snapshot.run("diff", good, changed("dev.takt.kept.Color", "dev.takt.kept.Shade")))
        .isEqualTo(1);
    assertThat(snapshot.lines())
        .containsExactly(
            "root everything, object 0, dev.takt.kept.Everything.color: object 3 -> object 3 (not the"
                + " same)",
            "root everything, dev.takt.kept.Color: objects only in the first file: 1, only in the"
                + " second: 0",
            "root everything, dev.takt.kept.Shade: objects only in the first file: 0, only in the"
                + " second: 1");
  }

  @Test
  void shouldRefuseWhatItDoesNotUnderstand() throws IOException {
    assertThat(snapshot.run("show", good)).isEqualTo(2);
    assertThat(snapshot.err()).contains("ls, inspect, verify, diff, export");
    assertThat(snapshot.run("verify", Path.of("data", "journal-0000000000000001.takt")))
        .isEqualTo(2);
    assertThat(snapshot.err()).contains("is a segment of a journal");
    assertThat(snapshot.run("diff", good)).isEqualTo(2);
    assertThat(snapshot.run("diff", good, good, "--limit", 1_000_000_001)).isEqualTo(2);
    assertThat(snapshot.run("export", good, good)).isEqualTo(2);
    assertThat(snapshot.run("verify", folder.resolve("none"))).isEqualTo(1);
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(snapshot.run("verify", empty)).isEqualTo(1);
    assertThat(snapshot.err()).contains("there is no snapshot in ");
    Path text = Files.writeString(folder.resolve("text"), "not a snapshot at all, but some text\n");
    assertThat(snapshot.run("verify", text)).isEqualTo(1);
    assertThat(snapshot.out()).contains("nothing can be read: offset 0: ");
  }
}
