import org.jspecify.annotations.NullMarked;

/**
 * Time-critical tasks over the event space: releases, rollback of their fields, and the runtime
 * that runs them.
 */
@NullMarked
@SuppressWarnings("module") // what stores the collections is compiled later
module dev.takt.reflex {
  requires transitive dev.takt.space;
  requires transitive dev.takt.realtime;
  requires static org.jspecify;

  exports dev.takt.reflex;
  exports dev.takt.reflex.limit;
  exports dev.takt.reflex.woven;
  exports dev.takt.reflex.stable;

  // The collections are stored and recovered field by field, like the classes of applications.
  opens dev.takt.reflex.stable to
      dev.takt.persist;
}
