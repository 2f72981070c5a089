package dev.takt.session;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * What has come by a connection and was not taken as a line yet.
 *
 * <p><b>Thread rule.</b> As who reads lines. <b>Memory.</b> 40 bytes, and either what a poller has
 * handed over, as long as it came and until it is taken, or an array of its own: with 512 bytes
 * first, and twice as much whenever a line needs that. Of an own one no more than 16 KB are kept
 * for the next line, and none where a poller reads: its size alone.
 */
final class LineBuffer {
  /** As much as is handed over at most, and the first size of an own array. */
  static final int FIRST_BYTES = 512;

  private static final int MAX_KEPT_BYTES = 16_384;
  private static final byte[] NOTHING = {};

  private LineRoom room = _ -> {};

  private byte[] bytes = NOTHING;

  /** Whether the array was made here: what comes is copied into it from then on. */
  private boolean isOwn;

  /** How long the next own array is at first: as long as the last one was used. */
  private int firstBytes = FIRST_BYTES;

  private int from;
  private int to;

  /** Up to here there is no line end. */
  private int searched;

  /** Asks for room for each own array from here on that is longer than the one before. */
  void askForRoom(LineRoom newRoom) {
    room = newRoom;
  }

  /** Returns how many bytes are here. */
  int held() {
    return to - from;
  }

  // ---- lines

  /** Returns whether a whole line is here. */
  boolean hasLine() {
    for (; searched < to; searched++) {
      if (bytes[searched] == '\n') {
        return true;
      }
    }
    return false;
  }

  /** Returns how long the line is that is here, without its end. */
  int lineBytes() {
    int last = searched > from && bytes[searched - 1] == '\r' ? searched - 1 : searched;
    return last - from;
  }

  /** Takes the line that is here. */
  String takeLine() throws TransportException {
    byte[] source = bytes;
    int begin = from;
    int length = lineBytes();
    from = searched + 1;
    searched = from;
    if (from == to && !isOwn) {
      put(NOTHING);
    }
    return LineText.decode(source, begin, begin + length);
  }

  /** Takes all that is here, which is no line. */
  void clear() {
    from = to;
    searched = to;
  }

  // ---- what comes

  /** Returns whether {@link #put} may be called: nothing is here, and nothing is kept from then. */
  boolean takesArrays() throws TransportException {
    if (from < to) {
      return false;
    }
    if (isOwn) {
      firstBytes = Math.clamp(to, FIRST_BYTES, MAX_KEPT_BYTES);
      room.resize(0);
      isOwn = false;
      put(NOTHING);
    }
    return true;
  }

  /** Takes what came, at most {@link #FIRST_BYTES}, without a copy. */
  void put(byte[] came) {
    bytes = came;
    from = 0;
    to = came.length;
    searched = 0;
  }

  /**
   * Reads into an own array.
   *
   * @param maxLineBytes the longest line that is awaited
   * @return how many bytes, or -1 at the end
   */
  int readFrom(InputStream in, int maxLineBytes) throws IOException {
    makeRoom(maxLineBytes);
    int count = in.read(bytes, to, bytes.length - to);
    to += Math.max(0, count);
    return count;
  }

  private void makeRoom(int maxLineBytes) throws TransportException {
    if (from == to) {
      from = 0;
      to = 0;
      searched = 0;
      // the room that one long line needed is not kept for the next ones
      if (bytes.length > MAX_KEPT_BYTES) {
        resize(FIRST_BYTES);
      }
    } else if (from > 0 && to == bytes.length) {
      System.arraycopy(bytes, from, bytes, 0, to - from);
      searched -= from;
      to -= from;
      from = 0;
    }
    if (!isOwn || to == bytes.length) {
      int wanted = isOwn ? 2 * bytes.length : Math.max(firstBytes, 2 * bytes.length);
      // two more than a line, for its end
      resize(Math.max(to, Math.min(wanted, maxLineBytes + 2)));
    }
  }

  private void resize(int size) throws TransportException {
    if (isOwn || size > FIRST_BYTES) {
      room.resize(size);
    }
    bytes = Arrays.copyOf(bytes, size);
    isOwn = true;
  }
}
