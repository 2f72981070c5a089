package dev.takt.bench.session;

import dev.takt.session.Transport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongUnaryOperator;
import org.apache.mina.core.future.ConnectFuture;
import org.apache.mina.core.future.ReadFuture;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.vmpipe.VmPipeAcceptor;
import org.apache.mina.transport.vmpipe.VmPipeAddress;
import org.apache.mina.transport.vmpipe.VmPipeConnector;

/**
 * The mail's own transport: blocking code on the futures of Apache MINA's pipe within the JVM, a
 * thread for each connection. MINA's echo answers in the call that writes.
 */
final class MinaMail extends BlockingMail {
  private static final VmPipeAddress ADDRESS = new VmPipeAddress(1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final VmPipeAcceptor acceptor = new VmPipeAcceptor();
  private final VmPipeConnector connector = new VmPipeConnector();

  MinaMail(long delayNs) {
    super(delayNs, false);
    acceptor.setHandler(
        new IoHandlerAdapter() {
          @Override
          public void messageReceived(IoSession session, Object message) {
            session.write(message);
          }
        });
    connector.setHandler(new IoHandlerAdapter());
    try {
      acceptor.bind(ADDRESS);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One end of a connection. */
  private record OfSession(IoSession session) implements Transport {
    @Override
    public String readLine() throws IOException {
      try {
        ReadFuture read = session.read();
        read.await();
        return read.isClosed() ? null : (String) read.getMessage();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
    }

    @Override
    public void writeLine(String line) throws IOException {
      try {
        session.write(line).await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("interrupted");
      }
    }

    @Override
    public void excuseIdle(LongUnaryOperator moreNs) {
      // no read ends for want of a line
    }

    @Override
    public void close() {
      session.closeNow();
    }
  }

  @Override
  Transport connect() throws Exception {
    ConnectFuture connecting = connector.connect(ADDRESS);
    connecting.await();
    IoSession session = connecting.getSession();
    session.getConfig().setUseReadOperation(true); // a pipe does not take it from its connector
    return new OfSession(session);
  }

  @Override
  void start(String name, Callable<Void> code) {
    threads.submit(code);
  }

  @Override
  public void close() {
    threads.close();
    connector.dispose(true);
    acceptor.dispose(true);
  }
}
