package dev.takt.client.wire;

import java.lang.foreign.MemorySegment;

/**
 * Room for one message that has come, in memory that nobody else can change: so a {@link
 * MessageReader} reads it where it is.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
public final class MessageBuffer {
  final byte[] bytes;
  private final MemorySegment segment;

  /** Makes one for messages of up to so many bytes. */
  public MessageBuffer(int maxMessageBytes) {
    bytes = new byte[maxMessageBytes];
    segment = MemorySegment.ofArray(bytes);
  }

  /** Returns where a message is to be put, from its beginning on. */
  public MemorySegment segment() {
    return segment;
  }
}
