// A buffer around a constant table writes to the table.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.LongBuffer;

class Bytes extends ReflexTask {
  static final byte[] BYTES = new byte[64];
  private long releases;

  @Override
  public void execute() {
    ByteBuffer buffer = ByteBuffer.wrap(BYTES);
    buffer.putLong(++releases); // expect: R15 "telemetry.Bytes.BYTES"
  }
}

class Chars extends ReflexTask {
  static final char[] CHARS = new char[64];

  @Override
  public void execute() {
    CharBuffer buffer = CharBuffer.wrap(CHARS);
    buffer.put(0, 'x'); // expect: R15 "an element" "telemetry.Chars.CHARS"
  }
}

class Longs extends ReflexTask {
  static final long[] LONGS = new long[64];

  @Override
  public void execute() {
    LongBuffer.wrap(LONGS).array()[0]++; // expect: R15 "an element" "telemetry.Longs.LONGS"
  }
}
