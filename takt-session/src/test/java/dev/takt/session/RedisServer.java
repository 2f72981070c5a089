package dev.takt.session;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A {@code redis-server} of its own: on a free port of this machine alone, in a folder of its own,
 * and nothing that it knows is kept.
 */
final class RedisServer implements AutoCloseable {
  private static final int ATTEMPTS = 10;

  private final Process process;
  private final Path folder;
  private final int port;
  private final Thread atExit = new Thread(this::end);

  private RedisServer(Process process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts one, which serves clients when this returns. */
  static RedisServer start(int maxClients) throws IOException {
    Path program = find();
    StringBuilder said = new StringBuilder();
    for (int i = 0; i < ATTEMPTS; i++) { // another program may take the port meanwhile
      Path folder = Files.createTempDirectory("takt-redis");
      int port = freePort();
      RedisServer server = new RedisServer(start(program, folder, port, maxClients), folder, port);
      if (server.isReady(said)) {
        return server;
      }
      server.close();
    }
    throw new IllegalStateException(program + " does not start; it says:\n" + said);
  }

  private static Process start(Path program, Path folder, int port, int maxClients)
      throws IOException {
    List<String> command =
        List.of(
            program.toString(),
            "--port " + port,
            "--bind 127.0.0.1",
            "--dir " + folder,
            "--save \"\"",
            "--appendonly no",
            "--maxclients " + maxClients,
            "--tcp-backlog " + maxClients);
    List<String> words = new ArrayList<>();
    for (String each : command) {
      words.addAll(List.of(each.split(" ", 2)));
    }
    words.replaceAll(each -> each.equals("\"\"") ? "" : each);
    return new ProcessBuilder(words).redirectErrorStream(true).directory(folder.toFile()).start();
  }

  private boolean isReady(StringBuilder said) throws IOException {
    BufferedReader output = process.inputReader();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.append(line).append('\n');
      if (line.contains("Ready to accept connections")) {
        return true;
      }
    }
    return false;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Returns the program: of the system, or what {@code ./takt test} has unpacked. */
  private static Path find() {
    List<String> folders = new ArrayList<>();
    folders.addAll(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
    folders.addAll(List.of("/usr/bin", "/usr/local/bin"));
    folders.add(System.getProperty("takt.root", "..") + "/dist/redis");
    return folders.stream()
        .map(each -> Path.of(each, "redis-server").toAbsolutePath())
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "redis-server is missing, which this test starts (looked in "
                        + folders
                        + "); TAKT_INSTALL=yes ./takt test RedisClientTest gets it, or install the"
                        + " package redis-server (Debian, Ubuntu) or redis (Fedora, Alpine,"
                        + " Homebrew) yourself"));
  }

  int port() {
    return port;
  }

  private void end() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      process.getInputStream().close();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    end();
  }
}
