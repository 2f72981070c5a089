import org.jspecify.annotations.NullMarked;

/** The operating system and time, for time-critical code: see the packages. */
@NullMarked
module dev.takt.realtime {
  requires jdk.management;
  requires static org.jspecify;

  exports dev.takt.realtime;
  exports dev.takt.realtime.os;
}
