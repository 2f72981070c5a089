package dev.takt.samples.market;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A window on a stream of bytes that slides forward, and unpacks gzip where the content says that
 * it is gzip.
 *
 * <p>The bytes from {@link #start} to {@link #end} are those at hand. The window grows when one
 * line or message needs it, up to twice {@link #MAX_LINE_BYTES}, and never beyond, whatever the
 * input is.
 *
 * <p><b>Thread rule:</b> not thread-safe.
 */
final class ByteSource implements Closeable {
  /**
   * The longest line; the longest in the captures that this was made for is an order book of 64,066
   * bytes.
   */
  static final int MAX_LINE_BYTES = 1 << 20;

  private static final int FIRST_WINDOW_BYTES = 1 << 17;
  private static final int GZIP_BUFFER_BYTES = 1 << 16;

  byte[] bytes = new byte[FIRST_WINDOW_BYTES];
  int start;
  int end;

  private final CountingInputStream counted;
  private InputStream in;
  private boolean gzip;
  private boolean atEnd;
  private long taken;

  /**
   * Makes a source that closes {@code raw} when it is closed, or at once if this constructor fails.
   */
  ByteSource(InputStream raw) throws Malformed {
    counted = new CountingInputStream(raw);
    PushbackInputStream pushback = new PushbackInputStream(counted, 2);
    in = pushback;
    try {
      byte[] magic = pushback.readNBytes(2);
      pushback.unread(magic);
      gzip = magic.length == 2 && (magic[0] & 0xFF) == 0x1F && (magic[1] & 0xFF) == 0x8B;
      if (gzip) {
        in = new GZIPInputStream(pushback, GZIP_BUFFER_BYTES);
      }
    } catch (IOException e) {
      close();
      throw unreadable(e);
    }
  }

  /** How many bytes, unpacked, lie before {@link #start}. */
  long offset() {
    return taken;
  }

  /** Drops bytes at the start of the window. */
  void skip(int count) {
    start += count;
    taken += count;
  }

  /** Tries to have at least {@code count} bytes in the window; false if the input ends before. */
  boolean fill(int count) throws Malformed {
    while (end - start < count && !atEnd) {
      more();
    }
    return end - start >= count;
  }

  /**
   * Tries to have a whole line in the window.
   *
   * @return the index of its newline, or {@link #end} if it is the last line and has none; -1 if
   *     there is no line
   */
  int findLine() throws Malformed {
    int from = start;
    while (true) {
      int at = indexOfNewline(from);
      if (at >= 0) {
        return checkLength(at);
      }
      if (atEnd) {
        return end == start ? -1 : checkLength(end);
      }
      checkLength(end);
      int searched = end - start;
      more();
      from = start + searched;
    }
  }

  private int checkLength(int lineEnd) throws Malformed {
    if (lineEnd - start > MAX_LINE_BYTES) {
      throw new Malformed("the line is longer than " + MAX_LINE_BYTES + " bytes");
    }
    return lineEnd;
  }

  private int indexOfNewline(int from) {
    for (int at = from; at < end; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  private void more() throws Malformed {
    if (end == bytes.length) {
      makeRoom();
    }
    try {
      int count = in.read(bytes, end, bytes.length - end);
      if (count < 0) {
        atEnd = true;
      } else {
        end += count;
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Moves what is at hand to the front; grows when that is more than half, which the limit of a
   * line bounds.
   */
  private void makeRoom() {
    if (start > 0) {
      System.arraycopy(bytes, start, bytes, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end > bytes.length / 2) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
  }

  private Malformed unreadable(IOException e) {
    if (gzip && e instanceof EOFException) {
      return new Malformed(
          "the gzip data is truncated (the file ends at its byte " + counted.count + ")", e);
    }
    if (e instanceof ZipException) {
      return new Malformed(
          "the gzip data is corrupt (before the file's byte " + counted.count + "): " + reason(e),
          e);
    }
    return new Malformed("cannot be read: " + reason(e), e);
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // only reads went through this stream, so there is nothing to lose
    }
  }

  private static final class CountingInputStream extends FilterInputStream {
    private long count;

    CountingInputStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      count += b < 0 ? 0 : 1;
      return b;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }
}
