package dev.takt.bench.host;

import dev.takt.cli.doctor.CommandOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two pipes; both sides sleep until there is something, as pipes do. */
final class PipeLink implements Asking, Answering {
  private static final int BYTES = 64;

  private final FileChannel in;
  private final FileChannel out;
  private final ByteBuffer message = ByteBuffer.allocateDirect(BYTES);

  private PipeLink(Path in, Path out) throws IOException {
    this.in = open(in);
    this.out = open(out);
  }

  private static FileChannel open(Path pipe) throws IOException {
    // Both ways, since an open for one waits for the other side.
    return FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Makes the pipes and the answering side. */
  static PipeLink answering(Path folder) throws IOException, InterruptedException {
    Path toHost = folder.resolve("to-host");
    Path toClient = folder.resolve("to-client");
    if (!Files.exists(toHost)) {
      CommandOutput made =
          CommandOutput.of(
              List.of("mkfifo", toHost.toString(), toClient.toString()),
              TimeUnit.SECONDS.toNanos(5));
      if (!made.isGood()) {
        throw new IOException("mkfifo " + made.failure());
      }
    }
    return new PipeLink(toHost, toClient);
  }

  /** Makes the asking side. */
  static PipeLink asking(Path folder) throws IOException {
    return new PipeLink(folder.resolve("to-client"), folder.resolve("to-host"));
  }

  @Override
  public void ask(int part, long number) throws IOException {
    message.clear().putLong(0, number);
    write();
    read();
    if (message.getLong(0) != number) {
      throw new IOException("another answer: " + message.getLong(0));
    }
  }

  private void write() throws IOException {
    while (message.hasRemaining()) {
      out.write(message);
    }
  }

  private void read() throws IOException {
    message.clear();
    while (message.hasRemaining()) {
      in.read(message);
    }
  }

  @Override
  public boolean serve() throws IOException {
    read();
    message.flip();
    write();
    return true;
  }

  @Override
  public void rest() {} // serve waits

  @Override
  public void close() throws IOException {
    in.close();
    out.close();
  }
}
