import org.jspecify.annotations.NullMarked;

/** Which tasks meet their deadlines on a processor: analysis, admission and measured costs. */
@NullMarked
module dev.takt.cpu {
  requires transitive dev.takt.realtime;
  requires static org.jspecify;

  exports dev.takt.cpu.admission;
  exports dev.takt.cpu.analysis;
  exports dev.takt.cpu.cost;
}
