package dev.takt.host.text;

import dev.takt.host.HeldBytes;
import dev.takt.session.LineRoom;
import dev.takt.session.TransportException;

/**
 * What texts of one connection take of the heap in one direction, as far as they are long: for that
 * all connections have room together.
 *
 * <p>A text counts twice, as what has come and the text of that, or as the text and what is written
 * of it.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class HeldText implements LineRoom, AutoCloseable {
  static final String COMING = "TcpLimits.maxIncomingBytes; send less in one";

  private final HeldBytes all;
  private final String setting;
  private long counted;

  /**
   * Makes one for nothing.
   *
   * @param setting the name of the limit, and what can be done
   */
  HeldText(HeldBytes all, String setting) {
    this.all = all;
    this.setting = setting;
  }

  @Override
  public void resize(int bytes) throws TransportException {
    long next = bytes > HeldBytes.SHORT_BYTES ? 2L * bytes : 0;
    if (next > counted && !all.tryAdd(counted, next - counted)) {
      throw new TransportException(
          all.noRoom("%s bytes of texts".formatted(bytes), counted, setting));
    }
    all.release(counted - next);
    counted = next;
  }

  /** Counts nothing any more. */
  @Override
  public void close() {
    all.release(counted);
    counted = 0;
  }
}
