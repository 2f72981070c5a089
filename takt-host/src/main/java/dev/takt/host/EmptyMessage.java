package dev.takt.host;

import dev.takt.client.wire.MessageBuffer;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.WireException;
import dev.takt.client.wire.WireLimits;
import java.lang.foreign.MemorySegment;

/** A message with nothing in it: a reader that begins with it lets the one before go. */
public final class EmptyMessage {
  private static final MessageBuffer BUFFER;
  private static final int LENGTH;

  static {
    MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
    writer.received(0);
    LENGTH = writer.length();
    BUFFER = new MessageBuffer(LENGTH); // nobody writes into it again
    MemorySegment.copy(writer.segment(), 0, BUFFER.segment(), 0, LENGTH);
  }

  private EmptyMessage() {}

  /** Has a reader begin with it. */
  public static void begin(MessageReader reader) {
    try {
      reader.begin(BUFFER, LENGTH);
    } catch (WireException e) {
      throw new AssertionError(e);
    }
  }
}
