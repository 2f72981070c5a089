package dev.takt.persist;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** What somebody does who wants a changed file to be taken for a good one. */
public final class Forgery {
  private Forgery() {}

  /** Makes all checksums right again, as far as the lengths of the blocks still lead to them. */
  public static void forge(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = 32;
    while (at + 12 <= bytes.length) {
      int length = file.getInt(at) & 0xff_ffff;
      if (length > bytes.length - at - 12) {
        return;
      }
      CRC32C checksum = new CRC32C();
      checksum.update(bytes, 16, 8);
      checksum.update(bytes, at, 8 + length);
      file.putInt(at + 8 + length, (int) checksum.getValue());
      at += 12 + length;
    }
  }
}
