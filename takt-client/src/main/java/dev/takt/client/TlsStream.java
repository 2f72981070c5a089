package dev.takt.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * TLS on a channel that does not wait.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class TlsStream implements TcpLink.Stream {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SSLEngine engine;

  /** What has come and is not decrypted; between its beginning and its position. */
  private final ByteBuffer cameIn;

  /** What is encrypted and not sent; between its position and its limit. */
  private final ByteBuffer goesOut;

  /** Whether nothing more can be decrypted before something comes. */
  private boolean isStarved;

  TlsStream(SocketChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    int record = engine.getSession().getPacketBufferSize();
    cameIn = ByteBuffer.allocate(record);
    goesOut = ByteBuffer.allocate(record).limit(0);
  }

  @Override
  public int roomBytes() {
    return engine.getSession().getApplicationBufferSize();
  }

  /** Agrees upon keys with the other end. */
  void shakeHands(TcpLink.Wait wait) throws IOException {
    engine.beginHandshake();
    ByteBuffer nothing = ByteBuffer.allocate(roomBytes());
    try {
      while (true) {
        switch (engine.getHandshakeStatus()) {
          case NEED_TASK -> runTasks();
          case NEED_WRAP -> {
            wrap(NOTHING);
            while (!flush()) {
              wait.until(SelectionKey.OP_WRITE);
            }
          }
          case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
            int count = unwrap(nothing);
            if (count < 0) {
              throw new SSLException("the host has ended the link before TLS was agreed upon");
            }
            if (count == 0 && isStarved) {
              wait.until(SelectionKey.OP_READ);
            }
          }
          case FINISHED, NOT_HANDSHAKING -> {
            return;
          }
        }
      }
    } catch (IOException failure) {
      sayWhy();
      throw failure;
    }
  }

  /** Tells the other end of a failure, as far as there is room. */
  private void sayWhy() {
    try {
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        wrap(NOTHING);
        flush();
      }
    } catch (IOException _) {
      // it learns it from the end of the connection
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask(); task != null; ) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  /** Decrypts a record, if one is there; returns how many bytes, or -1 at the end. */
  private int unwrap(ByteBuffer into) throws IOException {
    isStarved = false;
    cameIn.flip();
    SSLEngineResult result = engine.unwrap(cameIn, into);
    cameIn.compact();
    if (result.getStatus() == Status.CLOSED) {
      return -1;
    }
    if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
      int count = channel.read(cameIn);
      isStarved = count == 0;
      return Math.min(count, 0);
    }
    return result.bytesProduced();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    while (true) {
      int count = unwrap(into);
      if (count != 0 || isStarved) {
        return count;
      }
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        // the host changes its keys: the answer goes before whatever is sent next
        if (!flush()) {
          return 0;
        }
        wrap(NOTHING);
        flush();
      }
    }
  }

  private void wrap(ByteBuffer from) throws IOException {
    goesOut.clear();
    try {
      if (engine.wrap(from, goesOut).getStatus() == Status.CLOSED && from.hasRemaining()) {
        throw new IOException("the host has ended the link");
      }
    } finally {
      goesOut.flip();
    }
  }

  @Override
  public void write(ByteBuffer from) throws IOException {
    while (flush() && from.hasRemaining()) {
      wrap(from);
    }
  }

  @Override
  public boolean flush() throws IOException {
    if (goesOut.hasRemaining()) {
      channel.write(goesOut);
    }
    return !goesOut.hasRemaining();
  }

  @Override
  public String scheme() {
    return "tls";
  }

  @Override
  public void end() throws IOException {
    engine.closeOutbound();
    if (flush()) {
      wrap(NOTHING);
      flush();
    }
  }
}
