package dev.takt.persist.store;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of snapshots in a storage, and the order of steps by which a new one becomes the
 * newest.
 *
 * <pre>
 *   snapshot-00000000000000a5.tmp                      is being written, or was at the end
 *   changes-00000000000000a4-00000000000000a3.takt     the newest; what changed since a3
 *   snapshot-00000000000000a3.takt                     a full one
 *   snapshot-00000000000000a2.takt                     ...
 *
 *   create tmp - write - force - close - rename to takt - force names - delete what is too old
 * </pre>
 *
 * <p><b>Invariants.</b> (1) Whatever step a crash follows, the newest file that ends in {@code
 * .takt} and is complete is the last or the last but one whose cycle had begun to be renamed. (2) A
 * file is deleted only after as many newer full ones as are kept are safe, of which none has turned
 * out at a recovery to be unusable; what is based on it goes first. So all that a newer file is
 * based on is there.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class Generations {
  private static final String FULL = "snapshot-";
  private static final String CHANGES = "changes-";
  private static final int DIGITS = 16;

  private final Storage storage;
  private final int kept;

  /** What cannot be used; guarded by itself. */
  private final Set<File> rejected = new HashSet<>();

  /** While one is written. */
  private Storage.@Nullable Lock lock;

  /** From the first use to the end, between cycles too; guarded by {@link #rejected}. */
  private Storage.@Nullable Lock held;

  /** The files that were there when it was begun: complete ones, and others. */
  private List<File> complete = List.of();

  private List<File> unfinished = List.of();

  /**
   * Makes the generations of a storage.
   *
   * @param kept how many full ones stay, at least 1, and all that is newer than the oldest of them
   */
  public Generations(Storage storage, int kept) {
    this.storage = storage;
    this.kept = kept;
  }

  /**
   * A file of a generation, as its name says.
   *
   * @param generation its number
   * @param base the one to which it is to be added; 0: none, it is full
   */
  public record File(long generation, long base) implements Comparable<File> {
    /** Compares so that the newest comes first. */
    @Override
    public int compareTo(File other) {
      int newer = Long.compare(other.generation, generation);
      return newer == 0 ? Long.compare(other.base, base) : newer;
    }

    /** Returns its name. */
    public String name() {
      return Generations.name(generation, base);
    }
  }

  /** Returns the name of a complete full snapshot. */
  public static String name(long generation) {
    return name(generation, 0);
  }

  /** Returns the name of a complete snapshot; base 0: a full one. */
  public static String name(long generation, long base) {
    return stem(generation, base).concat(".takt");
  }

  private static String unfinished(long generation) {
    return stem(generation, 0).concat(".tmp");
  }

  private static String stem(long generation, long base) {
    String digits = HexFormat.of().toHexDigits(generation);
    return base == 0
        ? FULL.concat(digits)
        : CHANGES.concat(digits).concat("-").concat(HexFormat.of().toHexDigits(base));
  }

  /** Returns the generations that have a file, the newest first. */
  public List<File> all() throws IOException {
    return files(".takt");
  }

  private List<File> files(String suffix) throws IOException {
    return files(storage.names(), suffix);
  }

  private static List<File> files(List<String> names, String suffix) {
    List<File> found = new ArrayList<>();
    for (String name : names) {
      File file = name.endsWith(suffix) ? file(name) : null;
      if (file != null && stem(file.generation, file.base).concat(suffix).equals(name)) {
        found.add(file);
      }
    }
    Collections.sort(found);
    return found;
  }

  /** Reads the numbers in a name; null: it has none, or not those of a snapshot. */
  private static @Nullable File file(String name) {
    boolean isFull = name.startsWith(FULL);
    int from = isFull ? FULL.length() : CHANGES.length();
    long generation = number(name, from);
    long base = isFull ? 0 : number(name, from + DIGITS + 1);
    return generation > 0 && base >= 0 && base < generation ? new File(generation, base) : null;
  }

  /** Reads a number of 16 digits; less than 0: there is none. */
  private static long number(String name, int from) {
    if (from + DIGITS > name.length()) {
      return -1;
    }
    for (int i = from; i < from + DIGITS; i++) {
      if (!HexFormat.isHexDigit(name.charAt(i))) {
        return -1;
      }
    }
    return HexFormat.fromHexDigitsToLong(name, from, from + DIGITS);
  }

  /** Notes that a snapshot cannot be used: it is none of those for which older ones are deleted. */
  public void reject(File file) {
    synchronized (rejected) {
      rejected.add(file);
    }
  }

  /** Opens a snapshot. */
  public Storage.Input open(File file) throws IOException {
    return storage.open(file.name());
  }

  /**
   * Keeps other programs from writing, from now on until {@link #close}: what one has recovered and
   * goes on with, another one must not go on with.
   *
   * @throws IOException if another program does so
   */
  public void hold() throws IOException {
    synchronized (rejected) {
      if (held == null) {
        held = storage.lock();
      }
    }
  }

  /** Lets other programs write. */
  public void close() {
    synchronized (rejected) {
      if (held != null) {
        held.close();
        held = null;
      }
    }
  }

  /**
   * Begins a generation: until it is finished or discarded, no other can, of this program or of
   * another one. So what is there unfinished is of programs that have ended.
   *
   * @return its number, beyond all files, finished or not, and beyond what else has such a name
   * @throws IOException if another one is being written, or the storage fails; then nothing is
   *     begun
   */
  public long begin() throws IOException {
    hold();
    lock = storage.lock("snapshots");
    long newest = Long.MAX_VALUE;
    try {
      newest = newest();
    } finally {
      if (newest == Long.MAX_VALUE) {
        unlock();
      }
    }
    if (newest == Long.MAX_VALUE) {
      throw new IOException(
          "generation=%s is the last one there can be; is %s of another program?"
              .formatted(newest, name(newest)));
    }
    return newest + 1;
  }

  private long newest() throws IOException {
    List<String> names = storage.names();
    complete = files(names, ".takt");
    unfinished = files(names, ".tmp");
    List<String> taken = storage.taken();
    return Math.max(newest(files(taken, ".takt")), newest(files(taken, ".tmp")));
  }

  private static long newest(List<File> files) {
    return files.isEmpty() ? 0 : files.getFirst().generation();
  }

  /** Makes the file of one that was begun, and deletes what earlier programs have left. */
  public Storage.Output create(long generation) throws IOException {
    for (File each : unfinished) {
      storage.delete(unfinished(each.generation()));
    }
    return storage.create(unfinished(generation));
  }

  private void unlock() {
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }

  /**
   * Gives up what was begun and is not finished.
   *
   * @param output its file, if it was made
   */
  public void discard(Storage.@Nullable Output output) throws IOException {
    try {
      if (output != null) {
        output.close();
        deleteUnfinished();
      }
    } finally {
      unlock();
    }
  }

  private void deleteUnfinished() throws IOException {
    for (File each : files(".tmp")) {
      storage.delete(unfinished(each.generation()));
    }
  }

  /**
   * Makes a generation the newest, and deletes what is too old. What cannot be deleted is logged
   * and stays until the next one: the snapshot is safe by then.
   *
   * @param base the one to which it is to be added; 0: none, it is full
   * @param output all of it is written; it is closed
   * @param keepsAll whether nothing is deleted, since it may not count after a crash
   */
  public void finish(long generation, long base, Storage.Output output, boolean keepsAll)
      throws IOException {
    output.force();
    output.close();
    storage.rename(unfinished(generation), name(generation, base));
    storage.forceNames();
    if (!keepsAll) {
      try {
        deleteTooOld(base == 0 ? 1 : 0);
      } catch (IOException | RuntimeException e) {
        System.getLogger("dev.takt.persist")
            .log(Level.WARNING, "older snapshots cannot be deleted: " + e);
      }
    }
    unlock();
  }

  /** Deletes snapshots that do not count, for good. */
  public void delete(List<File> files) throws IOException {
    for (File each : files) {
      storage.delete(each.name());
    }
    if (!files.isEmpty()) {
      storage.forceNames();
    }
  }

  /** Deletes of the files that were there what is too old beside so many newer full ones. */
  private void deleteTooOld(int newer) throws IOException {
    int full = newer;
    for (File each : complete) {
      if (full == kept) {
        storage.delete(each.name());
      } else if (each.base() == 0 && !isRejected(each)) {
        full++;
      }
    }
  }

  private boolean isRejected(File file) {
    synchronized (rejected) {
      return rejected.contains(file);
    }
  }
}
