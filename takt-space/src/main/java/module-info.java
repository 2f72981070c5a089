import org.jspecify.annotations.NullMarked;

/**
 * Events, templates and the transactional event space. Useful alone; depends on {@code java.base}
 * only.
 */
@NullMarked
module dev.takt.space {
  requires static org.jspecify;

  exports dev.takt.space;
}
