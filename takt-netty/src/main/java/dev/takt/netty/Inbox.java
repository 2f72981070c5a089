package dev.takt.netty;

import dev.takt.session.LineText;
import dev.takt.session.Suspension;
import dev.takt.session.TransportException;
import dev.takt.session.TransportSettings;
import dev.takt.session.WaitLimit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What has come on a connection and was not read yet, and who waits for more or for room to write.
 *
 * <p><b>How.</b> The event loop appends bytes and the session takes lines, both in short sections
 * under one lock; nobody waits in them. Who waits says so in a volatile field and looks once more,
 * as with {@link Suspension}.
 *
 * <p><b>Thread rule.</b> The handler's methods for the channel's event loop, {@link #takeLine} and
 * {@link #awaitRoom} for one session each, {@link #close} for any thread. <b>Memory.</b> At most
 * the longest line and what one turn of the event loop reads.
 */
final class Inbox extends ChannelInboundHandlerAdapter {
  private final TransportSettings settings;
  private final int fullBytes;

  // ---- under the lock

  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  /** Up to so many readable bytes there is no line end. */
  private int searched;

  private boolean paused;

  // ---- seen by all

  private volatile @Nullable ChannelHandlerContext context;
  private volatile long appended;

  /** No further byte comes; what is written may still be read. */
  private volatile boolean inputEnded;

  private volatile boolean ended;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Suspension reader;
  private volatile @Nullable Suspension writer;
  private final WaitLimit readLimit;
  private final WaitLimit roomLimit;

  Inbox(TransportSettings settings) {
    this.settings = settings;
    fullBytes = settings.maxLineBytes() + 2;
    readLimit = new WaitLimit(settings.readLimitNs(), () -> resume(reader));
    roomLimit = new WaitLimit(settings.writeTimeout().toNanos(), () -> resume(writer));
  }

  // ---- the event loop's side

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    this.context = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf read)) {
      ReferenceCountUtil.release(message);
      return;
    }
    try {
      synchronized (this) {
        if (!closed) {
          append(context, read);
          appended++;
        }
      }
    } finally {
      read.release();
    }
    resume(reader);
  }

  /** To be called under the lock. */
  private void append(ChannelHandlerContext context, ByteBuf read) {
    if (!bytes.isReadable()) {
      bytes.release();
      bytes = context.alloc().heapBuffer(read.readableBytes());
    } else if (bytes.readerIndex() > bytes.readableBytes()) {
      bytes.discardReadBytes();
    }
    bytes.writeBytes(read);
    if (bytes.readableBytes() >= fullBytes && !paused) {
      paused = true;
      context.channel().config().setAutoRead(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended = true;
    resume(reader);
    resume(writer);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      resume(reader);
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    failure = cause;
    context.close();
    resume(reader);
    resume(writer);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    resume(writer);
  }

  // ---- the reader's side

  /** As {@link dev.takt.session.Transport#excuseIdle}. */
  void excuseIdle(LongUnaryOperator moreNs) {
    if (settings.closesWhenIdle()) {
      readLimit.excuse(moreNs);
    }
  }

  @Nullable String takeLine() throws IOException {
    Suspension here = null;
    try {
      while (true) {
        boolean wasEnded = inputEnded || ended; // what came before is appended
        long before = appended;
        String line = poll();
        if (line != null) {
          return line;
        }
        if (wasEnded) {
          return atEnd();
        }
        if (here == null) {
          here = Suspension.current();
          reader = here;
          readLimit.begin();
        }
        if (readLimit.isExceeded()) {
          throw settings.noLine(readableBytes());
        }
        if (appended == before && !inputEnded && !ended && !closed) {
          await(here, "reads");
        }
      }
    } finally {
      if (here != null) {
        readLimit.end();
        reader = null;
      }
    }
  }

  private synchronized @Nullable String poll() throws IOException {
    requireOpen("no line is read from it");
    int begin = bytes.readerIndex();
    int end = bytes.indexOf(begin + searched, bytes.writerIndex(), (byte) '\n');
    if (end < 0) {
      searched = bytes.readableBytes();
      // one more may be the first half of the line's end
      if (searched > settings.maxLineBytes() + 1) {
        throw refuse("more than " + settings.maxLineBytes() + " bytes without end");
      }
      goOn();
      return null;
    }
    int last = end > begin && bytes.getByte(end - 1) == '\r' ? end - 1 : end;
    if (last - begin > settings.maxLineBytes()) {
      throw refuse((last - begin) + " bytes");
    }
    bytes.readerIndex(end + 1);
    searched = 0;
    if (bytes.readableBytes() <= fullBytes / 2) {
      goOn();
    }
    return LineText.decode(bytes.array(), bytes.arrayOffset() + begin, bytes.arrayOffset() + last);
  }

  /** Closes after a line that is too long: what follows it cannot be found. */
  private TransportException refuse(String size) {
    close();
    ChannelHandlerContext context = this.context;
    if (context != null) {
      context.close();
    }
    return LineText.tooLong(size, settings.maxLineBytes());
  }

  private synchronized int readableBytes() {
    return bytes.readableBytes();
  }

  /** Reads on, if that was paused. To be called under the lock. */
  private void goOn() {
    ChannelHandlerContext context = this.context;
    if (paused && context != null) {
      paused = false;
      context.channel().config().setAutoRead(true);
    }
  }

  private synchronized @Nullable String atEnd() throws IOException {
    requireOpen("no line is read from it");
    Throwable cause = failure;
    if (cause != null) {
      throw cause instanceof IOException known ? known : new IOException(cause);
    }
    int left = bytes.readableBytes();
    if (left > 0) {
      bytes.skipBytes(left);
      searched = 0;
      throw new TransportException(
          "the other end has closed within a line, after "
              + left
              + " bytes of it; the line is not complete");
    }
    return null;
  }

  // ---- the writer's side

  /** Waits until the channel takes more. */
  void awaitRoom() throws IOException {
    ChannelHandlerContext context = this.context;
    if (context == null || context.channel().isWritable()) {
      requireWritable();
      return;
    }
    Suspension here = Suspension.current();
    writer = here;
    roomLimit.begin();
    try {
      while (!closed && !ended && !context.channel().isWritable()) {
        if (roomLimit.isExceeded()) {
          throw new SocketTimeoutException(
              "no room for a line within %d ms: the other end does not read; wait for it, or raise"
                      .formatted(settings.writeTimeout().toMillis())
                  + " TransportSettings.writeTimeout");
        }
        await(here, "writes");
      }
    } finally {
      roomLimit.end();
      writer = null;
    }
    requireWritable();
  }

  private void requireWritable() throws IOException {
    requireOpen("the line is not written");
    if (ended) {
      TransportException gone =
          new TransportException("the other end is closed; the line is not written");
      Throwable cause = failure;
      if (cause != null) {
        gone.initCause(cause);
      }
      throw gone;
    }
  }

  /** Tells the writer that a line could not be sent. */
  void failed(Throwable cause) {
    failure = cause;
    ended = true;
    resume(reader);
    resume(writer);
  }

  // ---- both

  private void requireOpen(String what) throws TransportException {
    if (closed) {
      throw new TransportException("this end is closed; " + what);
    }
  }

  private static void await(Suspension here, String doing) throws InterruptedIOException {
    try {
      here.await(Suspension.FOR_EVER_NS);
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the session is cancelled while it " + doing);
    }
  }

  /** Ends reading and writing; returns false if they are. */
  boolean close() {
    synchronized (this) {
      if (closed) {
        return false;
      }
      closed = true;
      bytes.release();
      bytes = Unpooled.EMPTY_BUFFER;
    }
    readLimit.close();
    roomLimit.close();
    resume(reader);
    resume(writer);
    return true;
  }

  private static void resume(@Nullable Suspension waiting) {
    if (waiting != null) {
      waiting.resume();
    }
  }
}
