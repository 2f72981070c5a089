package dev.takt.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.takt.persist.inspect.SnapshotFile;
import dev.takt.persist.inspect.StoredObjects;
import dev.takt.persist.inspect.StoredValues;
import dev.takt.persist.store.Generations;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tools see all of a file that is whole, and what comes before the damage of one that is not. */
class InspectTest {
  /** What the package's Javadoc says. */
  private static final int FACTOR = 200;

  private static final int HOSTILE_BYTES = 1 << 20;

  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());
  private Path file;
  private byte[] good;

  @BeforeEach
  void store() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Persistence persistence =
        Persistence.open(storage, PersistSettings.DEFAULTS.withBlockBytes(8_192));
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(200);
      persistence.begin(grower.runtime).run();
    }
    good = storage.bytes(Generations.name(1));
    file = folder.resolve(Generations.name(1));
  }

  /** Counts values, and objects by what they begin with. */
  private static final class Count implements StoredValues {
    private long objects;
    private long values;

    @Override
    public void primitive(String field, char type, long bits) {
      values++;
    }

    @Override
    public void reference(String field, long object) {
      values++;
      assertThat(object).isGreaterThanOrEqualTo(-1);
    }

    @Override
    public void text(String text) {
      values++;
    }

    @Override
    public void length(int elements) {
      assertThat(elements).isNotNegative();
    }

    @Override
    public void element(char type, long bits) {
      values++;
    }

    @Override
    public void element(long object) {
      values++;
    }
  }

  private static void count(SnapshotFile snapshot, Count count) throws IOException {
    for (int i = 0; i < snapshot.roots().size(); i++) {
      StoredObjects objects = snapshot.objects(i);
      while (objects.next()) {
        objects.read(count);
        count.objects++;
      }
    }
  }

  @Test
  void shouldPassEveryObjectOfAWholeFile() throws IOException {
    Files.write(file, good);
    try (SnapshotFile snapshot = SnapshotFile.open(file)) {
      Count count = new Count();
      count(snapshot, count);
      assertThat(snapshot.damage()).isNull();
      assertThat(snapshot.generation()).isEqualTo(1);
      assertThat(snapshot.roots()).containsExactly(GrowerRuntime.NAME);
      assertThat(snapshot.bytes()).isEqualTo(good.length);
      assertThat(count.objects).isEqualTo(snapshot.objects()).isGreaterThan(100);
      assertThat(count.values).isGreaterThan(count.objects);
    }
  }

  @Test
  void shouldTellTheOffsetAndReadWhatComesBeforeTheDamage() throws IOException {
    byte[] bytes = good.clone();
    bytes[good.length - 40] ^= 1; // in the last block of objects
    Files.write(file, bytes);
    try (SnapshotFile snapshot = SnapshotFile.open(file)) {
      assertThat(snapshot.damage()).startsWith("offset ").contains("checksum of block ");
      assertThat(snapshot.objects()).isEqualTo(-1);
      assertThat(snapshot.roots()).containsExactly(GrowerRuntime.NAME);
      Count count = new Count();
      assertThatThrownBy(() -> count(snapshot, count)).hasMessage(snapshot.damage());
      assertThat(count.objects).isPositive();
    }
  }

  @Test
  void shouldNoticeAnyByteThatIsNotAsItWasWritten() throws IOException {
    int step = Seeds.size(101, 1);
    for (int at = random.nextInt(step); at < good.length; at += step) {
      byte[] bytes = good.clone();
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      assertThat(damage(bytes))
          .as("byte %d, %s", at, Seeds.replay(Seeds.seed()))
          .contains("offset ");
    }
    for (int length = 0; length < good.length; length += step) {
      assertThat(damage(Arrays.copyOf(good, length))).as("length %d", length).contains("offset ");
    }
  }

  @Test
  void shouldReadOrRefuseButNeverFailOtherwiseWhenPayloadsAreForged() throws IOException {
    int refused = 0;
    for (int i = Seeds.size(1_000, 100_000); i > 0; i--) {
      byte[] bytes = good.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        bytes[32 + random.nextInt(bytes.length - 32)] = (byte) random.nextInt();
      }
      Forgery.forge(bytes);
      String damage = damage(bytes);
      if (damage != null) {
        refused++;
        assertThat(damage).as(Seeds.replay(Seeds.seed())).contains("offset ");
      }
    }
    assertThat(refused).isPositive();
  }

  static Stream<Arguments> hostileRecords() {
    byte[] emptyClass = {0, 0, 0, 0}; // tag, kind, length of its name, number of fields
    byte[] flagNamedByNothing = {0, 0, 'Z'}; // classes above, length of its name, type
    byte[] root = {0, 3, 2, '[', 'L', 0}; // an array of references, of which each object is one
    ByteBuffer longName = ByteBuffer.allocate(HOSTILE_BYTES / 2).put(new byte[] {0, 0, 0, 1, 1});
    varint(longName, HOSTILE_BYTES / 4);
    longName.put("x".repeat(HOSTILE_BYTES / 4).getBytes(UTF_8)).put((byte) 'Z').flip();
    byte[] withLongName = Arrays.copyOf(longName.array(), longName.limit());
    byte[] anEnum = {0, 2, 0, 0};
    byte[] text = {0, 4, 0, 0};
    return Stream.of(
        Arguments.of("many classes", repeat(new byte[0], emptyClass)),
        Arguments.of("many fields", fields(flagNamedByNothing)),
        Arguments.of("a long name, many objects", referred(root, withLongName, (byte) 2, 0)),
        Arguments.of("many constants", referred(root, anEnum, (byte) 2, 0)),
        Arguments.of("many strings", referred(root, text, (byte) 2, 0)),
        Arguments.of("a long array", referred(root, text, (byte) 1, 0x7f)));
  }

  private static void varint(ByteBuffer to, int value) {
    int rest = value;
    for (; rest > 0x7f; rest >>>= 7) {
      to.put((byte) (rest | 0x80));
    }
    to.put((byte) rest);
  }

  private static byte[] repeat(byte[] before, byte[] record) {
    ByteBuffer all = ByteBuffer.allocate(HOSTILE_BYTES).put(before);
    while (all.remaining() >= record.length) {
      all.put(record);
    }
    return Arrays.copyOf(all.array(), all.position());
  }

  private static byte[] fields(byte[] field) {
    ByteBuffer head = ByteBuffer.allocate(16).put(new byte[] {0, 0, 0});
    varint(head, (HOSTILE_BYTES - 16) / field.length);
    return repeat(Arrays.copyOf(head.array(), head.position()), field);
  }

  /** An array of references to new objects of a class, each of which has its tag and a byte. */
  private static byte[] referred(byte[] root, byte[] type, byte tag, int value) {
    ByteBuffer all = ByteBuffer.allocate(HOSTILE_BYTES).put(root);
    int count = (HOSTILE_BYTES - type.length) / 4;
    all.put((byte) 1);
    varint(all, count);
    for (int done = 0; done < count; ) {
      int chunk = Math.min(128, count - done);
      varint(all, chunk);
      for (int i = 0; i < chunk; i++) {
        all.put((byte) 1);
      }
      done += chunk;
    }
    all.put(type);
    for (int i = 0; i < count; i++) {
      all.put(tag).put((byte) value);
    }
    return Arrays.copyOf(all.array(), all.position());
  }

  /** A file of whole blocks: one root of these records, or a root for each byte of them. */
  private byte[] file(byte[] records, boolean manyRoots) {
    int blocks = manyRoots ? HOSTILE_BYTES / 24 : 1;
    ByteBuffer file = ByteBuffer.allocate(2 * HOSTILE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.put(good, 0, 32).putInt(12, (1 << 24) - 1);
    CRC32C checksum = new CRC32C();
    checksum.update(file.array(), 0, 28);
    file.putInt(28, (int) checksum.getValue());
    for (int i = 0; i < blocks; i++) {
      byte[] name = Integer.toString(i).getBytes(UTF_8);
      file.putInt(1 << 24 | 1 + name.length + records.length).putInt(i);
      file.put((byte) name.length).put(name).put(records).putInt(0);
    }
    file.putInt(3 << 24 | 16).putInt(blocks).putLong(blocks).putLong(blocks).putInt(0);
    byte[] bytes = Arrays.copyOf(file.array(), file.position());
    Forgery.forge(bytes);
    return bytes;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hostileRecords")
  void shouldAllocateNoMoreThanTheStatedFactorOfAHostileFile(String name, byte[] records)
      throws IOException {
    assertThat(allocated(file(records, false))).as(name).isLessThan(FACTOR);
  }

  @Test
  void shouldAllocateNoMoreThanTheStatedFactorOfAFileOfManyRoots() throws IOException {
    assertThat(allocated(file(new byte[0], true))).isLessThan(FACTOR);
    byte[] oneObject = {0, 0, 0, 0, 1}; // of a class without a name
    assertThat(allocated(file(oneObject, true))).as("all can be read").isLessThan(FACTOR);
  }

  /** Returns how many bytes are allocated for a byte of a file that is read, garbage included. */
  private double allocated(byte[] bytes) throws IOException {
    Files.write(file, bytes);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try (SnapshotFile snapshot = SnapshotFile.open(file)) {
      count(snapshot, new Count());
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("offset ");
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / (double) bytes.length;
  }

  /** Reads all of a file; returns what is wrong with it, or null. */
  private String damage(byte[] bytes) throws IOException {
    Files.write(file, bytes);
    try (SnapshotFile snapshot = SnapshotFile.open(file)) {
      count(snapshot, new Count());
      return snapshot.damage();
    } catch (IOException e) {
      return e.getMessage();
    }
  }
}
