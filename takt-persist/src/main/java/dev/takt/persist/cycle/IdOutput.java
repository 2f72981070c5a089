package dev.takt.persist.cycle;

import dev.takt.persist.format.RecordOutput;
import org.jspecify.annotations.Nullable;

/**
 * Puts the ids of one root's objects into its section, and finds those that have one although the
 * root does not lead to them: see the package description of {@code dev.takt.persist.journal}.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle.
 */
final class IdOutput {
  /** How many objects are looked at in one piece of work. */
  private static final int AT_ONCE = 64;

  private final String root;
  private final ObjectIds ids;
  private final Capture capture;
  private final Numbering numbering;
  private final boolean isFull;
  private final int firstId;
  private int nextId;
  private int looked;
  private int last;
  private long revision;

  /** Those before the first id was put: none in the file is of what was forgotten before. */
  private int forgettings;

  private boolean hasUntold;

  /** The number of the first object to which the root did not lead. */
  private int firstUnreached = Integer.MAX_VALUE;

  /**
   * Makes it.
   *
   * @param before the one that took turns with the sink: the file before has all that had an id at
   *     its cut; null: the cycle is full
   */
  IdOutput(
      String root, ObjectIds ids, Capture capture, @Nullable Capture before, Numbering numbering) {
    this.root = root;
    this.numbering = numbering;
    this.isFull = before == null;
    this.ids = ids;
    this.capture = capture;
    this.firstId = before == null ? 1 : before.nextIdOfCut(ids);
    if (isFull) {
      ids.beginSearch();
    }
  }

  /**
   * An incremental cycle is to begin with the file as its base, which has all ids: none of them is
   * forgotten before {@link #end}.
   *
   * @return false if some were already, or are to be
   */
  boolean hold() {
    return ids.hold(forgettings);
  }

  /** Begins the section; returns the revision of the cut, which has passed. */
  long begin() {
    forgettings = ids.forgettings();
    revision = capture.revisionOfCut(ids);
    return revision;
  }

  /**
   * Looks for an object that had an id at the cut and that the search has not found: the journal
   * may refer to it. If there is one, the search goes on with that; looks at some only.
   *
   * @return whether there is none any more
   */
  boolean findUnreached(ObjectTable table) {
    if (looked == 0) {
      ids.beginLooking();
      nextId = capture.nextIdOfCut(ids);
    }
    int end = Math.min(ids.places(), looked + AT_ONCE);
    while (looked < end) {
      int place = looked++;
      int id = ids.idAt(place);
      if (id >= firstId && id < nextId && !table.contains(ids.object(place))) {
        firstUnreached = Math.min(firstUnreached, table.size());
        numbering.find(ids.object(place));
        return false;
      }
    }
    return looked == ids.places();
  }

  /** Returns the revision of the cut, when the section is begun. */
  long revision() {
    return revision;
  }

  private int id(Object object, boolean isReached) {
    return isFull && isReached ? ids.found(object) : ids.id(object);
  }

  /** All that the root led to was put, as it was at the cut. */
  void end() {
    if (isFull) {
      ids.endSearch();
    } else {
      ids.release();
    }
  }

  /** Returns whether an object has no id in this file: it may get one and not change any more. */
  boolean hasUntold() {
    return hasUntold;
  }

  /** Puts the id of a stable object or array, or 0: the difference to the one before. */
  void put(Object object, RecordOutput out) {
    boolean isReached = numbering.begun() < firstUnreached;
    int id = id(object, isReached);
    if (id == 0 && !ids.hasPending()) {
      id = id(object, isReached); // which the commit may just have given
    }
    if (id == 0 && isReached && !ids.hasPending()) {
      throw new IllegalArgumentException(
          "root %s: an object of %s was linked outside of all releases, so the journal does not have it; change tasks in releases, or by atomic calls"
              .formatted(root, object.getClass().getTypeName()));
    }
    hasUntold |= id == 0;
    out.zigzag(id - last);
    last = id;
  }
}
