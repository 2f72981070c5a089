package dev.takt.persist.journal;

import dev.takt.persist.format.BlockReader;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.store.Storage;
import dev.takt.space.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment, once: does its records, one after the other, on the events that are there so
 * far, and on those of its own base. Which of both counts is known at its end.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class SegmentInput {
  private final Storage.Input from;
  private final long size;
  private final long number;
  private final Map<Long, Event> content;

  /** What is there if a recovery begins with this segment. */
  private final Map<Long, Event> own = new HashMap<>();

  private final List<Found> found = new ArrayList<>();
  private int journal;
  private boolean begun;
  private boolean fresh;
  private boolean complete;
  private boolean ended;
  private long commits;
  private @Nullable DamagedFileException damage;
  private long lastNumber;

  /**
   * What is told of a task.
   *
   * @param unit its images, or some of them; null: its revision alone
   */
  record Found(String task, long revision, @Nullable ImageUnit unit) {}

  private SegmentInput(Storage.Input from, long number, Map<Long, Event> content)
      throws IOException {
    this.from = from;
    this.size = from.size();
    this.number = number;
    this.content = content;
  }

  /**
   * Reads a segment as far as it is whole.
   *
   * @param content the events that are there before, and afterwards, by their numbers; of a fresh
   *     segment it stays as it is
   * @throws IOException if the storage fails
   * @throws DamagedFileException if a record is not as a journal writes it, although its block is
   * @throws IllegalArgumentException if an event cannot be made with the classes that are declared
   */
  static SegmentInput read(
      Storage.Input from, long number, Map<Long, Event> content, DeclaredClasses declared)
      throws IOException {
    SegmentInput segment = new SegmentInput(from, number, content);
    RecordInput in = segment.begin();
    if (in != null) {
      segment.records(in, new EventInput(in, declared));
    }
    return segment;
  }

  private @Nullable RecordInput begin() throws IOException {
    try {
      BlockReader blocks = new BlockReader(from);
      if (blocks.generation() != number) {
        throw new DamagedFileException(
            16, "number=%s, its name says %s".formatted(blocks.generation(), number));
      }
      journal = blocks.journal();
      return new RecordInput(blocks, Format.FILE_HEADER, 0);
    } catch (DamagedFileException e) {
      damage = e;
      return null;
    }
  }

  private void records(RecordInput in, EventInput events) throws IOException {
    ImageInput images = new ImageInput(in, number);
    if (!in.root().equals(Tag.SECTION)) {
      throw in.damaged("section=" + in.root() + ", expected: " + Tag.SECTION);
    }
    while (hasNext(in)) {
      int tag = in.varint("kind of record", Tag.REVISION);
      switch (tag) {
        case Tag.FORCED -> in.varlong();
        case Tag.BEGIN -> {
          fresh = in.varint("fresh", 1) == 1;
          begun = true;
        }
        case Tag.COMMIT -> commit(in, events);
        case Tag.BASE_EVENT -> {
          lastNumber = 0;
          long event = nextNumber(in);
          own.put(event, events.take());
        }
        case Tag.BASE_END -> complete = true;
        case Tag.CLASS -> images.describe();
        case Tag.TASK -> images.name();
        case Tag.IMAGES -> found.add(images.take());
        case Tag.REVISION -> found.add(new Found(in.utf8(), in.varlong(), null));
        default -> throw in.damaged("kind of record=" + tag + ", expected: 1 to " + Tag.REVISION);
      }
    }
  }

  private boolean hasNext(RecordInput in) throws IOException {
    try {
      boolean more = in.hasNext();
      ended = !more;
      return more;
    } catch (DamagedFileException e) {
      damage = e;
      return false;
    }
  }

  private long nextNumber(RecordInput in) throws IOException {
    lastNumber += in.zigzag();
    return lastNumber;
  }

  private void commit(RecordInput in, EventInput events) throws IOException {
    lastNumber = 0;
    int limit = (int) Math.min(Integer.MAX_VALUE, in.left());
    for (int i = in.varint("events taken", limit); i > 0; i--) {
      long event = nextNumber(in);
      own.remove(event);
      if (!fresh) {
        content.remove(event);
      }
    }
    for (int i = in.varint("events written", limit); i > 0; i--) {
      long event = nextNumber(in);
      Event written = events.take();
      own.put(event, written);
      if (!fresh) {
        content.put(event, written);
      }
    }
    commits++;
  }

  /** Returns the id of the journal; 0: it has none. */
  int journal() {
    return journal;
  }

  /** Returns whether it goes on from the segment before it; false also if nothing is in it. */
  boolean isContinued() {
    return begun && !fresh;
  }

  /** Returns the events that are there if a recovery begins with it; its base is complete. */
  Map<Long, Event> own() {
    return own;
  }

  /** Returns what it tells of tasks: it counts if it goes on, or its base is complete. */
  List<Found> found() {
    return found;
  }

  /** Returns whether its base is complete. */
  boolean isComplete() {
    return complete;
  }

  /** Returns whether it has come to the end that its writer has put. */
  boolean hasEnded() {
    return ended;
  }

  long commits() {
    return commits;
  }

  /** Returns what is wrong where its whole part ends, or null. */
  @Nullable DamagedFileException damage() {
    return damage;
  }

  /** Returns what is wrong with the rest behind its whole part, or null if there is no rest. */
  @Nullable String cut() {
    return damage == null || damage.offset() >= size ? null : damage.getMessage();
  }

  /**
   * Returns whether something that was safe is damaged: a later block that is whole says that all
   * before it was, or that what is damaged was.
   */
  boolean isSafePartDamaged() throws IOException {
    DamagedFileException damage = this.damage;
    if (damage == null || damage.offset() >= size) {
      return false;
    }
    for (Block later : blocksBehind(damage.offset())) {
      if (later.kind == Format.END_BLOCK || later.forced > damage.offset()) {
        return true;
      }
    }
    return false;
  }

  private record Block(int kind, long forced) {}

  /** Finds the whole blocks of this segment behind a place, wherever they begin. */
  private List<Block> blocksBehind(long offset) throws IOException {
    List<Block> found = new ArrayList<>();
    byte[] all = readFrom(Math.max(offset + 1, Format.FILE_HEADER));
    ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    byte[] seed = new byte[Long.BYTES];
    ByteBuffer.wrap(seed).order(ByteOrder.LITTLE_ENDIAN).putLong(number);
    int least = Format.BLOCK_HEADER + Format.BLOCK_TRAILER;
    RangeChecksum checksums = new RangeChecksum(all, seed);
    int at = 0;
    while (at <= all.length - least) {
      int word = bytes.getInt(at);
      int length = word & Format.MAX_BLOCK_BYTES;
      int kind = word >>> 24;
      int index = bytes.getInt(at + Integer.BYTES);
      int end = at + Format.BLOCK_HEADER + length;
      if (kind < Format.ROOT_BLOCK
          || kind > Format.END_BLOCK
          || index < 0
          || index > size / least
          || length > all.length - at - least) {
        at++;
        continue;
      }
      if (bytes.getInt(end) != checksums.of(at, end)) {
        at++;
        continue;
      }
      found.add(new Block(kind, kind == Format.END_BLOCK ? 0 : forced(bytes, kind, at, end)));
      at = end + Format.BLOCK_TRAILER;
    }
    return found;
  }

  /** Reads what a whole block says first, if its payload is long enough to. */
  private static long forced(ByteBuffer bytes, int kind, int at, int end) {
    int place = at + Format.BLOCK_HEADER;
    if (kind == Format.ROOT_BLOCK) {
      place += 1 + Tag.SECTION.length();
    }
    if (place >= end || bytes.get(place) != Tag.FORCED) {
      return 0;
    }
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      place++;
      if (place >= end) {
        return 0;
      }
      byte next = bytes.get(place);
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value;
  }

  private byte[] readFrom(long offset) throws IOException {
    long left = Math.max(0, size - offset);
    ByteBuffer all = ByteBuffer.allocate((int) Math.min(left, Integer.MAX_VALUE - 16));
    int read = 0;
    while (all.hasRemaining() && read >= 0) {
      read = from.read(all, offset + all.position());
    }
    return all.array();
  }
}
