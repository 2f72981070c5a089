package dev.takt.cli;

import dev.takt.client.wire.WireLimits;
import dev.takt.host.ClientLimits;
import dev.takt.host.listen.ListenSettings;
import dev.takt.host.listen.Listeners;
import dev.takt.safety.Printable;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves an event space to programs outside of its process, until Ctrl-C. */
@Command(name = "serve", sortOptions = false, mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final long END_MS = 12_000;

  private static final double LEAST_TRANSACTION_S = 0.001;
  private static final int MOST_TRANSACTION_S = 3_600;
  private static final double NS_IN_S = 1e9;

  @Option(
      names = "--listen",
      paramLabel = "URI",
      defaultValue = "tcp://127.0.0.1:7400",
      description =
          "tcp://HOST:PORT for Java clients, lines://HOST:PORT for the line protocol, or"
              + " ws://HOST:PORT for JSON by WebSocket; tls, lines+tls or wss in place of them for"
              + " TLS; port 0 for a free one; may be given several times; ${DEFAULT-VALUE}")
  private List<String> addresses;

  @Option(
      names = "--tls",
      paramLabel = "KEYSTORE",
      description = "a PKCS#12 file with the key and the certificate of this host, for TLS")
  private Path keyStore;

  @Option(
      names = "--tls-password",
      paramLabel = "FILE",
      description = "a private file (0600) whose first line is the password of KEYSTORE")
  private Path passwordFile;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "a private file (0600) with the tokens of clients and their rights")
  private Path tokens;

  @Option(
      names = "--origin",
      paramLabel = "ORIGIN",
      description =
          "from where pages of browsers may connect by WebSocket, such as https://example.org,"
              + " beside those of this machine; may be given several times")
  private List<String> origins = List.of();

  @Option(
      names = "--capacity",
      paramLabel = "N",
      defaultValue = "65536",
      description = "how many events the space has room for; ${DEFAULT-VALUE}")
  private int capacity;

  @Option(
      names = "--max-event",
      paramLabel = "BYTES",
      defaultValue = "128",
      description =
          "the largest event: 8 bytes for each key, and the content of arrays, without what strings"
              + " have, 8 to 32768; ${DEFAULT-VALUE}")
  private int maxEventBytes;

  @Option(
      names = "--max-keys",
      paramLabel = "N",
      defaultValue = "1024",
      description =
          "how many keys the sequences of keys of a client may have together, 1 to 65536, unless"
              + " the file of --tokens says it; ${DEFAULT-VALUE}")
  private int maxKeys;

  @Option(
      names = "--transaction-time",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "how long a transaction of a client may take until it is rolled back, 0.001 to 3600;"
              + " ${DEFAULT-VALUE}")
  private double transactionS;

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "how long clients have to leave at the end, 0 to 10; ${DEFAULT-VALUE}")
  private int drainS;

  @Option(
      names = "--check",
      description =
          "start nothing: say how the process that listens at each URI is; exit code 0 if each is"
              + " ready, does not stand still, and could accept the connection that came last")
  private boolean check;

  @Spec private CommandSpec spec;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (check) {
      return check();
    }
    require("--drain", drainS, 0, 10, " seconds");
    require(
        "--max-event",
        maxEventBytes,
        SpaceSettings.LEAST_EVENT_BYTES,
        SpaceSettings.MOST_EVENT_BYTES,
        " bytes; what is longer has its place in a string");
    require("--max-keys", maxKeys, 1, WireLimits.MOST_KEYS, "; put what varies into values");
    if (!(transactionS >= LEAST_TRANSACTION_S && transactionS <= MOST_TRANSACTION_S)) {
      throw usage(
          "--transaction-time=%s (expected: %s to %s seconds)"
              .formatted(transactionS, LEAST_TRANSACTION_S, MOST_TRANSACTION_S));
    }
    Thread hook = new Thread(this::endGood, "takt-serve-end");
    try (Listeners listeners = open()) {
      Runtime.getRuntime().addShutdownHook(hook);
      PrintWriter out = spec.commandLine().getOut();
      for (URI each : listeners.addresses()) {
        out.println("takt serve: listening at " + each);
      }
      out.flush();
      ended.await();
      listeners.drain(Duration.ofSeconds(drainS));
    } finally {
      closed.countDown();
    }
    return CommandLine.ExitCode.OK;
  }

  private void require(String option, int value, int min, int max, String remedy) {
    if (value < min || value > max) {
      throw usage("%s=%s (expected: %s to %s%s)".formatted(option, value, min, max, remedy));
    }
  }

  private int check() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    int code = CommandLine.ExitCode.OK;
    for (URI each : checked()) {
      HealthCheck found = HealthCheck.ofListener(ListenSettings.withPort(each, each.getPort()));
      err.println("takt serve: " + Printable.of(found.text()));
      code = found.isWell() ? code : CommandLine.ExitCode.SOFTWARE;
    }
    err.flush();
    return code;
  }

  private List<URI> checked() {
    try {
      List<URI> all = listen().addresses();
      for (URI each : all) {
        if (each.getPort() == 0) {
          throw usage(
              "--check at %s (expected: the port that ./takt serve has found)".formatted(each));
        }
      }
      return all;
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private ListenSettings listen() {
    return ListenSettings.at(addresses.stream().map(ServeCommand::address).toList());
  }

  private static boolean isTls(String address) {
    return address.matches("(tls|lines[+]tls|wss):.*");
  }

  private static URI address(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "--listen=" + text + " is no address (expected: tcp://HOST:PORT, or another scheme)", e);
    }
  }

  private Listeners open() throws IOException {
    if (keyStore != null && passwordFile == null) {
      throw usage("--tls needs the password of " + keyStore + ": --tls-password FILE is missing");
    }
    if (passwordFile != null && keyStore == null) {
      throw usage("--tls-password is the password of a key: --tls KEYSTORE is missing");
    }
    if (keyStore != null && addresses.stream().noneMatch(ServeCommand::isTls)) {
      throw usage(
          "--tls is given, and no address has TLS: %s (expected: --listen tls://HOST:PORT,"
                  .formatted(String.join(", ", addresses))
              + " lines+tls or wss)");
    }
    requireFile("--tls-password", passwordFile);
    requireFile("--tls", keyStore);
    requireFile("--tokens", tokens);
    try {
      ListenSettings settings =
          listen()
              .withTls(keyStore, password())
              .withTokens(tokens)
              .withLimits(limits())
              .withOrigins(origins);
      SpaceSettings space =
          SpaceSettings.DEFAULTS
              .withCapacity(capacity)
              .withMaxEventBytes(maxEventBytes)
              .withMaxTransactions(SpaceSettings.MOST_TRANSACTIONS);
      SpaceSettings fitting = fitting(space, Runtime.getRuntime().maxMemory(), this::say);
      return Listeners.open(EventSpace.create(fitting), settings);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /** Who mistypes a file is told of which option; a pipe is as good as a file. */
  private static void requireFile(String option, Path file) throws IOException {
    if (file != null && (Files.isDirectory(file) || Files.notExists(file))) {
      throw new IOException(
          "%s=%s %s (expected: a file)"
              .formatted(option, file, Files.isDirectory(file) ? "is a folder" : "does not exist"));
    }
  }

  private ClientLimits limits() {
    return ClientLimits.DEFAULTS
        .withWire(WireLimits.DEFAULTS.withMaxKeys(maxKeys))
        .withMaxTransactionNs(Math.round(transactionS * NS_IN_S));
  }

  /**
   * Returns settings whose slots and indexes take half of the heap at most: what the events refer
   * to may take the other half, see {@code ClientLimits.fitting}. Found before, because the JVM
   * ends without a word of the capacity when its heap is full.
   *
   * @param notice is told if there are fewer indexes then
   * @throws IllegalArgumentException if not even one has room
   */
  static SpaceSettings fitting(SpaceSettings space, long heapBytes, Consumer<String> notice) {
    long slots = space.leastHeapBytes();
    long index = space.indexHeapBytes();
    int asked = space.maxIndexes();
    int indexes = Math.clamp((heapBytes / 2 - slots) / index, 0, asked);
    if (indexes == asked) {
      return space;
    }
    String counted =
        ("--capacity=%d takes %d MB for its events (--max-event=%d) and up to %d MB for each set of"
                + " template keys in use (limit: half of the JVM's heap, %d MB); give fewer, or more"
                + " heap: TAKT_JAVA_FLAGS=\"-Xmx%dm\"")
            .formatted(
                space.capacity(),
                mb(slots),
                space.maxEventBytes(),
                mb(index),
                heapBytes / 2 >> 20,
                mb(2 * (slots + index * (indexes == 0 ? 1 : asked))));
    if (indexes == 0) {
      throw new IllegalArgumentException(counted);
    }
    notice.accept(
        "%d of %d sets of template keys have room: %s".formatted(indexes, asked, counted));
    return space.withMaxIndexes(indexes);
  }

  private static long mb(long bytes) {
    return (bytes >> 20) + 1;
  }

  private void say(String text) {
    spec.commandLine().getErr().println("takt serve: " + text);
  }

  private char[] password() throws IOException {
    if (passwordFile == null) {
      return new char[0];
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(passwordFile);
    if (!Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)
        .containsAll(permissions)) {
      throw new IOException(
          "%s: others may use it; make it private: chmod 600 %s"
              .formatted(passwordFile, passwordFile));
    }
    try {
      List<String> lines = Files.readAllLines(passwordFile);
      return lines.isEmpty() ? new char[0] : lines.getFirst().toCharArray();
    } catch (CharacterCodingException e) {
      throw new IOException(passwordFile + " is no text in UTF-8; save it as that", e);
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }

  /** Ctrl-C and SIGTERM are how this command is meant to end. */
  private void endGood() {
    ended.countDown();
    try {
      if (closed.await(END_MS, TimeUnit.MILLISECONDS)) {
        Runtime.getRuntime().halt(CommandLine.ExitCode.OK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
