package dev.takt.session;

/**
 * Room for the lines that come by one connection, of which several may have only so much together.
 *
 * <p><b>Thread rule.</b> As who reads lines.
 */
@FunctionalInterface
public interface LineRoom {
  /**
   * Is called before a reader has room of another size for what comes.
   *
   * @param bytes the new size
   * @throws TransportException if it is larger, and there is no room for that; the line that comes
   *     is not read then
   */
  void resize(int bytes) throws TransportException;
}
