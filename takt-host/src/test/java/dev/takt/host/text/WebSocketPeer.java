package dev.takt.host.text;

import dev.takt.session.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongUnaryOperator;
import javax.net.ssl.SSLContext;

/** The JDK's client of WebSockets as a transport. */
final class WebSocketPeer implements Transport, WebSocket.Listener {
  /** Behind the last text. */
  private static final String END = new String("end");

  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final StringBuilder begun = new StringBuilder();
  private final HttpClient client;
  private final WebSocket socket;

  /** How the host has closed, or 1006 if without a word. */
  volatile int closeCode;

  WebSocketPeer(InetSocketAddress address) throws IOException {
    this(URI.create("ws://localhost:" + address.getPort()), null);
  }

  WebSocketPeer(URI address, SSLContext tls) throws IOException {
    HttpClient.Builder builder = HttpClient.newBuilder();
    client = (tls == null ? builder : builder.sslContext(tls)).build();
    try {
      socket = client.newWebSocketBuilder().buildAsync(address, this).join();
    } catch (CompletionException e) {
      client.close();
      throw new IOException(e.getCause());
    }
  }

  /** Returns the client, for what is no text. */
  WebSocket socket() {
    return socket;
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
    begun.append(data);
    if (isLast) {
      received.add(begun.toString());
      begun.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    closeCode = code;
    received.add(END);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable failure) {
    closeCode = 1006;
    received.add(END);
  }

  @Override
  public String readLine() throws IOException {
    try {
      String text = received.take();
      if (text == END) { // the object, not a text that is equal
        received.add(END);
        return null;
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public synchronized void writeLine(String line) throws IOException {
    try {
      socket.sendText(line, true).join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause());
    }
  }

  @Override
  public void excuseIdle(LongUnaryOperator moreNs) {
    // no read ends for want of a line
  }

  @Override
  public synchronized void close() {
    if (!socket.isOutputClosed()) {
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").exceptionally(_ -> socket).join();
    }
    try {
      readLine(); // the host's close frame, or what is left
    } catch (IOException _) {
      // it is over in any case
    }
    socket.abort();
    received.add(END);
    client.shutdownNow();
  }
}
