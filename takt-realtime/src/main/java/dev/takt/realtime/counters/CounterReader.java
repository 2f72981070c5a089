package dev.takt.realtime.counters;

import dev.takt.realtime.NanoClock;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a folder. It copies and never maps, so a writer that cuts its file off cannot
 * disturb it, and trusts nothing that it reads.
 *
 * <p><b>Thread rule:</b> any thread.
 *
 * <p><b>Cost:</b> some tens of microseconds for each file.
 */
public final class CounterReader {
  /** The most rows of a file that is read: 32 MiB. */
  public static final int MAX_ROWS = 65_536;

  /** A file of another namespace, whose process cannot be asked for, is left out when so old. */
  static final long FOREIGN_MAX_AGE_NS = 10_000_000_000L;

  /** So often a file that is being written is read again. */
  private static final int TRIES = 100;

  private CounterReader() {}

  /**
   * Returns the figures of all living processes, by their number, and removes the files of those
   * that have ended. Files that are no counters, or not complete yet, are left out.
   *
   * @throws IOException if the folder cannot be read, or is not this user's alone
   */
  public static List<CounterSnapshot> readAll(CounterFolder folder) throws IOException {
    List<CounterSnapshot> all = new ArrayList<>();
    for (Path each : folder.files()) {
      CounterSnapshot snapshot = readOrRemove(each);
      if (snapshot != null) {
        all.add(snapshot);
      }
    }
    all.sort((a, b) -> Long.compare(a.process().pid(), b.process().pid()));
    return all;
  }

  private static @Nullable CounterSnapshot readOrRemove(Path file) throws IOException {
    CounterSnapshot snapshot;
    try {
      snapshot = read(file);
    } catch (IOException e) {
      return null; // it has just gone, or is not readable
    }
    long pid = Long.parseLong(file.getFileName().toString());
    if (snapshot == null) {
      // One that is just being made has no magic yet, and its process lives.
      if (!ProcessIdentity.of(pid).isAlive()) {
        Files.deleteIfExists(file);
      }
      return null;
    }
    ProcessIdentity process = snapshot.process();
    if (!process.isOfThisNamespace()) {
      return snapshot.ageNs(NanoClock.system().nanoTime()) < FOREIGN_MAX_AGE_NS ? snapshot : null;
    }
    if (process.pid() != pid || !process.isAlive()) {
      Files.deleteIfExists(file);
      return null;
    }
    return snapshot;
  }

  /**
   * Reads a file.
   *
   * @return null: it is not of this version, not complete yet, or its writer has stopped halfway
   * @throws IOException if it cannot be read
   */
  static @Nullable CounterSnapshot read(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      for (int i = 0; i < TRIES; i++) {
        ByteBuffer header = read(channel, 0, CounterFile.HEADER_BYTES);
        if (header == null || !isValid(header, channel.size())) {
          return null;
        }
        long sequence = header.getLong(CounterFile.SEQUENCE_AT);
        if ((sequence & 1) == 0) {
          CounterSnapshot snapshot = read(channel, header, sequence);
          if (snapshot != null) {
            return snapshot;
          }
        }
        Thread.onSpinWait();
      }
      return null;
    }
  }

  private static boolean isValid(ByteBuffer header, long size) {
    int rows = header.getInt(CounterFile.MAX_ROWS_AT);
    return header.getLong(0) == CounterFile.MAGIC
        && header.getInt(CounterFile.VERSION_AT) == CounterFile.VERSION
        && header.getInt(CounterFile.HEADER_BYTES_AT) == CounterFile.HEADER_BYTES
        && header.getInt(CounterFile.ROW_BYTES_AT) == CounterFile.ROW_BYTES
        && rows >= 0
        && rows <= MAX_ROWS
        && size >= CounterFile.HEADER_BYTES + (long) rows * CounterFile.ROW_BYTES;
  }

  /** Returns the whole of it; null: it was written meanwhile, or does not make sense. */
  static @Nullable CounterSnapshot read(FileChannel channel, ByteBuffer header, long sequence)
      throws IOException {
    int rows = header.getInt(CounterFile.ROWS_AT);
    if (rows < 0 || rows > header.getInt(CounterFile.MAX_ROWS_AT)) {
      return null;
    }
    int bytes = CounterFile.HEADER_BYTES + rows * CounterFile.ROW_BYTES;
    VarHandle.fullFence();
    ByteBuffer all = read(channel, 0, bytes);
    VarHandle.fullFence();
    ByteBuffer after = read(channel, CounterFile.SEQUENCE_AT, Long.BYTES);
    if (all == null
        || after == null
        || after.getLong(0) != sequence
        || all.getInt(CounterFile.ROWS_AT) != rows) {
      return null;
    }
    List<CounterRow> parsed = new ArrayList<>(rows);
    for (int i = 0; i < rows; i++) {
      CounterRow row = row(all, CounterFile.HEADER_BYTES + i * CounterFile.ROW_BYTES);
      if (row != null) {
        parsed.add(row);
      }
    }
    return new CounterSnapshot(
        new ProcessIdentity(
            all.getLong(CounterFile.PID_AT),
            all.getLong(CounterFile.START_AT),
            all.getLong(CounterFile.NAMESPACE_AT)),
        text(all, CounterFile.PROGRAM_AT, CounterFile.PROGRAM_BYTES),
        all.getLong(CounterFile.TAKEN_AT),
        Math.max(1, all.getLong(CounterFile.PERIOD_AT)),
        parsed,
        Math.max(0, all.getInt(CounterFile.MORE_AT)));
  }

  static @Nullable ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) <= 0) {
        return null;
      }
    }
    return buffer;
  }

  /** Returns a row; null: it is of no kind that is known here. */
  private static @Nullable CounterRow row(ByteBuffer all, int at) {
    int ordinal = all.getInt(at);
    RowKind[] kinds = RowKind.values();
    if (ordinal < 0 || ordinal >= kinds.length) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    int textAt = at + CounterFile.TEXTS_AT;
    for (RowText each : RowText.values()) {
      texts.add(text(all, textAt, each.maxBytes()));
      textAt += 2 + each.maxBytes();
    }
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < kinds[ordinal].figures().size(); i++) {
      numbers.add(all.getLong(at + CounterFile.NUMBERS_AT + i * Long.BYTES));
    }
    return new CounterRow(kinds[ordinal], texts, numbers);
  }

  /** Returns a text that a terminal may show: what moves its cursor or hides others is a "?". */
  private static String text(ByteBuffer all, int at, int maxBytes) {
    int length = Math.clamp(all.getShort(at), 0, maxBytes);
    byte[] utf8 = new byte[length];
    all.get(at + 2, utf8);
    String text = new String(utf8, StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(each -> shown.appendCodePoint(isShown(each) ? each : '?'));
    return shown.toString();
  }

  private static boolean isShown(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
