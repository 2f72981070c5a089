import org.jspecify.annotations.NullMarked;

/** The serving side of the space for programs outside of the host process. */
@NullMarked
module dev.takt.host {
  requires dev.takt.realtime;
  requires transitive dev.takt.client;
  requires transitive dev.takt.cpu;
  requires transitive dev.takt.reflex;
  requires transitive dev.takt.session;
  requires transitive dev.takt.space;
  requires dev.takt.persist;
  requires java.management;
  requires static org.jspecify;

  exports dev.takt.host;
  exports dev.takt.host.listen;
  exports dev.takt.host.text;
}
