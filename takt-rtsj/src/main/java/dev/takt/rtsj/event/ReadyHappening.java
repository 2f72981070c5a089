package dev.takt.rtsj.event;

/**
 * A channel or descriptor that has become ready (something can be read from it, say) and fires an
 * event.
 *
 * <p>It fires once and then waits to be {@linkplain #rearm armed again}: being ready is a state,
 * and who watches it would otherwise fire again and again until the handler has read what is there.
 * So the handler reads all there is, and then arms it again.
 */
public abstract sealed class ReadyHappening extends Happening
    permits ChannelWatch.Watched, DescriptorWatch.Watched {
  ReadyHappening(String name, AsyncEvent event) {
    super(name, event);
  }

  /**
   * Lets it fire again; at once if it is ready already. Does nothing while it is armed, and after
   * it was closed.
   */
  public abstract void rearm();
}
