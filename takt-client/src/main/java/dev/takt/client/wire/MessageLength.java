package dev.takt.client.wire;

/** How long a message is, for links that carry bytes and no records. */
public final class MessageLength {
  /** The length of a message that is a header alone; none is shorter. */
  public static final int LEAST_BYTES = WireFormat.HEADER_BYTES;

  /** How many bytes of a message have to be there for its length to be known. */
  public static final int KNOWN_BY_BYTES = WireFormat.LENGTH_AT + Integer.BYTES;

  private MessageLength() {}

  /**
   * Returns the length that a message says it has, which may be any number.
   *
   * @param from where the message begins; {@link #KNOWN_BY_BYTES} are there
   */
  public static int of(byte[] bytes, int from) {
    return (int) WireFormat.INT.get(bytes, from + WireFormat.LENGTH_AT);
  }

  /**
   * Gives a message another length: that of its beginning, if no more of it is there.
   *
   * @param from where the message begins; {@link #KNOWN_BY_BYTES} are there
   */
  public static void set(byte[] bytes, int from, int length) {
    WireFormat.INT.set(bytes, from + WireFormat.LENGTH_AT, length);
  }
}
