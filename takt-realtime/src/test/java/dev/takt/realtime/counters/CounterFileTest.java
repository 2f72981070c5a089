package dev.takt.realtime.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterFileTest {
  private static final long NOW = System.nanoTime();

  @TempDir private Path temporary;
  private CounterFolder folder;
  private final CounterRows rows = new CounterRows(100);

  @BeforeEach
  void nameFolder() {
    folder = new CounterFolder(temporary.resolve("takt-test"));
  }

  private CounterFile create() throws IOException {
    return CounterFile.create(folder, ProcessIdentity.self(), "program", 100, 1_000, NOW);
  }

  private List<CounterSnapshot> readAll() throws IOException {
    return CounterReader.readAll(folder);
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void shouldGiveAReaderWhatWasWrittenAndGoWithItsWriter() throws IOException {
    try (CounterFile file = create()) {
      assertThat(readAll()).as("nothing is complete yet").isEmpty();
      rows.add(RowKind.TASK, "runtime-1", "feed").set(Figure.MISSES, 3).set(RowText.STATE, "runs");
      file.write(rows, NOW + 5);

      CounterSnapshot snapshot = readAll().getFirst();
      assertThat(snapshot.process()).isEqualTo(ProcessIdentity.self());
      assertThat(snapshot.program()).isEqualTo("program");
      assertThat(snapshot.takenNs()).isEqualTo(NOW + 5);
      assertThat(snapshot.ageNs(NOW + 25)).isEqualTo(20);
      CounterRow row = snapshot.rows(RowKind.TASK).getFirst();
      assertThat(row.text(RowText.NAME)).isEqualTo("feed");
      assertThat(row.text(RowText.STATE)).isEqualTo("runs");
      assertThat(row.figure(Figure.MISSES)).hasValue(3);
      assertThat(row.figure(Figure.RELEASES)).isEmpty();
      assertThat(row.figure(Figure.LOOKS)).isEmpty();
      assertThat(mode(folder.path())).isEqualTo("rwx------");
      assertThat(mode(file.path())).isEqualTo("rw-------");
    }
    assertThat(Files.list(folder.path())).isEmpty();
  }

  @Test
  void shouldCutNamesBetweenCharactersAndHideWhatATerminalWouldObey() throws IOException {
    try (CounterFile file = create()) {
      rows.add(RowKind.TASK, "runtime-1", "x" + "\u20ac".repeat(100));
      rows.add(RowKind.TASK, "runtime-1", "a\u001b[31m\nb\u202ec\u0085\ud800");
      file.write(rows, NOW);
      List<CounterRow> read = readAll().getFirst().rows();
      assertThat(read.get(0).text(RowText.NAME)).isEqualTo("x" + "\u20ac".repeat(41));
      assertThat(read.get(1).text(RowText.NAME)).isEqualTo("a?[31m?b?c??");
      rows.clear();
      rows.add(RowKind.TASK, "runtime-1", "short");
      file.write(rows, NOW);
      assertThat(readAll().getFirst().rows())
          .extracting(each -> each.text(RowText.NAME))
          .containsExactly("short");
    }
  }

  /** All numbers of a look are equal if it is not torn, and they never go back. */
  @Test
  void shouldNeverShowALookThatWasTorn() throws Exception {
    Random random = new Random(Seeds.seed());
    TestSource source = new TestSource(RowKind.RUNTIME, "t", 1);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread writer =
        new Thread(
            () -> {
              try (CounterFile file = create()) {
                while (!ended.get()) {
                  source.tasks = 1 + random.nextInt(90);
                  source.value.incrementAndGet();
                  rows.clear();
                  source.copyTo(rows, "runtime-1");
                  file.write(rows, source.value.get());
                }
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    writer.start();
    try {
      Path path = folder.file(ProcessIdentity.self().pid());
      long last = 0;
      int wanted = Seeds.size(2_000, 200_000);
      for (int looks = 0; looks < wanted && failure.get() == null; ) {
        CounterSnapshot look = Files.exists(path) ? CounterReader.read(path) : null;
        if (look != null) {
          looks++;
          long value = look.takenNs();
          assertThat(value).as(Seeds.replay(Seeds.seed())).isGreaterThanOrEqualTo(last);
          last = value;
          List<CounterRow> tasks = look.rows(RowKind.TASK);
          assertThat(tasks).hasSize((int) look.rows().getFirst().figure(Figure.TASKS).getAsLong());
          for (CounterRow each : tasks) {
            assertThat(each.numbers()).as(Seeds.replay(Seeds.seed())).containsOnly(value);
          }
        }
      }
    } finally {
      ended.set(true);
      writer.join();
    }
    assertThat(failure.get()).isNull();
  }

  @Test
  void shouldGiveNothingOfALookDuringWhichItWasWritten() throws IOException {
    try (CounterFile file = create();
        FileChannel channel =
            FileChannel.open(file.path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      file.write(rows, NOW);
      ByteBuffer header = CounterReader.read(channel, 0, CounterFile.HEADER_BYTES);
      long sequence = header.getLong(CounterFile.SEQUENCE_AT);
      assertThat(CounterReader.read(channel, header, sequence)).isNotNull();
      file.write(rows, NOW + 1);
      assertThat(CounterReader.read(channel, header, sequence)).isNull();
      assertThat(CounterReader.read(file.path()).takenNs()).isEqualTo(NOW + 1);

      header.putLong(0, sequence + 3); // its writer was killed halfway
      channel.write(header.slice(0, Long.BYTES), CounterFile.SEQUENCE_AT);
      assertThat(CounterReader.read(file.path())).isNull();
    }
  }

  @Test
  void shouldRemoveWhatAnEarlierProcessWithThisNumberHasLeft() throws IOException {
    folder.create();
    ProcessIdentity self = ProcessIdentity.self();
    Files.write(folder.file(self.pid()), new byte[CounterFile.HEADER_BYTES]); // killed halfway
    try (CounterFile file = create()) {
      file.write(rows, NOW);
      assertThat(readAll()).hasSize(1);
    }
    ProcessIdentity earlier = new ProcessIdentity(self.pid(), self.start() + 1, self.namespace());
    CounterFile left = CounterFile.create(folder, earlier, "earlier", 100, 1_000, NOW);
    left.write(rows, NOW);
    assertThat(readAll()).as("it has ended, whoever has its number now").isEmpty();
    assertThat(left.path()).as("whoever reads changes nothing").exists();
    CounterReader.removeEnded(folder);
    assertThat(left.path()).doesNotExist();
    left.close();
  }

  @Test
  void shouldRemoveNothingThatIsNoFileOfCounters() throws IOException {
    folder.create();
    ProcessIdentity self = ProcessIdentity.self();
    Path notes = Files.writeString(folder.path().resolve("20240101"), "my notes");
    Path brief = Files.writeString(folder.path().resolve("2023"), "TAKT");
    Path fresh = Files.createFile(folder.path().resolve("7654321"));
    Path old = Files.write(folder.path().resolve("7654322"), new byte[1_000]);
    Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    ProcessIdentity foreign = new ProcessIdentity(1304, 1, self.namespace() + 1);
    CounterFile half = CounterFile.create(folder, foreign, "half", 100, 1_000, NOW);
    half.write(rows, NOW);
    try (FileChannel channel = FileChannel.open(half.path(), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {3}), CounterFile.SEQUENCE_AT);
    }

    assertThat(readAll()).isEmpty();
    assertThat(old).exists();
    CounterReader.removeEnded(folder);
    assertThat(notes).hasContent("my notes");
    assertThat(brief).hasContent("TAKT");
    assertThat(fresh).as("it may just be made").exists();
    assertThat(half.path()).as("nobody here knows whether its process lives").exists();
    assertThat(old).doesNotExist();
    half.close();

    Path own = Files.writeString(folder.file(self.pid()), "my notes");
    assertThatThrownBy(this::create).hasMessageContainingAll(own.toString(), "no file of counters");
    assertThat(own).hasContent("my notes");
  }

  /** Else it would be shown as living for ever. */
  @Test
  void shouldNotTakeATimeToComeForASignOfLife() throws IOException {
    ProcessIdentity self = ProcessIdentity.self();
    ProcessIdentity other = new ProcessIdentity(self.pid(), 1, self.namespace() + 1);
    long nowNs = System.nanoTime();
    try (CounterFile file = CounterFile.create(folder, other, "other", 100, 1_000, nowNs)) {
      for (long takenNs : new long[] {nowNs + 3_600_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE}) {
        file.write(rows, takenNs);
        assertThat(readAll()).as("%s", takenNs).isEmpty();
      }
      file.write(rows, nowNs + 1_000_000_000);
      assertThat(readAll()).hasSize(1);
    }
  }

  @Test
  void shouldLeaveAFileOfAnotherContainerToIt() throws IOException {
    ProcessIdentity self = ProcessIdentity.self();
    ProcessIdentity other = new ProcessIdentity(self.pid(), 1, self.namespace() + 1);
    long nowNs = System.nanoTime();
    try (CounterFile file = CounterFile.create(folder, other, "other", 100, 1_000, nowNs)) {
      file.write(rows, nowNs);
      assertThat(readAll()).hasSize(1);
      assertThatThrownBy(() -> CounterFile.create(folder, self, "own", 100, 1_000, nowNs))
          .hasMessageContaining("java.io.tmpdir");
      file.write(rows, nowNs - CounterReader.FOREIGN_MAX_AGE_NS);
      assertThat(readAll()).as("it has ended, most likely").isEmpty();
      assertThat(file.path()).exists();
    }
  }

  /** Its processes may live: whoever follows the advice must not take their counters away. */
  @Test
  void shouldSayHowToLookAtTheFolderOfAnotherUser() throws IOException {
    Path real = Files.createDirectory(temporary.resolve("real"));
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
    Object owner = Files.getAttribute(real, "unix:uid");
    new CounterFolder(real).check(owner.toString());
    assertThatThrownBy(() -> new CounterFolder(real).check("4711"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            real + " belongs to user " + owner + " (expected: 4711)",
            "setpriv --reuid " + owner + " --clear-groups ./takt top --folder " + real)
        .hasMessageNotContaining("remove");
  }

  @Test
  void shouldNotUseAFolderThatOthersCanWriteOrThatIsALink() throws IOException {
    Path real = Files.createDirectory(temporary.resolve("real"));
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
    CounterFolder link = new CounterFolder(temporary.resolve("link"));
    Files.createSymbolicLink(link.path(), real);
    assertThatThrownBy(link::create).hasMessageContaining("is no folder, or a link");

    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwxrwx---"));
    assertThatThrownBy(() -> new CounterFolder(real).create())
        .hasMessageContaining("lets others in", "chmod 700");
    assertThatThrownBy(() -> CounterReader.readAll(new CounterFolder(real)))
        .hasMessageContaining("lets others in");

    CounterFolder file = new CounterFolder(Files.createFile(temporary.resolve("file")));
    assertThatThrownBy(file::create).hasMessageContaining("is no folder");
    assertThat(CounterReader.readAll(new CounterFolder(temporary.resolve("absent")))).isEmpty();
  }

  @Test
  void shouldNotFollowALinkWithTheNameOfItsFile() throws IOException {
    folder.create();
    Path victim = Files.writeString(temporary.resolve("victim"), "precious");
    Files.createSymbolicLink(folder.file(ProcessIdentity.self().pid()), victim);
    assertThat(readAll()).isEmpty();
    try (CounterFile file = create()) {
      file.write(rows, NOW);
      assertThat(Files.readString(victim)).isEqualTo("precious");
    }
    assertThat(victim).exists();
  }

  @Test
  void shouldSurviveThatItsFileIsCutOff() throws IOException {
    try (CounterFile file = create()) {
      rows.add(RowKind.TASK, "runtime-1", "a");
      file.write(rows, NOW);
      assertThat(file.isThere()).isTrue();
      try (FileChannel other = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
        other.truncate(0);
      }
      assertThat(file.isThere()).isFalse();
      try {
        file.write(rows, NOW);
      } catch (InternalError e) {
        assertThat(e).hasMessageContaining("fault");
      }
      assertThatCode(this::readAll).doesNotThrowAnyException();
    }
  }

  @Test
  void shouldReadNothingFromAFileThatIsNoCounters() throws IOException {
    Random random = new Random(Seeds.seed());
    folder.create();
    byte[] good;
    try (CounterFile file = create()) {
      for (int i = 0; i < 3; i++) {
        rows.add(RowKind.TASK, "runtime-1", "t" + i);
      }
      file.write(rows, NOW);
      good = Files.readAllBytes(file.path());
    }
    Path path = folder.file(ProcessIdentity.self().pid());
    for (int i = 0; i < 2_000; i++) {
      byte[] bad = good.clone();
      for (int j = random.nextInt(20); j >= 0; j--) {
        bad[random.nextInt(j % 2 == 0 ? CounterFile.HEADER_BYTES : 4 * CounterFile.ROW_BYTES)] =
            (byte) random.nextInt();
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(bad.length) : bad.length;
      Files.write(path, Arrays.copyOf(bad, length));
      assertThatCode(() -> CounterReader.read(path))
          .as(Seeds.replay(Seeds.seed()))
          .doesNotThrowAnyException();
    }
    for (int at : List.of(CounterFile.ROWS_AT, CounterFile.MAX_ROWS_AT, CounterFile.MORE_AT)) {
      for (int value : new int[] {-1, 101, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        byte[] bad = good.clone();
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        Files.write(path, bad);
        CounterSnapshot read = CounterReader.read(path);
        assertThat(read == null || at == CounterFile.MORE_AT).isTrue();
      }
    }
    Files.delete(path);
  }

  @Test
  void shouldPassOverWhatElseLiesInTheFolder() throws Exception {
    try (CounterFile file = create()) {
      file.write(rows, NOW);
      Files.createDirectory(folder.path().resolve("17"));
      Files.writeString(folder.path().resolve("notes.txt"), "mine");
      Files.write(folder.path().resolve("18"), new byte[0]);
      Files.writeString(
          folder.path().resolve("999999999999999999"), "no such process", StandardCharsets.UTF_8);
      try (FileChannel huge =
          FileChannel.open(
              folder.path().resolve("19"),
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE)) {
        huge.write(ByteBuffer.allocate(1), 1L << 34);
      }
      Process pipe = new ProcessBuilder("mkfifo", folder.path().resolve("20").toString()).start();
      assertThat(pipe.waitFor()).isZero();

      assertThat(readAll()).hasSize(1);
      assertThat(folder.path().resolve("notes.txt")).exists();
      CounterReader.removeEnded(folder);
      assertThat(folder.path().resolve("999999999999999999")).hasContent("no such process");
    }
  }
}
