package dev.takt.realtime.counters;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of this process, as it is written; the layout is in the {@linkplain
 * dev.takt.realtime.counters package}.
 *
 * <p><b>Thread rule:</b> one thread, but for {@link #delete}.
 *
 * <p><b>Errors:</b> an {@link InternalError} if another process has cut the file off, or the
 * machine can no longer read it. Nothing else is lost by that.
 */
final class CounterFile implements AutoCloseable {
  static final long MAGIC = magic();
  static final int VERSION = 1;
  static final int HEADER_BYTES = 512;
  static final int ROW_BYTES = 512;

  static final int VERSION_AT = 8;
  static final int HEADER_BYTES_AT = 12;
  static final int ROW_BYTES_AT = 16;
  static final int MAX_ROWS_AT = 20;
  static final int PID_AT = 24;
  static final int START_AT = 32;
  static final int NAMESPACE_AT = 40;
  static final int SEQUENCE_AT = 48;
  static final int TAKEN_AT = 56;
  static final int PERIOD_AT = 64;
  static final int ROWS_AT = 72;
  static final int MORE_AT = 76;
  static final int PROGRAM_AT = 80;
  static final int PROGRAM_BYTES = 126;

  /** Within a row. */
  static final int TEXTS_AT = 16;

  static final int NUMBERS_AT = TEXTS_AT + RowText.ALL_BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SEQUENCE =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final int TEXTS = RowText.values().length;
  private static final RowText[] ALL_TEXTS = RowText.values();

  /** So much is written at once to have blocks behind what is mapped. */
  private static final int BACKING_BYTES = 16_384;

  private final Path path;
  private final @Nullable Object key;
  private final FileChannel channel;
  private final long bytes;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment mapped;

  /** What is copied to the mapped memory; grows with the rows. */
  private byte[] image = new byte[HEADER_BYTES];

  private LongBuffer numbers = longs(image);

  /** The texts that the image has; a text that is the same object is not encoded again. */
  private @Nullable String[] encoded = new @Nullable String[0];

  private long backedBytes;
  private long sequence;

  private CounterFile(Path path, FileChannel channel, int maxRows) throws IOException {
    this.path = path;
    this.channel = channel;
    this.bytes = HEADER_BYTES + (long) maxRows * ROW_BYTES;
    this.key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    back(HEADER_BYTES);
    channel.write(ByteBuffer.allocate(1), bytes - 1);
    mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
  }

  /**
   * Makes the file of a process.
   *
   * @param nowNs the time, by which the next reader sees how old the figures are
   * @throws IOException if it cannot be made, or one is there that somebody else writes
   */
  static CounterFile create(
      CounterFolder folder,
      ProcessIdentity self,
      String program,
      int maxRows,
      long periodNs,
      long nowNs)
      throws IOException {
    folder.create();
    Path path = folder.file(self.pid());
    removePrevious(path, self, nowNs);
    FileAttribute<?>[] mode =
        FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Set<OpenOption> options =
        Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    FileChannel channel = FileChannel.open(path, options, mode);
    try {
      CounterFile file = new CounterFile(path, channel, maxRows);
      file.writeHeader(self, program, maxRows, periodNs);
      return file;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /** Removes what an earlier process with the same number has left. */
  private static void removePrevious(Path path, ProcessIdentity self, long nowNs)
      throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      CounterReader.checkReplaceable(path, self, nowNs);
    }
    Files.delete(path);
  }

  private static LongBuffer longs(byte[] image) {
    return ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
  }

  private static long magic() {
    return ByteBuffer.wrap("TAKTCNT1".getBytes(StandardCharsets.US_ASCII))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong();
  }

  private void writeHeader(ProcessIdentity self, String program, int maxRows, long periodNs) {
    ByteBuffer header = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).putInt(HEADER_BYTES_AT, HEADER_BYTES);
    header.putInt(ROW_BYTES_AT, ROW_BYTES).putInt(MAX_ROWS_AT, maxRows);
    header.putLong(PID_AT, self.pid()).putLong(START_AT, self.start());
    header.putLong(NAMESPACE_AT, self.namespace()).putLong(PERIOD_AT, periodNs);
    encode(program, PROGRAM_AT, PROGRAM_BYTES);
  }

  /** Writes what the rows have now. */
  void write(CounterRows rows, long nowNs) throws IOException {
    int size = rows.size();
    int used = HEADER_BYTES + size * ROW_BYTES;
    prepare(used, size);
    for (int row = 0; row < size; row++) {
      encode(rows, row);
    }
    LONGS.set(image, TAKEN_AT, nowNs);
    LONGS.set(image, ROWS_AT, (size & 0xFFFF_FFFFL) | (long) rows.more() << 32);
    // The image's own sequence number is odd, so that the copy cannot end the writing early.
    sequence++;
    LONGS.set(image, SEQUENCE_AT, sequence);
    SEQUENCE.setOpaque(mapped, (long) SEQUENCE_AT, sequence);
    VarHandle.fullFence();
    MemorySegment.copy(
        image, Long.BYTES, mapped, ValueLayout.JAVA_BYTE, Long.BYTES, used - Long.BYTES);
    sequence++;
    SEQUENCE.setRelease(mapped, (long) SEQUENCE_AT, sequence);
    SEQUENCE.setRelease(mapped, 0L, MAGIC);
  }

  private void prepare(int used, int size) throws IOException {
    if (used > image.length) {
      int length = (int) Math.min(bytes, Math.max(used, 2L * image.length));
      image = Arrays.copyOf(image, length);
      numbers = longs(image);
      encoded = Arrays.copyOf(encoded, (length - HEADER_BYTES) / ROW_BYTES * TEXTS);
    }
    back(used);
  }

  /** Has the file system keep blocks for the first bytes, or say that it has none. */
  private void back(long used) throws IOException {
    while (backedBytes < used) {
      int length = (int) Math.min(BACKING_BYTES, Math.max(HEADER_BYTES, bytes - backedBytes));
      ByteBuffer zeros = ByteBuffer.allocate(length);
      while (zeros.hasRemaining()) {
        backedBytes += channel.write(zeros, backedBytes);
      }
    }
  }

  private void encode(CounterRows rows, int row) {
    int at = HEADER_BYTES + row * ROW_BYTES;
    LONGS.set(image, at, (long) rows.kind(row).ordinal());
    int textAt = at + TEXTS_AT;
    for (RowText text : ALL_TEXTS) {
      String value = rows.text(row, text);
      int place = row * TEXTS + text.ordinal();
      if (encoded[place] != value) {
        encode(value, textAt, text.maxBytes());
        encoded[place] = value;
      }
      textAt += 2 + text.maxBytes();
    }
    rows.copyNumbers(row, numbers, (at + NUMBERS_AT) / Long.BYTES);
  }

  /** Writes a text; one that is too long ends before the first character that does not fit. */
  private void encode(String text, int at, int maxBytes) {
    // A name may be longer than the memory of this JVM should be used for.
    String start = text.length() > maxBytes ? text.substring(0, maxBytes) : text;
    byte[] utf8 = start.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(utf8.length, maxBytes);
    while (length < utf8.length && length > 0 && (utf8[length] & 0xC0) == 0x80) {
      length--;
    }
    image[at] = (byte) length;
    image[at + 1] = (byte) (length >> 8);
    System.arraycopy(utf8, 0, image, at + 2, length);
    Arrays.fill(image, at + 2 + length, at + 2 + maxBytes, (byte) 0);
  }

  /** Returns whether it is still what its name leads to, in full length. */
  boolean isThere() {
    try {
      BasicFileAttributes now =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return now.size() == bytes && Objects.equals(now.fileKey(), key);
    } catch (IOException e) {
      return false;
    }
  }

  Path path() {
    return path;
  }

  /** Removes the file, unless another one has its name now; any thread. */
  void delete() {
    try {
      BasicFileAttributes now =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (Objects.equals(now.fileKey(), key)) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      // it is gone, or cannot be removed; a reader sees that this process has ended
    }
  }

  /** Ends the mapping and removes the file. */
  @Override
  public void close() {
    delete();
    arena.close();
    try {
      channel.close();
    } catch (IOException e) {
      // it is removed anyway
    }
  }
}
