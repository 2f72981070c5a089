package dev.takt.persist.journal;

import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.Storage;
import dev.takt.realtime.internal.Await;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.EventParts;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the committed events of a space: opened, it gives the space back what it held, and from
 * then on takes part in each commit.
 *
 * {@snippet :
 * EventSpace space = EventSpace.create();
 * try (Journal journal = Journal.open(Path.of("data"), space)) {
 *   space.write(new Event("order", 1)); // safe when it returns
 * }
 * }
 *
 * <p>Open it before other threads use the space, and close it when they have ended: it refuses what
 * they commit then. How it works is in the package description.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class Journal implements AutoCloseable {
  private final JournalSettings settings;
  private final CommitRing ring;
  private final JournalWriter writer;
  private final ImageLog images;
  private final JournalRecovery recovered;
  private final int id;

  private Journal(
      JournalSettings settings,
      CommitRing ring,
      JournalWriter writer,
      ImageLog images,
      JournalRecovery recovered,
      int id) {
    this.images = images;
    this.settings = settings;
    this.ring = ring;
    this.writer = writer;
    this.recovered = recovered;
    this.id = id;
  }

  /** Opens the journal in a folder, which is made if it is not there, with the default settings. */
  public static Journal open(Path folder, EventSpace space) throws IOException {
    return open(FolderStorage.open(folder), space, JournalSettings.DEFAULTS);
  }

  /**
   * Opens a journal: puts the events that it holds into the space, in their order, and notes from
   * now on what is committed.
   *
   * @param storage used by this journal alone, but for files with other names
   * @throws IOException if the storage fails, another program or journal writes to it, or what was
   *     safe is damaged
   * @throws IllegalArgumentException if a class of an event is not declared or has changed, the
   *     settings do not fit each other, or name another id than the journal has
   * @throws IllegalStateException if the space is in use, has a journal, or has no room for the
   *     events
   */
  public static Journal open(Storage storage, EventSpace space, JournalSettings settings)
      throws IOException {
    Objects.requireNonNull(space, "space");
    DeclaredClasses declared = DeclaredClasses.of(Object.class, settings.classes());
    long maxBytes = settings.blockBytes() - 2 * SegmentOutput.BLOCK_BEGIN - declared.maxBytes();
    if (maxBytes < settings.blockBytes() / 2) {
      throw new IllegalArgumentException(
          ("blockBytes=%s, descriptions of the declared classes=%s bytes, limit=half of it; raise"
                  + " JournalSettings.blockBytes")
              .formatted(settings.blockBytes(), declared.maxBytes()));
    }
    int there = space.stats().events();
    if (there != 0 || space.commits().journal() != null) {
      throw new IllegalStateException(
          "the space is in use: events=%s, journal=%s; open the journal of a new space"
              .formatted(there, space.commits().journal()));
    }
    Storage.Lock lock = storage.lock("a journal");
    boolean opened = false;
    try {
      Journal journal = open(storage, lock, space, settings, declared, maxBytes);
      opened = true;
      return journal;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  private static Journal open(
      Storage storage,
      Storage.Lock lock,
      EventSpace space,
      JournalSettings settings,
      DeclaredClasses declared,
      long maxBytes)
      throws IOException {
    CommitRing ring =
        new CommitRing(settings.ringBytes(), maxBytes, declared::contains, settings.clock());
    ImageLog images = new ImageLog(ring, settings);
    JournalReader.Found found = new JournalReader(storage, declared).read(images);
    int id = id(settings, found.journal());
    putBack(found.events(), space, maxBytes);
    JournalWriter writer =
        new JournalWriter(
            settings,
            storage,
            space.commits(),
            ring,
            images,
            new BlockBuffers(settings.blockBytes()),
            SegmentNames.next(storage),
            lock,
            id);
    images.writer(writer);
    writer.begin();
    boolean started = false;
    try {
      space.commits().journal(ring);
      writer.start();
      started = true;
    } finally {
      if (!started) {
        ring.close();
        writer.finish();
      }
    }
    return new Journal(settings, ring, writer, images, found.summary(), id);
  }

  /** Returns the id of a journal: the one it has, or one that no other has, by all likelihood. */
  private static int id(JournalSettings settings, int found) {
    if (found != 0 && settings.id() != 0 && found != settings.id()) {
      throw new IllegalArgumentException(
          "JournalSettings.id=0x%08x, the journal that is there has 0x%08x; give the id to a new one, in an empty folder"
              .formatted(settings.id(), found));
    }
    if (found != 0 || settings.id() != 0) {
      return found != 0 ? found : settings.id();
    }
    long mixed = settings.clock().nanoTime() * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ mixed >>> 29 ^ ProcessHandle.current().pid()) * 0xBF58_476D_1CE4_E5B9L;
    return (int) (mixed >>> 32) | 1;
  }

  private static void putBack(List<Event> events, EventSpace space, long maxBytes) {
    int at = 0;
    try {
      for (; at < events.size(); at++) {
        Event event = events.get(at);
        if (EventParts.maxBytes(event) > maxBytes) {
          throw new IllegalArgumentException(
              "bytes in the journal=%s, limit=%s (JournalSettings.blockBytes)"
                  .formatted(EventParts.maxBytes(event), maxBytes));
        }
        space.write(event);
      }
    } catch (Abort | IllegalArgumentException e) {
      throw new IllegalStateException(
          "the space cannot hold what its journal does: events=%s, written=%s: %s; use settings as before"
              .formatted(events.size(), at, e.getMessage()),
          e);
    }
  }

  /** Returns what the journal held when it was opened. */
  public JournalRecovery recovered() {
    return recovered;
  }

  /** Returns its id, which its segments have, and the snapshots that go with it. */
  public int id() {
    return id;
  }

  /** Returns the policy in force: that of the settings, or {@code INTERVAL} while it is relaxed. */
  public FsyncPolicy policy() {
    return writer.isRelaxed() ? FsyncPolicy.INTERVAL : settings.policy();
  }

  /** Returns why commits are not safe at present, or null. */
  public @Nullable Throwable failure() {
    return writer.failure();
  }

  /** Returns what it has of tasks; for {@link dev.takt.persist.Persistence#recover(Journal)}. */
  public ImageLog images() {
    return images;
  }

  /** Returns the counters; not atomic. */
  public JournalStats stats() {
    return writer.stats();
  }

  /** Returns the identifier of the writer's thread, for those who measure it. */
  long writerThreadId() {
    return writer.threadId();
  }

  /**
   * Writes what is committed, makes it safe, and refuses all commits from then on: what the space
   * did without its journal would be lost. Waits for the storage, but on the thread that calls the
   * {@link JournalListener}: there it ends when that one has returned.
   */
  @Override
  public void close() {
    ring.close();
    writer.close();
    if (!ring.isWriter()) {
      Await.uninterruptibly(writer::join);
    }
  }
}
