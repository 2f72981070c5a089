package dev.takt.realtime.counters;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.internal.Names;
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

  /** A file without a magic that is so much older than the newest is no longer being made. */
  private static final long UNFINISHED_MAX_AGE_MS = 60_000;

  /** So often a file that is being written is read again. */
  private static final int TRIES = 100;

  private CounterReader() {}

  /**
   * Returns the figures of all living processes, by their number; changes nothing. Files that are
   * no counters, or not complete yet, are left out.
   *
   * @throws IOException if the folder cannot be read, or is not this user's alone
   */
  public static List<CounterSnapshot> readAll(CounterFolder folder) throws IOException {
    List<CounterSnapshot> all = new ArrayList<>();
    for (Path each : folder.files()) {
      CounterSnapshot snapshot = readLiving(each);
      if (snapshot != null) {
        all.add(snapshot);
      }
    }
    all.sort((a, b) -> Long.compare(a.process().pid(), b.process().pid()));
    return all;
  }

  private static @Nullable CounterSnapshot readLiving(Path file) {
    CounterSnapshot snapshot;
    try {
      snapshot = read(file);
    } catch (IOException e) {
      return null; // it has just gone, or is not readable
    }
    if (snapshot == null) {
      return null;
    }
    ProcessIdentity process = snapshot.process();
    boolean living =
        process.isOfThisNamespace()
            ? process.pid() == pid(file) && process.isAlive()
            : isYoung(snapshot.takenNs(), NanoClock.system().nanoTime());
    return living ? snapshot : null;
  }

  /** A time to come is no proof of life either: it would be one for ever. */
  private static boolean isYoung(long takenNs, long nowNs) {
    long ageNs = nowNs - takenNs;
    return ageNs > -FOREIGN_MAX_AGE_NS && ageNs < FOREIGN_MAX_AGE_NS;
  }

  private static long pid(Path file) {
    return Long.parseLong(file.getFileName().toString());
  }

  /**
   * Removes the files of processes that have ended, from a folder that only Takt writes to. Only
   * what is a file of counters goes: it has their magic, and its process was one of this namespace
   * and lives no more; or its first bytes are zeros, because its process was killed when it made
   * the file.
   *
   * @throws IOException if the folder cannot be read, or is not this user's alone
   */
  public static void removeEnded(CounterFolder folder) throws IOException {
    List<Path> files = folder.files();
    long newestMs = files.stream().mapToLong(CounterReader::modifiedMs).max().orElse(0);
    for (Path each : files) {
      try {
        if (isOfEnded(each, newestMs)) {
          Files.deleteIfExists(each);
        }
      } catch (IOException e) {
        // it has just gone, or is not to be read or removed
      }
    }
  }

  private static boolean isOfEnded(Path file, long newestMs) throws IOException {
    ByteBuffer header = header(file);
    if (isUnfinished(header)) {
      return newestMs - modifiedMs(file) > UNFINISHED_MAX_AGE_MS
          && !ProcessIdentity.of(pid(file)).isAlive();
    }
    ProcessIdentity process = writer(header);
    return process != null && process.isOfThisNamespace() && !process.isAlive();
  }

  /** Living processes write their files several times a second, so the newest one says the time. */
  private static long modifiedMs(Path file) {
    try {
      return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis();
    } catch (IOException e) {
      return 0; // it has just gone
    }
  }

  /**
   * Checks that a file with the name of a process's may be removed for it.
   *
   * @throws IOException if it is no file of counters, or somebody else writes it
   */
  static void checkReplaceable(Path file, ProcessIdentity self, long nowNs) throws IOException {
    ByteBuffer header = header(file);
    if (isUnfinished(header)) {
      return;
    }
    ProcessIdentity writer = writer(header);
    if (writer == null) {
      throw new IOException(
          file + " is no file of counters; move it away, or give another java.io.tmpdir");
    }
    if (writer.namespace() != self.namespace()
        && isYoung(header.getLong(CounterFile.TAKEN_AT), nowNs)) {
      throw new IOException(
          file + " is written by a process of another container; give each its own java.io.tmpdir");
    }
  }

  /** Returns the first bytes of a file, as many as there are. */
  private static ByteBuffer header(Path file) throws IOException {
    ByteBuffer header =
        ByteBuffer.allocate(CounterFile.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel =
        FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      while (header.hasRemaining() && channel.read(header) > 0) {}
    }
    return header.flip();
  }

  /** Returns whether it was never completed: the magic is written last. */
  private static boolean isUnfinished(ByteBuffer header) {
    for (int i = 0; i < header.limit(); i++) {
      if (header.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the process that writes a file, which need not be consistent; null: no counters. */
  private static @Nullable ProcessIdentity writer(ByteBuffer header) {
    boolean known =
        header.limit() == CounterFile.HEADER_BYTES
            && header.getLong(0) == CounterFile.MAGIC
            && header.getInt(CounterFile.VERSION_AT) == CounterFile.VERSION;
    return known ? process(header) : null;
  }

  private static ProcessIdentity process(ByteBuffer header) {
    return new ProcessIdentity(
        header.getLong(CounterFile.PID_AT),
        header.getLong(CounterFile.START_AT),
        header.getLong(CounterFile.NAMESPACE_AT));
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
        process(all),
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
    return Names.shown(new String(utf8, StandardCharsets.UTF_8));
  }
}
