import org.jspecify.annotations.NullMarked;

/** Real-time Java's services on a stock JVM: threads, events, timers, monitors, memory areas. */
@NullMarked
module dev.takt.rtsj {
  requires transitive dev.takt.realtime;
  requires jdk.management;
  requires static org.jspecify;

  exports dev.takt.rtsj;
  exports dev.takt.rtsj.event;
  exports dev.takt.rtsj.memory;
  exports dev.takt.rtsj.monitor;
  exports dev.takt.rtsj.timer;
}
