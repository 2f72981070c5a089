package dev.takt.persist;

import dev.takt.persist.format.BlockReader;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.format.SnapshotIndex;
import dev.takt.persist.journal.ImageLog;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.store.Generations;
import dev.takt.persist.store.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of one snapshot, opened and checked: a full one, and the incremental ones after it.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class SnapshotChain implements Closeable {
  /** A file and where its sections are. */
  private record Part(Storage.Input from, SnapshotIndex index) {}

  /**
   * Why files cannot be used.
   *
   * @param file the one that is at fault; null: each by itself is whole
   * @param own what is said of that one
   * @param based what is said of those that are based on it
   */
  private record Fault(Generations.@Nullable File file, String own, String based) {
    static Fault of(String what) {
      return new Fault(null, what, what);
    }

    String of(Generations.File other) {
      return other.equals(file) ? own : based;
    }
  }

  /** The full one first. */
  private final List<Part> parts = new ArrayList<>();

  /** Why a file could not be read, if what is in it is not known to be damaged; null: it could. */
  private @Nullable IOException unreadable;

  private SnapshotChain() {}

  /**
   * Opens the newest snapshot all of whose files are complete and can be read. Each file is read
   * once, and of those that are, the generations know which do not count.
   *
   * <p>Where snapshots are there and none is left, the program is not to begin with nothing without
   * knowing: its cycles would delete what may still be mended, or read by a newer version.
   *
   * @param rejected gets those that are newer and are not
   * @param journal keeps the tasks, too; null: none does
   * @param ahead gets the files of those that have more than the journal: it has failed, they were
   *     to be what it goes on from, and it did not come to that
   * @return null: there is none
   * @throws IOException if there are some, and none that can be used, or they go with another
   *     journal
   */
  static @Nullable SnapshotChain newest(
      Generations generations,
      List<Recovery.Rejected> rejected,
      @Nullable Journal journal,
      List<Generations.File> ahead)
      throws IOException {
    List<Generations.File> files = generations.all();
    Map<Generations.File, Fault> faults = new HashMap<>();
    IOException unreadable = null;
    for (Generations.File file : files) {
      SnapshotChain chain = new SnapshotChain();
      String damage = chain.open(generations, file, files, faults);
      if (damage == null) {
        if (journal != null) {
          chain.requireJournal(generations, files, file, journal);
          damage = chain.ahead(journal.images());
        }
        if (damage == null) {
          return chain;
        }
        chain.close();
        ahead.add(file);
      }
      rejected.add(new Recovery.Rejected(file.generation(), file.name() + ": " + damage));
      generations.reject(file);
      unreadable = unreadable == null ? chain.unreadable : unreadable;
    }
    if (rejected.size() > ahead.size()) {
      throw new IOException(
          "no snapshot can be used: %s%s; ./takt snapshot verify shows what is left of each; move them away, or take another folder, to begin with nothing"
              .formatted(
                  rejected.getFirst().reason(),
                  rejected.size() == 1 ? "" : ", and others, files=" + rejected.size()),
          unreadable);
    }
    return null;
  }

  /**
   * Returns the snapshots that no recovery can use, the newest first; what a journal has is another
   * matter. Each file is read once.
   */
  static List<Recovery.Rejected> rejected(Generations generations) throws IOException {
    List<Recovery.Rejected> rejected = new ArrayList<>();
    Map<Long, List<String>> usable = new HashMap<>();
    for (Generations.File file : generations.all().reversed()) {
      try (SnapshotChain chain = new SnapshotChain()) {
        Fault fault = chain.add(generations, file);
        String reason =
            fault == null ? chain.unbased(file, usable.get(file.base())) : fault.of(file);
        if (reason == null) {
          usable.put(file.generation(), chain.roots());
        } else {
          rejected.addFirst(new Recovery.Rejected(file.generation(), file.name() + ": " + reason));
        }
      }
    }
    return rejected;
  }

  /** Returns why the one on which a file is based does not do, or null. */
  private @Nullable String unbased(Generations.File file, @Nullable List<String> baseRoots) {
    if (file.base() == 0) {
      return null;
    }
    if (baseRoots == null) {
      return "what it is based on is not there, or cannot be used: generation=" + file.base();
    }
    return baseRoots.equals(roots())
        ? null
        : "it is based on generation=%s with roots=%s, it has %s"
            .formatted(file.base(), baseRoots, roots());
  }

  /** Returns what it has more than the journal, or null. */
  private @Nullable String ahead(ImageLog images) throws IOException {
    Part last = parts.getLast();
    for (SnapshotIndex.Section section : last.index().sections()) {
      long revision = SnapshotIndex.read(last.from(), section).revision();
      long known = images.revision(section.root());
      if (known != ImageLog.UNKNOWN && revision > known) {
        return "it has revision=%s of task %s, the journal has revision=%s"
            .formatted(revision, section.root(), known);
      }
    }
    return null;
  }

  private void requireJournal(
      Generations generations, List<Generations.File> files, Generations.File file, Journal journal)
      throws IOException {
    boolean isOfJournal = false;
    try {
      int expected = parts.getLast().index().journal();
      if (expected == 0) {
        requireNoneBefore(generations, files, file, journal);
      } else if (expected != journal.id()) {
        refuse(file, expected, journal);
      }
      isOfJournal = true;
    } finally {
      if (!isOfJournal) {
        close();
      }
    }
  }

  /**
   * Refuses what a program has made without the journal that it had before: what the journal has of
   * tasks is older, and would take the place of what came since.
   */
  private static void requireNoneBefore(
      Generations generations, List<Generations.File> files, Generations.File file, Journal journal)
      throws IOException {
    for (Generations.File each : files) {
      if (each.generation() < file.generation() && journalOf(generations, each) == journal.id()) {
        throw new IOException(
            ("%s was made without journal 0x%08x, which %s goes with: what that journal has of tasks"
                    + " is older. To go on from the newer one, open a new journal, in an empty"
                    + " folder; to go on with the journal, move the newer snapshots away")
                .formatted(file.name(), journal.id(), each.name()));
      }
    }
  }

  /** Returns the journal that a file goes with; 0: none, or nothing of it can be read. */
  private static int journalOf(Generations generations, Generations.File file) {
    try (Storage.Input from = generations.open(file)) {
      return new BlockReader(from).journal();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Refuses what goes with another journal: nothing is known of what that one had. */
  private void refuse(Generations.File file, int expected, Journal journal) throws IOException {
    List<String> have = new ArrayList<>();
    for (SnapshotIndex.Section section : parts.getLast().index().sections()) {
      long revision = SnapshotIndex.read(parts.getLast().from(), section).revision();
      if (revision > 0) {
        have.add("revision=%s of task %s".formatted(revision, section.root()));
      }
    }
    throw new IOException(
        ("%s goes with journal 0x%08x and has %s; the journal that is open is 0x%08x, %s: the"
                + " segments of the other one are gone, or this one is of another program. Open that"
                + " one; or, to go on from the snapshot without what only that one has, a new one with"
                + " JournalSettings.withId(0x%2$08x)")
            .formatted(
                file.name(),
                expected,
                String.join(", ", have),
                journal.id(),
                journal.recovered().isWarm() ? "which has events or tasks" : "which is new"));
  }

  /**
   * Tells a journal what full snapshots before a generation have, so that it knows what it needs.
   * One that cannot be read is no recovery's base either; so it is logged, and needs nothing.
   */
  static void tellOlder(Generations generations, long generation, ImageLog images) {
    try {
      for (Generations.File file : generations.all().reversed()) {
        if (file.base() == 0 && file.generation() < generation) {
          tell(generations, file, images);
        }
      }
    } catch (IOException e) {
      log("older snapshots cannot be listed: " + e);
    }
  }

  private static void tell(Generations generations, Generations.File file, ImageLog images) {
    try (Storage.Input from = generations.open(file)) {
      Map<String, Long> revisions = new HashMap<>();
      for (SnapshotIndex.Section section : SnapshotIndex.of(from, file.generation()).sections()) {
        revisions.put(section.root(), SnapshotIndex.read(from, section).revision());
      }
      images.stored(revisions);
    } catch (DamagedFileException e) {
      log("%s is damaged: %s".formatted(file.name(), e.getMessage()));
    } catch (IOException e) {
      log("%s cannot be read: %s".formatted(file.name(), e));
    }
  }

  private static void log(String warning) {
    System.getLogger("dev.takt.persist").log(Level.WARNING, warning);
  }

  /**
   * Opens a file and all that it is based on.
   *
   * @param faults of files that cannot be used, with all that is based on them; gets the one that
   *     is found here, so that no file is read again for each of those
   * @return what is wrong, or null
   */
  private @Nullable String open(
      Generations generations,
      Generations.File newest,
      List<Generations.File> files,
      Map<Generations.File, Fault> faults)
      throws IOException {
    List<Generations.File> through = new ArrayList<>();
    Fault fault = null;
    boolean opened = false;
    try {
      Generations.File at = newest;
      while (at != null && fault == null) {
        fault = faults.get(at);
        if (fault == null) {
          fault = add(generations, at);
          if (fault == null || at.equals(fault.file())) {
            through.add(at);
          }
        }
        if (fault == null) {
          Generations.File base = at.base() == 0 ? null : find(files, at.base());
          if (base == null && at.base() != 0) {
            fault = Fault.of("what it is based on is not there: generation=" + at.base());
          }
          at = base;
        }
      }
      opened = fault == null;
    } finally {
      if (!opened) {
        close();
      }
    }
    if (fault == null) {
      return null;
    }
    for (Generations.File each : through) {
      faults.put(each, fault);
    }
    return fault.of(newest);
  }

  private static Generations.@Nullable File find(List<Generations.File> files, long generation) {
    for (Generations.File each : files) {
      if (each.generation() == generation) {
        return each;
      }
    }
    return null;
  }

  /** Opens a file, to which those are to be added that are open; returns what is wrong, or null. */
  private @Nullable Fault add(Generations generations, Generations.File file) {
    try {
      return add(generations.open(file), file);
    } catch (DamagedFileException e) {
      return new Fault(
          file,
          String.valueOf(e.getMessage()),
          "it is based on %s: %s".formatted(file.name(), e.getMessage()));
    } catch (IOException e) {
      unreadable = e;
      return new Fault(
          file, "it cannot be read: " + e, "%s cannot be read: %s".formatted(file.name(), e));
    }
  }

  private @Nullable Fault add(Storage.Input from, Generations.File file) throws IOException {
    boolean added = false;
    try {
      SnapshotIndex index = SnapshotIndex.of(from, file.generation());
      if (index.base() != file.base()) {
        throw new DamagedFileException(
            16, "base=%s, its name says %s".formatted(index.base(), file.base()));
      }
      if (!parts.isEmpty() && !roots(index).equals(roots(parts.getFirst().index()))) {
        return Fault.of(
            "it is based on %s: roots=%s, what is based on it has %s"
                .formatted(file.name(), roots(index), roots(parts.getFirst().index())));
      }
      parts.addFirst(new Part(from, index));
      added = true;
      return null;
    } finally {
      if (!added) {
        from.close();
      }
    }
  }

  private static List<String> roots(SnapshotIndex index) {
    List<String> roots = new ArrayList<>();
    for (SnapshotIndex.Section each : index.sections()) {
      roots.add(each.root());
    }
    return roots;
  }

  /** Returns the generation of the last one. */
  long generation() {
    return parts.getLast().index().generation();
  }

  /** Returns the names of the roots. */
  List<String> roots() {
    return roots(parts.getLast().index());
  }

  /** Begins to read a root that is there: what is in each file, the full one first. */
  List<RecordInput> read(String root) throws IOException {
    List<RecordInput> all = new ArrayList<>();
    for (Part part : parts) {
      SnapshotIndex.Section section = Objects.requireNonNull(part.index().section(root));
      all.add(SnapshotIndex.read(part.from(), section));
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    for (Part part : parts) {
      part.from().close();
    }
  }
}
