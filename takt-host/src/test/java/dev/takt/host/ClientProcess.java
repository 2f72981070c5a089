package dev.takt.host;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.Link;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A client in a process of its own, which tests start, stop and kill.
 *
 * <p>Its program is the name of a method of this class; it says a line for each thing that it has
 * done, and others wait for those.
 */
final class ClientProcess implements Closeable {
  static final Event TOKEN = new Event("token", null);
  private static final long TIMEOUT_NS = 10_000_000_000L;
  private static final Duration LONG = Duration.ofDays(1);

  private final Process process;
  private final Path errors;
  private final BufferedReader lines;
  private final BufferedWriter commands;

  private ClientProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    lines = process.inputReader(StandardCharsets.UTF_8);
    commands = process.outputWriter(StandardCharsets.UTF_8);
  }

  static ClientProcess start(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xshare:auto",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    String.join(
                        File.pathSeparator,
                        System.getProperty("java.class.path"),
                        pathOf(Link.class),
                        pathOf(EventSpace.class)),
                    main.getName()),
                Stream.of(arguments))
            .toList();
    Path errors = Files.createTempFile("client", ".err");
    return new ClientProcess(
        new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  static ClientProcess start(String program, Path folder) throws IOException {
    return start(ClientProcess.class, program, folder.toString());
  }

  private static String pathOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for the next line; null if the process has ended. */
  String line() throws IOException {
    return lines.readLine();
  }

  /** Sends it a line. */
  void say(String line) throws IOException {
    commands.write(line + "\n");
    commands.flush();
  }

  /** Returns what it has said of errors so far; all of it, when there is no more line. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** Ends it at once, as kill -9 does. */
  void kill() throws Exception {
    signal("KILL"); // and not by destroyForcibly, which loses what it has said
    process.waitFor();
  }

  void stop() throws Exception {
    signal("STOP");
  }

  void goOn() throws Exception {
    signal("CONT");
  }

  private void signal(String name) throws Exception {
    int code =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new AssertionError("kill -" + name + " ends with " + code);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      lines.close();
      System.err.print(errors());
      Files.delete(errors);
    }
  }

  // ---- what the process does

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (RemoteSpace space = connect(Path.of(arguments[1]))) {
      switch (arguments[0]) {
        case "move" -> move(space, out);
        case "hold" -> hold(space, out);
        case "write" -> write(space, out);
        case "wait" -> await(space, out);
        case "subscribe" -> subscribe(space, out);
        case "bulk" -> bulk(space, out);
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  /** Connects, also where the machine keeps host and client waiting for seconds. */
  static RemoteSpace connect(Path folder) throws IOException {
    ClientSettings patient = new ClientSettings(ClientSettings.DEFAULTS.wire(), 20_000, TIMEOUT_NS);
    for (int i = 0; i < 9; i++) {
      try {
        return Takt.connect(folder, patient);
      } catch (IOException _) {
        // once more
      }
    }
    return Takt.connect(folder, patient);
  }

  /** Takes a token and writes it with the next number, in one transaction, without end. */
  private static void move(RemoteSpace space, PrintStream out) {
    out.println("ready");
    Event token = new Event();
    while (true) {
      space.transact(
          transaction -> {
            if (transaction.take(TOKEN, token)) {
              transaction.write(
                  new Event("token", token.getLong("token")).add("moves", moves(token) + 1));
            }
          });
    }
  }

  private static long moves(Event token) {
    return token.has("moves") ? token.getLong("moves") : 0;
  }

  /** Takes all tokens in a transaction that it does not end. */
  private static void hold(RemoteSpace space, PrintStream out) {
    space.transact(
        transaction -> {
          Event token = new Event();
          while (transaction.take(TOKEN, token)) {
            transaction.write(new Event("held", token.getLong("token")));
          }
          out.println("holds");
          while (true) {
            LockSupport.park();
          }
        });
  }

  /** Writes and takes long events of its own, without end. */
  private static void write(RemoteSpace space, PrintStream out) {
    out.println("ready");
    Event own = new Event("own", ProcessHandle.current().pid()).add("text", "x".repeat(700));
    while (true) {
      space.write(own);
      space.take(new Event("own", ProcessHandle.current().pid()), new Event());
    }
  }

  /** Takes tokens as they come, and says which; waits for each. */
  private static void await(RemoteSpace space, PrintStream out) throws InterruptedException {
    out.println("ready");
    while (true) {
      Event token = space.take(TOKEN, LONG);
      out.println(token.getLong("token"));
    }
  }

  private static void subscribe(RemoteSpace space, PrintStream out) {
    space.subscribe(TOKEN, () -> space.read(TOKEN, new Event()));
    out.println("ready");
    while (true) {
      space.count(TOKEN);
    }
  }

  /** Reads all tokens in one answer, without end. */
  private static void bulk(RemoteSpace space, PrintStream out) {
    out.println("ready");
    while (true) {
      space.forEach(TOKEN, event -> {});
      space.test(TOKEN);
    }
  }
}
