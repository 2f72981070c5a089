package dev.takt.bench.cpu;

/**
 * Decodes frames of 256x256 pixels, each compressed to 48 KiB: a residual of 6 bits for each pixel,
 * to what its three neighbours predict, as in lossless JPEG. The floor does the same in C.
 *
 * <p><b>Thread rule:</b> one thread. <b>Memory:</b> about 700 KB; decoding allocates nothing.
 */
final class VideoDecoder {
  /** How wide and high a frame is, in pixels. */
  static final int SIDE = 256;

  private static final int PIXELS = SIDE * SIDE;

  /** How many bytes a frame has. */
  static final int FRAME_BYTES = PIXELS / 4 * 3;

  private static final int FRAMES = 8;

  /** What a neighbour outside of the picture is taken to be. */
  private static final int OUTSIDE = 128;

  private final byte[][] frames = new byte[FRAMES][FRAME_BYTES];
  private final int[] picture = new int[PIXELS];

  /** Makes one, with its frames. */
  VideoDecoder() {
    long state = 1;
    for (byte[] frame : frames) {
      for (int i = 0; i < FRAME_BYTES; i++) {
        state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        frame[i] = (byte) (state >>> 56);
      }
    }
  }

  /** Decodes one frame, over the picture before. */
  void decode(long number) {
    byte[] frame = frames[(int) (number % FRAMES)];
    for (int i = 0, at = 0; i < PIXELS; i += 4, at += 3) {
      int bits = (frame[at] & 255) << 16 | (frame[at + 1] & 255) << 8 | frame[at + 2] & 255;
      pixel(i, bits >> 18);
      pixel(i + 1, bits >> 12 & 63);
      pixel(i + 2, bits >> 6 & 63);
      pixel(i + 3, bits & 63);
    }
  }

  private void pixel(int i, int residual) {
    int x = i % SIDE;
    int left = x == 0 ? OUTSIDE : picture[i - 1] & 255;
    int up = i < SIDE ? OUTSIDE : picture[i - SIDE] & 255;
    int corner = x == 0 || i < SIDE ? OUTSIDE : picture[i - SIDE - 1] & 255;
    int grey = Math.clamp(predicted(left, up, corner) + residual - 32, 0, 255);
    picture[i] = 0xff000000 | grey * 0x010101;
  }

  private static int predicted(int left, int up, int corner) {
    int low = Math.min(left, up);
    int high = Math.max(left, up);
    return corner >= high ? low : corner <= low ? high : left + up - corner;
  }

  /** Returns a number that depends on each pixel of the picture. */
  int checksum() {
    int sum = 0;
    for (int each : picture) {
      sum = sum * 31 + each;
    }
    return sum;
  }
}
