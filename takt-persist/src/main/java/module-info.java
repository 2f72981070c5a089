import org.jspecify.annotations.NullMarked;

/**
 * Stores the state of tasks while they go on, and gives it back after a crash: see the packages.
 */
@NullMarked
module dev.takt.persist {
  requires transitive dev.takt.reflex;
  requires static org.jspecify;

  exports dev.takt.persist;
  exports dev.takt.persist.annotation;
  exports dev.takt.persist.inspect;
  exports dev.takt.persist.journal;
  exports dev.takt.persist.store;
}
