package dev.takt.host.text;

import dev.takt.host.HeldBytes;
import dev.takt.host.TcpLimits;
import dev.takt.session.CarrierTurn;
import dev.takt.session.LineRoom;
import dev.takt.session.LineText;
import dev.takt.session.SocketTransport;
import dev.takt.session.Transport;
import dev.takt.session.TransportException;
import dev.takt.session.WaitLimit;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a WebSocket, whose texts are the lines of a transport.
 *
 * <pre>
 *    0 1 2 3 4 5 6 7  8  9 .. 15
 *   +-+-+-+-+-------+--+--------+-----------------------+----------+-----------
 *   |F|0 0 0| opcode| 1| length | 2 or 8 bytes more if  | 4 bytes, | text
 *   |I|     |       |  |        | length is 126 or 127  | the mask | XOR mask
 *   |N|     |       |  |        |                       |          |
 *   +-+-+-+-+-------+--+--------+-----------------------+----------+-----------
 * </pre>
 *
 * <p>So a client writes; the server has neither mask nor the bit for it. Opcodes: 0 goes on with a
 * text that has no FIN before, 1 text, 2 bytes (refused), 8 close, 9 ping, 10 pong.
 *
 * <p><b>Guarantees.</b> As {@link Transport}. Nothing is kept of a text but what has come of it. A
 * text that takes longer than {@link TcpLimits#messageNs} from its first byte on, or is longer than
 * allowed, ends the connection with the code that RFC 6455 has for it. Whatever frames come, how
 * fast they may, others run meanwhile.
 *
 * <p><b>Thread rule.</b> As {@link Transport}; {@link #writePong} is for the writer.
 *
 * <p><b>Memory.</b> 1 KB, and the room of one text while that comes, and of what is written of one.
 *
 * <p>Source: RFC 6455, sections 5 to 8.
 */
final class WebSocketTransport implements Transport {
  /** Waits until a client that asks too often may go on. */
  @FunctionalInterface
  interface Pace {
    void await() throws InterruptedException;
  }

  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BYTES = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private static final int FIRST_BYTES = 512;
  private static final int MAX_CONTROL_BYTES = 125;
  private static final int MAX_UNREAD_BYTES = 1 << 20;
  private static final int NORMAL = 1000;
  private static final long GOODBYE_NS = 1_000_000_000;

  private final Socket connection;
  private final Socket bytes;
  private final InputStream in;
  private final OutputStream out;
  private final WaitLimit idleLimit;
  private final WaitLimit textLimit;
  private final WaitLimit writeLimit;

  // ---- of the reader

  private int maxTextBytes = TextProtocol.MAX_TEXT_BYTES;
  private byte[] text = new byte[FIRST_BYTES];
  private LineRoom room = _ -> {};
  private int textBytes;
  private volatile boolean isReading;
  private Pace pace = () -> {};

  private final CarrierTurn turn = new CarrierTurn();

  /** Whether the other end has closed. */
  private boolean hasEnded;

  // ---- of both

  /** What the last ping said that is not answered. */
  private final AtomicReference<byte @Nullable []> ping = new AtomicReference<>();

  private volatile Runnable wakeWriter = () -> {};
  private volatile int closeCode = NORMAL;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /** Whether nothing can be written: somebody writes, or a write has failed. */
  private volatile boolean isWriting;

  private WebSocketTransport(Socket connection, Socket bytes, TcpLimits limits) throws IOException {
    this.connection = connection;
    this.bytes = bytes;
    idleLimit = new WaitLimit(limits.idleNs(), this::closeNow);
    textLimit = new WaitLimit(limits.messageNs(), this::closeNow);
    writeLimit = new WaitLimit(limits.writeNs(), this::closeNow);
    connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
    in = new BufferedInputStream(bytes.getInputStream(), FIRST_BYTES);
    out = bytes.getOutputStream();
  }

  /**
   * Shakes hands with a client. The caller limits the time of that.
   *
   * @param connection to be closed to end all that waits for it
   * @param bytes TLS on the connection, or the connection itself
   * @param origins see {@link WebSocketHandshake#accept}
   * @throws IOException if the client asks for something else, which it has been told
   */
  static WebSocketTransport accept(
      Socket connection, Socket bytes, TcpLimits limits, List<String> origins) throws IOException {
    WebSocketTransport transport = new WebSocketTransport(connection, bytes, limits);
    WebSocketHandshake.accept(transport.in, transport.out, origins);
    transport.turn.begin();
    return transport;
  }

  /** Limits the texts that are read from here on; is for the reader. */
  void limitTexts(int maxBytes) {
    maxTextBytes = maxBytes;
  }

  /** Asks for room for what comes of each text from here on; is for the reader. */
  void askForRoom(LineRoom newRoom) {
    room = newRoom;
  }

  /** Has the client try again later when the connection is closed; any thread. */
  void refuse() {
    closeCode = WebSocketException.TRY_AGAIN_LATER;
  }

  /** Sets what waits behind each control frame that stands for itself; is for the reader. */
  void paceControls(Pace newPace) {
    pace = newPace;
  }

  /** Sets what is called when there is something for {@link #writePong}. */
  void onPing(Runnable wake) {
    wakeWriter = wake;
  }

  // ---- reading

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    idleLimit.excuse(moreNs);
  }

  @Override
  public @Nullable String readLine() throws IOException {
    isReading = true;
    try {
      room.resize(text.length); // the one before is done
      while (!hasEnded) {
        int first = awaitFrame();
        if (first < 0) {
          hasEnded = true;
          return null;
        }
        String whole = awaitText(first);
        if (whole != null) {
          return whole;
        }
        if (!hasEnded) {
          pace.await();
        }
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled");
    } catch (WebSocketException violation) {
      closeCode = violation.code();
      hasEnded = true;
      throw violation;
    } catch (TransportException full) {
      refuse();
      hasEnded = true;
      throw full;
    } finally {
      isReading = false;
    }
  }

  private int awaitFrame() throws IOException, InterruptedException {
    idleLimit.begin();
    try {
      return nextFrame();
    } catch (IOException failure) {
      throw idleLimit.isExceeded()
          ? new SocketTimeoutException("nothing has come for too long, TcpLimits.idleNs")
          : failure;
    } finally {
      idleLimit.end();
    }
  }

  private @Nullable String awaitText(int first) throws IOException, InterruptedException {
    textLimit.begin();
    try {
      return readText(first);
    } catch (IOException failure) {
      throw textLimit.isExceeded()
          ? new SocketTimeoutException("a text comes too slowly, TcpLimits.messageNs")
          : failure;
    } finally {
      textLimit.end();
    }
  }

  /**
   * Reads frames up to the end of a text, or a control frame outside of one.
   *
   * @return the text, or null if it was a control frame
   */
  private @Nullable String readText(int firstByte) throws IOException, InterruptedException {
    boolean isBegun = false;
    textBytes = 0;
    int first = firstByte;
    while (true) {
      int opcode = first & 0xF;
      boolean isLast = (first & 0x80) != 0;
      if ((first & 0x70) != 0) {
        throw WebSocketException.protocolError("a frame has bits of an extension");
      }
      if (opcode >= CLOSE) {
        control(opcode, isLast);
        if (hasEnded || !isBegun) {
          return null;
        }
        pace.await();
      } else {
        requireText(opcode, isBegun);
        isBegun = true;
        append();
        if (isLast) {
          return decoded();
        }
      }
      first = nextFrame();
      if (first < 0) {
        throw cutOff();
      }
    }
  }

  /**
   * Returns the first byte of a frame, or -1 at the end. It may be there already, so that the
   * session does not wait for it: others run first where that goes on.
   */
  private int nextFrame() throws IOException, InterruptedException {
    if (turn.isOver()) {
      turn.pass();
    }
    int first = in.read();
    turn.beginIfWaited();
    return first;
  }

  private static void requireText(int opcode, boolean isBegun) throws WebSocketException {
    if (opcode == BYTES) {
      throw new WebSocketException(WebSocketException.NOT_TEXT, "bytes; messages are text here");
    }
    boolean isRight = opcode == (isBegun ? CONTINUATION : TEXT);
    if (!isRight) {
      throw WebSocketException.protocolError(
          "opcode=%d (expected: %s)".formatted(opcode, isBegun ? "0, the text goes on" : "1"));
    }
  }

  private void append() throws IOException {
    long length = readLength();
    if (length > maxTextBytes - textBytes) {
      throw new WebSocketException(
          WebSocketException.TOO_LARGE,
          "a text of %d bytes or more (limit: %d)".formatted(length, maxTextBytes));
    }
    int end = textBytes + (int) length;
    byte[] mask = readMask();
    int from = textBytes;
    while (textBytes < end) {
      if (textBytes == text.length) {
        int larger = Math.min(2 * text.length, maxTextBytes);
        room.resize(larger);
        text = Arrays.copyOf(text, larger);
      }
      int count = in.read(text, textBytes, Math.min(end, text.length) - textBytes);
      if (count < 0) {
        throw cutOff();
      }
      textBytes += count;
    }
    unmask(text, from, end, mask);
  }

  private String decoded() throws WebSocketException {
    try {
      return LineText.decode(text, 0, textBytes);
    } catch (TransportException e) {
      throw new WebSocketException(WebSocketException.NOT_UTF_8, "a text is not UTF-8");
    } finally {
      if (text.length > FIRST_BYTES) {
        text = new byte[FIRST_BYTES];
      }
    }
  }

  private void control(int opcode, boolean isLast) throws IOException {
    long length = readLength();
    if (length > MAX_CONTROL_BYTES || !isLast) {
      throw WebSocketException.protocolError("a control frame is short and in one piece");
    }
    byte[] mask = readMask();
    byte[] payload = new byte[(int) length];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) readByte();
    }
    unmask(payload, 0, payload.length, mask);
    switch (opcode) {
      case CLOSE -> {
        closeCode = requireCode(payload);
        hasEnded = true;
      }
      case PING -> {
        ping.set(payload); // one answer for several is enough, section 5.5.3
        wakeWriter.run();
      }
      case PONG -> {
        // nothing was asked
      }
      default -> throw WebSocketException.protocolError("opcode=" + opcode);
    }
  }

  /** Returns the code by which a close frame is answered: the same. */
  private static int requireCode(byte[] payload) throws WebSocketException {
    if (payload.length == 0) {
      return NORMAL;
    }
    int code = payload.length == 1 ? 0 : (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
    boolean isGiven = code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
    if (!isGiven && (code < 3000 || code > 4999)) {
      throw WebSocketException.protocolError("close code=" + code);
    }
    try {
      LineText.decode(payload, 2, payload.length);
    } catch (TransportException e) {
      throw new WebSocketException(WebSocketException.NOT_UTF_8, "a reason is not UTF-8");
    }
    return code;
  }

  private long readLength() throws IOException {
    int second = readByte();
    if ((second & 0x80) == 0) {
      throw WebSocketException.protocolError("a frame of a client without a mask");
    }
    int length = second & 0x7F;
    if (length < 126) {
      return length;
    }
    int lengthBytes = length == 126 ? 2 : 8;
    long whole = 0;
    for (int i = 0; i < lengthBytes; i++) {
      whole = whole << 8 | readByte();
    }
    if (whole < (length == 126 ? 126 : 1 << 16)) { // negative ones, too
      throw WebSocketException.protocolError("a length that is not in its shortest form");
    }
    return whole;
  }

  private byte[] readMask() throws IOException {
    byte[] mask = new byte[4];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = (byte) readByte();
    }
    return mask;
  }

  private static void unmask(byte[] bytes, int from, int to, byte[] mask) {
    for (int i = from; i < to; i++) {
      bytes[i] ^= mask[(i - from) & 3];
    }
  }

  private int readByte() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw cutOff();
    }
    return next;
  }

  private static EOFException cutOff() {
    return new EOFException("the connection has ended within a frame");
  }

  // ---- writing

  @Override
  public void writeLine(String line) throws IOException {
    byte[] encoded = LineText.encode(line, TextProtocol.MAX_TEXT_BYTES);
    write(TEXT, encoded, encoded.length - 1); // without the line feed
  }

  /** Answers the last ping, if there was one. */
  void writePong() throws IOException {
    byte[] said = ping.getAndSet(null);
    if (said != null) {
      write(PONG, said, said.length);
    }
  }

  private void write(int opcode, byte[] payload, int length) throws IOException {
    isWriting = true; // before the look, as close looks after it has said that it closes
    if (isClosed.get()) {
      isWriting = false;
      throw new TransportException("this end is closed; nothing is written");
    }
    writeLimit.begin();
    try {
      if (length > HeldBytes.SHORT_BYTES) { // it is not copied once more
        out.write(head(opcode, length, 0));
        out.write(payload, 0, length);
      } else {
        out.write(frame(opcode, payload, length));
      }
      out.flush();
      isWriting = false; // after a failure nothing more is written
    } catch (IOException failure) {
      throw writeLimit.isExceeded()
          ? new SocketTimeoutException("the client does not read, TcpLimits.writeNs")
          : failure;
    } finally {
      writeLimit.end();
    }
  }

  private static byte[] frame(int opcode, byte[] payload, int length) {
    byte[] frame = head(opcode, length, length);
    System.arraycopy(payload, 0, frame, frame.length - length, length);
    return frame;
  }

  /** Returns the head of a frame, and so many bytes more. */
  private static byte[] head(int opcode, int length, int more) {
    int headBytes = length < 126 ? 2 : length < 1 << 16 ? 4 : 10;
    byte[] frame = new byte[headBytes + more];
    frame[0] = (byte) (0x80 | opcode);
    frame[1] = (byte) (headBytes == 2 ? length : headBytes == 4 ? 126 : 127);
    int left = length;
    for (int i = headBytes - 1; i >= 2; i--) {
      frame[i] = (byte) left;
      left >>>= 8;
    }
    return frame;
  }

  // ---- the end

  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      if (!isWriting) {
        sayGoodbye();
      }
      closeNow();
      idleLimit.close();
      textLimit.close();
      writeLimit.close();
    }
  }

  /**
   * Tells the client why the connection ends, and reads what it still sends, for a moment: TCP
   * would reset the connection, and the client not learn the reason.
   */
  private void sayGoodbye() {
    try (WaitLimit _ = WaitLimit.within(GOODBYE_NS, this::closeNow)) {
      byte[] code = {(byte) (closeCode >> 8), (byte) closeCode};
      out.write(frame(CLOSE, code, code.length));
      out.flush();
      bytes.shutdownOutput();
      if (!isReading) {
        int count = 0;
        for (int i = 0; count >= 0 && i < MAX_UNREAD_BYTES; i += count) {
          count = in.read(text, 0, FIRST_BYTES);
        }
      }
    } catch (IOException _) {
      // it has gone
    }
  }

  private void closeNow() {
    SocketTransport.closeQuietly(connection);
  }

  @Override
  public String toString() {
    return "WebSocket of " + connection.getRemoteSocketAddress();
  }
}
