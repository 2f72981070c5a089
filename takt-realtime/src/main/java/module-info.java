import org.jspecify.annotations.NullMarked;

/** The operating system and time, for time-critical code: see the packages. */
@NullMarked
@SuppressWarnings("module") // those that stand on this one are compiled later
module dev.takt.realtime {
  requires jdk.jfr;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.takt.realtime;
  exports dev.takt.realtime.counters;
  exports dev.takt.realtime.flight to
      dev.takt.cpu,
      dev.takt.reflex;
  exports dev.takt.realtime.os;
  exports dev.takt.realtime.stop;
  exports dev.takt.realtime.internal to
      dev.takt.cli,
      dev.takt.cpu,
      dev.takt.host,
      dev.takt.persist,
      dev.takt.reflex,
      dev.takt.rtsj,
      dev.takt.session;
}
