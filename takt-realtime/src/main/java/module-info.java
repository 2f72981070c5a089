import org.jspecify.annotations.NullMarked;

/** Time for time-critical tasks: clocks and release timers. Depends on {@code java.base} only. */
@NullMarked
module dev.takt.realtime {
  requires static org.jspecify;

  exports dev.takt.realtime;
}
