import org.jspecify.annotations.NullMarked;

/**
 * The space of a host process for programs outside of it; depends on takt-space and the JDK alone.
 */
@NullMarked
module dev.takt.client {
  requires transitive dev.takt.space;
  requires jdk.net;
  requires static org.jspecify;

  exports dev.takt.client;
  exports dev.takt.client.json;
  exports dev.takt.client.link;
  exports dev.takt.client.wire;
}
