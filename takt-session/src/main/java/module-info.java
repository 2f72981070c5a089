import org.jspecify.annotations.NullMarked;

/** Runs plain blocking code as sessions: see the package. */
@NullMarked
module dev.takt.session {
  requires dev.takt.realtime;
  requires jdk.management;
  requires transitive dev.takt.cpu;
  requires transitive dev.takt.space;
  requires static org.jspecify;

  exports dev.takt.session;
  exports dev.takt.session.stage;
}
