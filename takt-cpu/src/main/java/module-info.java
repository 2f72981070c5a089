import org.jspecify.annotations.NullMarked;

/** The CPU manager: which tasks meet their deadlines, which may run, and which run away. */
@NullMarked
module dev.takt.cpu {
  requires transitive dev.takt.realtime;
  requires static org.jspecify;

  exports dev.takt.cpu;
  exports dev.takt.cpu.admission;
  exports dev.takt.cpu.analysis;
  exports dev.takt.cpu.cost;
  exports dev.takt.cpu.monitor;
  exports dev.takt.cpu.policy;
  exports dev.takt.cpu.portable;
}
