package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.persist.Forgery;
import dev.takt.persist.MemoryStorage;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damaged and hostile segments are refused, or end the journal where a crash may have ended it. */
class JournalDamageTest {
  /** The second start has deleted the first segment; then it is killed before any commit. */
  @Test
  void shouldRefuseASafeBaseThatIsDamagedOrCutBeforeAnyCommit() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    EventSpace first = EventSpace.create();
    try (Journal journal = Journal.open(storage, first, JournalSettings.DEFAULTS)) {
      first.write(new Event("kept", 1));
      assertThat(journal.failure()).isNull();
    }
    String name;
    byte[] whole;
    try (Journal journal = Journal.open(storage, EventSpace.create(), JournalSettings.DEFAULTS)) {
      assertThat(journal.recovered().events()).isEqualTo(1);
      name = storage.names().getLast();
      whole = storage.bytes(name);
    }
    for (int at = 24; at < whole.length; at++) {
      byte[] cut = Arrays.copyOf(whole, at);
      byte[] damaged = whole.clone();
      damaged[at]++;
      for (byte[] bytes : List.of(cut, damaged)) {
        MemoryStorage other = new MemoryStorage();
        other.put(name, bytes);
        EventSpace space = EventSpace.create();
        try (Journal journal = Journal.open(other, space, JournalSettings.DEFAULTS)) {
          assertThat(journal.recovered().events()).as("at %s", at).isEqualTo(1);
        } catch (DamagedFileException e) {
          assertThat(e).hasMessageContaining(name);
          assertThat(other.names()).containsExactly(name);
        }
      }
    }
  }

  private static final String FILE = SegmentNames.of(1);
  private static final int COMMITS = 30;

  private final Random random = new Random(Seeds.seed());

  /** Ended by its writer. */
  private byte[] ended;

  /** As a crash leaves it. */
  private byte[] open;

  private static JournalSettings settings() {
    return JournalSettings.DEFAULTS.withSizes(1 << 17, 1 << 16, 1 << 20);
  }

  private static EventSpace space() {
    return EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(512).withMaxEventBytes(512));
  }

  @BeforeEach
  void write() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    EventSpace space = space();
    try (Journal journal = Journal.open(storage, space, settings())) {
      for (int i = 0; i < COMMITS; i++) {
        space.write(
            new Event("i", i)
                .add("text", "abc\u20ac")
                .add("array", new int[] {i, 2})
                .add("price", 2.5));
      }
      open = storage.bytes(FILE);
      assertThat(journal.stats().commits()).isEqualTo(COMMITS);
    }
    ended = storage.bytes(FILE);
  }

  /** What was found in a file: the events, which are the first ones, or what is wrong. */
  private record Found(int events, String cut, DamagedFileException damage) {}

  private static Found found(byte[] bytes) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    storage.put(FILE, bytes);
    EventSpace space = space();
    try (Journal journal = Journal.open(storage, space, settings())) {
      List<Event> events = JournalTest.content(space);
      for (int i = 0; i < events.size(); i++) {
        assertThat(events.get(i).getLong("i")).isEqualTo(i);
      }
      return new Found(events.size(), journal.recovered().cut(), null);
    } catch (DamagedFileException e) {
      return new Found(-1, null, e);
    }
  }

  @Test
  void shouldDetectEveryByteOfAnEndedSegmentThatIsNotAsItWasWritten() throws IOException {
    assertThat(found(ended)).isEqualTo(new Found(COMMITS, null, null));
    int step = Seeds.size(3, 1);
    int endBlock = ended.length - 28;
    for (int at = random.nextInt(step); at < ended.length; at += step) {
      byte[] bytes = ended.clone();
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      Found found = found(bytes);
      String what = "byte %d, %s".formatted(at, Seeds.replay(Seeds.seed()));
      if (at < endBlock) {
        assertThat(found.damage).as(what).hasMessageContaining(FILE).hasMessageContaining("offset");
        assertThat(found.damage.offset()).as(what).isLessThanOrEqualTo(at);
      } else {
        assertThat(found.events).as(what).isEqualTo(COMMITS);
        assertThat(found.cut).as(what).contains(FILE, "offset");
      }
    }
  }

  @Test
  void shouldDetectEveryByteThatWasSafeOfASegmentThatWasNotEnded() throws IOException {
    assertThat(found(open)).isEqualTo(new Found(COMMITS, null, null));
    int step = Seeds.size(3, 1);
    for (int at = random.nextInt(step); at < open.length; at += step) {
      byte[] bytes = open.clone();
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      Found found = found(bytes);
      String what = "byte %d, %s".formatted(at, Seeds.replay(Seeds.seed()));
      if (found.damage == null) {
        // the last group: a crash may have left it so
        assertThat(found.events).as(what).isEqualTo(COMMITS - 1);
        assertThat(found.cut).as(what).contains(FILE, "offset");
        assertThat(at).as(what).isGreaterThan(open.length - 120);
      }
    }
  }

  @Test
  void shouldGiveBackAllCommitsBeforeACut() throws IOException {
    int last = -1;
    int step = Seeds.size(3, 1);
    for (int length = random.nextInt(step); length <= open.length; length += step) {
      Found found = found(Arrays.copyOf(open, length));
      assertThat(found.damage).isNull();
      assertThat(found.events).isGreaterThanOrEqualTo(last);
      last = found.events;
    }
    assertThat(last).isGreaterThanOrEqualTo(COMMITS - 1);
  }

  @Test
  void shouldRefuseOrReadButNeverFailOtherwiseWhenPayloadsAreForged() throws IOException {
    int refused = 0;
    for (int i = Seeds.size(2_000, 200_000); i > 0; i--) {
      byte[] bytes = open.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        bytes[32 + random.nextInt(bytes.length - 32)] = (byte) random.nextInt();
      }
      Forgery.forge(bytes);
      MemoryStorage storage = new MemoryStorage();
      storage.put(FILE, bytes);
      try (Journal journal = Journal.open(storage, space(), settings())) {
        assertThat(journal.recovered().events()).isGreaterThanOrEqualTo(0);
      } catch (DamagedFileException | IllegalStateException | IllegalArgumentException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldRefuseASegmentWithoutTheOneItGoesOnFrom() throws IOException {
    // In its first block: the name, "forced" and 0, "begin" and 1, "base end".
    int fresh = 32 + 8 + 8 + 3;
    byte[] bytes = new byte[open.length - 1];
    System.arraycopy(open, 0, bytes, 0, fresh);
    System.arraycopy(open, fresh + 2, bytes, fresh + 1, open.length - fresh - 2);
    bytes[32]--; // the length of the block
    Forgery.forge(bytes);
    assertThat(found(bytes).damage).hasMessageContaining("missing");
  }

  /** Puts bytes into a block of their own, after those of a file. */
  private static byte[] with(byte[] file, int kind, int index, byte[] payload) {
    ByteBuffer bytes =
        ByteBuffer.allocate(file.length + 12 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(file).putInt(kind << 24 | payload.length).putInt(index).put(payload);
    CRC32C checksum = new CRC32C();
    checksum.update(file, 16, 8);
    checksum.update(bytes.array(), file.length, 8 + payload.length);
    return bytes.putInt((int) checksum.getValue()).array();
  }

  @Test
  void shouldRefuseArraysOfStringsInOneAnother() throws IOException {
    byte[] first = Arrays.copyOf(open, 32 + 12 + (ByteBuffer.wrap(open, 32, 1).get() & 0xff));
    ByteArrayOutputStream nested = new ByteArrayOutputStream();
    nested.writeBytes(new byte[] {Tag.FORCED, 0, Tag.COMMIT, 0, 1, 0}); // none taken, one written
    nested.writeBytes(new byte[] {0, 1, 1, 0, 'a'}); // a new shape of one key
    for (int depth = 0; depth < 30_000; depth++) {
      nested.writeBytes(new byte[] {Tag.STRINGS, 1});
    }
    byte[] bytes = with(first, Format.DATA_BLOCK, 1, nested.toByteArray());
    assertThat(found(bytes).damage).hasMessageContaining("array of strings");
  }

  @Test
  void shouldNotLookBehindTheEndOfAShortBlockWhenOneBeforeItIsDamaged() throws IOException {
    byte[] damaged = open.clone();
    damaged[damaged.length - 1]++;
    Found alone = found(damaged);
    assertThat(alone.cut).isNotNull();
    for (byte[] payload : new byte[][] {{}, {Tag.FORCED}, {Tag.FORCED, -1}}) {
      for (int kind : new int[] {Format.ROOT_BLOCK, Format.DATA_BLOCK}) {
        assertThat(found(with(damaged, kind, 1, payload))).isEqualTo(alone);
      }
    }
  }
}
