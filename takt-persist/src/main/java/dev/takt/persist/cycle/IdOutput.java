package dev.takt.persist.cycle;

import dev.takt.persist.format.RecordOutput;

/**
 * Puts the ids of one root's objects into its section.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle.
 */
final class IdOutput {
  private final String root;
  private final ObjectIds ids;
  private int last;
  private long revision;

  IdOutput(String root, ObjectIds ids) {
    this.root = root;
    this.ids = ids;
  }

  /** Begins the section; returns the revision of the cut, which has passed. */
  long begin(Capture capture) {
    revision = capture.revisionOfCut(ids);
    return revision;
  }

  /** Returns the revision of the cut, when the section is begun. */
  long revision() {
    return revision;
  }

  /** Puts the id of a stable object or array, or 0: the difference to the one before. */
  void put(Object object, RecordOutput out) {
    int id = ids.id(object);
    if (id == 0 && !ids.hasPending()) {
      id = ids.id(object); // which the commit may just have given
    }
    if (id == 0 && !ids.hasPending()) {
      throw new IllegalArgumentException(
          "root %s: an object of %s was linked outside of all releases, so the journal does not have it; change tasks in releases, or by atomic calls"
              .formatted(root, object.getClass().getTypeName()));
    }
    out.zigzag(id - last);
    last = id;
  }
}
