package dev.takt.persist.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of snapshots in a storage, and the order of steps by which a new one becomes the
 * newest.
 *
 * <pre>
 *   snapshot-00000000000000a4.tmp     is being written, or was when the program ended
 *   snapshot-00000000000000a3.takt    the newest; complete unless the disk has lost something
 *   snapshot-00000000000000a2.takt    ...
 *
 *   create tmp - write - force - close - rename to takt - force names - delete what is too old
 * </pre>
 *
 * <p><b>Invariant:</b> whatever step a crash follows, the newest file that ends in {@code .takt}
 * and is complete is the last or the last but one whose cycle had begun to be renamed; a file is
 * deleted only after as many newer ones as are kept are safe.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class Generations {
  private static final Pattern NAME = Pattern.compile("snapshot-([0-9a-f]{16})\\.(takt|tmp)");

  private final Storage storage;
  private final int kept;

  /**
   * Makes the generations of a storage.
   *
   * @param kept how many complete ones stay, at least 1
   */
  public Generations(Storage storage, int kept) {
    this.storage = storage;
    this.kept = kept;
  }

  /** Returns the name of a complete snapshot. */
  public static String name(long generation) {
    return String.format(Locale.ROOT, "snapshot-%016x.takt", generation);
  }

  private static String unfinished(long generation) {
    return String.format(Locale.ROOT, "snapshot-%016x.tmp", generation);
  }

  /** Returns the generations that have a file, the newest first. */
  public List<Long> all() throws IOException {
    return numbers("takt");
  }

  private List<Long> numbers(String suffix) throws IOException {
    List<Long> found = new ArrayList<>();
    for (String name : storage.names()) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches() && matcher.group(2).equals(suffix)) {
        long generation = Long.parseUnsignedLong(matcher.group(1), 16);
        if (generation > 0) {
          found.add(generation);
        }
      }
    }
    found.sort(Collections.reverseOrder());
    return found;
  }

  /** Opens a snapshot. */
  public Storage.Input open(long generation) throws IOException {
    return storage.open(name(generation));
  }

  /** Returns the number of the generation to write next: beyond all files, finished or not. */
  public long next() throws IOException {
    long newest = 0;
    for (String suffix : List.of("takt", "tmp")) {
      for (long each : numbers(suffix)) {
        newest = Math.max(newest, each);
      }
    }
    if (newest == Long.MAX_VALUE) {
      throw new IOException(
          "generation=%s is the last one there can be; is %s of another program?"
              .formatted(newest, name(newest)));
    }
    return newest + 1;
  }

  /** Begins a generation, and deletes what earlier programs have left unfinished. */
  public Storage.Output create(long generation) throws IOException {
    deleteUnfinished();
    return storage.create(unfinished(generation));
  }

  /** Deletes what was begun and not finished. */
  public void deleteUnfinished() throws IOException {
    for (long each : numbers("tmp")) {
      storage.delete(unfinished(each));
    }
  }

  /**
   * Makes a generation the newest, and deletes what is too old.
   *
   * @param output all of it is written; it is closed
   */
  public void finish(long generation, Storage.Output output) throws IOException {
    output.force();
    output.close();
    storage.rename(unfinished(generation), name(generation));
    storage.forceNames();
    List<Long> all = all();
    for (int i = kept; i < all.size(); i++) {
      storage.delete(name(all.get(i)));
    }
  }
}
