import org.jspecify.annotations.NullMarked;

/** Sessions over Netty: see the package. */
@NullMarked
module dev.takt.netty {
  requires transitive dev.takt.session;
  requires transitive io.netty.handler;
  requires transitive io.netty.transport;
  requires io.netty.buffer;
  requires io.netty.common;
  requires static org.jspecify;

  exports dev.takt.netty;
}
