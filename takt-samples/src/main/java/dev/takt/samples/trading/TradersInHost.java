package dev.takt.samples.trading;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.space.Event;
import dev.takt.space.Space;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tasks in a host process, to which everything goes by shared memory: a {@link TradingHost},
 * which ends with this, or with this process.
 */
final class TradersInHost implements Traders {
  /** As the launcher starts {@code takt host}; a test holds them against it. */
  static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms512m",
          "-Xmx512m",
          "-Xmn384m",
          "-XX:+AlwaysPreTouch",
          "-XX:MetaspaceSize=256m");

  /** So that the system lets Takt ask for real-time services; and stops in counted loops. */
  private static final List<String> MORE_OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UseCountedLoopSafepoints",
          "-XX:LoopStripMiningIter=1000");

  private static final long LOOK_NS = 100_000_000;
  private static final long END_S = 15;
  private static final Event ALL = new Event();

  private final int capacity;
  private final boolean isRealtime;
  private Path folder;
  private Process process;
  private OutputStream commands;
  private DataInputStream answers;
  private RemoteSpace space;
  private String failures = "";
  private long lookedNs;

  /**
   * Makes one that has not started.
   *
   * @param capacity how many events the space holds
   * @param isRealtime whether the host asks for real-time scheduling
   */
  TradersInHost(int capacity, boolean isRealtime) {
    this.capacity = capacity;
    this.isRealtime = isRealtime;
  }

  @Override
  public String variant() {
    return "host";
  }

  @Override
  public ReadPosition register(int kinds) throws IOException {
    String name = "demo-" + ProcessHandle.current().pid();
    folder = Takt.folder(name);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.addAll(MORE_OPTIONS);
    command.addAll(List.of("-cp", classPath(), TradingHost.class.getName(), name));
    command.add(Integer.toString(kinds));
    command.add(Integer.toString(capacity));
    command.add(Boolean.toString(isRealtime));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    commands = process.getOutputStream();
    answers = new DataInputStream(process.getInputStream());
    String problem = answer();
    if (!problem.isEmpty()) {
      throw new IOException("the host has not started: " + problem);
    }
    space = Takt.connect(folder, ClientSettings.DEFAULTS);
    return ReadPosition.START;
  }

  /** What this process has, as modules or not. */
  private static String classPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(name -> System.getProperty(name, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void tell(int command) throws IOException {
    commands.write(command);
    commands.flush();
  }

  private String answer() throws IOException {
    try {
      return answers.readUTF();
    } catch (EOFException e) {
      throw new IOException("the host process has ended", e);
    }
  }

  @Override
  public Space space() {
    return space;
  }

  @Override
  public int events() {
    return space.count(ALL);
  }

  /** They run since the host is ready. */
  @Override
  public void start() {}

  /** Asks from time to time only: whoever waits for the tasks asks all the time. */
  @Override
  public boolean isHealthy() {
    long nowNs = System.nanoTime();
    if (failures.isEmpty() && nowNs - lookedNs >= LOOK_NS) {
      lookedNs = nowNs;
      look();
    }
    return failures.isEmpty();
  }

  private void look() {
    try {
      tell(TradingHost.LOOK);
      failures = answer();
    } catch (IOException e) {
      failures = "; " + e.getMessage();
    }
  }

  @Override
  public String failures() {
    if (failures.isEmpty()) {
      look();
    }
    return failures;
  }

  @Override
  public void restart() {
    try {
      tell(TradingHost.RESTART);
      answer();
    } catch (IOException e) {
      throw new IllegalStateException("the host does not measure: " + e.getMessage(), e);
    }
  }

  @Override
  public TaskFigures stop() {
    try {
      tell(TradingHost.STOP);
      return TaskFigures.read(answers);
    } catch (IOException e) {
      return TaskFigures.unknown("the host does not tell what it has measured: " + e);
    }
  }

  @Override
  public void close() {
    if (process == null) {
      return;
    }
    end();
    try {
      if (!process.waitFor(END_S, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      TradingHost.clear(folder); // no other demo has this name
    } catch (IOException _) {
      // the next host with this name removes what is left
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    try {
      if (space != null) {
        space.close();
      }
      commands.close(); // which ends it
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
