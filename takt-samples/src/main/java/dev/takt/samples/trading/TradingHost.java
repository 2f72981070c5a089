package dev.takt.samples.trading;

import dev.takt.client.Takt;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.host.HostProcess;
import dev.takt.host.HostSettings;
import dev.takt.reflex.RuntimeScheduling;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.SpaceSettings;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The main program of the process that {@code takt demo --host} starts for the tasks. It does what
 * it is told by its input, a byte each, and ends when that ends: so it never outlives the demo,
 * however that ends.
 */
final class TradingHost {
  /** Forget what was measured. */
  static final int RESTART = 'r';

  /** Say what is wrong with the tasks. */
  static final int LOOK = 'l';

  /** Let the tasks come to rest, and tell what was measured. */
  static final int STOP = 's';

  /** Clients have nine tenths of a processor: there is one, which feeds without a pause. */
  private static final long LINK_BUDGET_NS = HostSettings.DEFAULT_PERIOD_NS / 10 * 9;

  private static final long END_S = 20;

  private final HostProcess host;
  private final TradingTasks tasks;
  private final DataOutputStream answers;

  private TradingHost(HostProcess host, TradingTasks tasks, DataOutputStream answers) {
    this.host = host;
    this.tasks = tasks;
    this.answers = answers;
  }

  /**
   * Runs it.
   *
   * @param arguments the name of the host, how many kinds of lines there are, how many events the
   *     space holds, and whether to ask for real-time scheduling
   */
  public static void main(String[] arguments) throws InterruptedException {
    DataOutputStream answers = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
    System.setOut(System.err); // what anybody else prints is no answer
    CountDownLatch ended = new CountDownLatch(1);
    // Ctrl-C goes to both processes; this one ends when the other one has what it wants to report.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(ended), "takt-host-end"));
    String problem = "";
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults())) {
      run(arguments, manager, answers);
      clear(Takt.folder(arguments[0])); // nobody else has this name
    } catch (IOException | RuntimeException e) {
      problem = String.valueOf(e.getMessage());
    }
    try (answers) {
      if (!problem.isEmpty()) {
        answers.writeUTF(problem);
      }
    } catch (IOException e) {
      problem += "; nobody hears it";
    }
    ended.countDown();
    System.exit(problem.isEmpty() ? 0 : 1);
  }

  /** Removes the folder of a host that has ended, with what one that was killed has left. */
  static void clear(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
        for (Path each : left) {
          Files.deleteIfExists(each);
        }
      }
      Files.deleteIfExists(folder);
    }
  }

  private static void await(CountDownLatch ended) {
    try {
      ended.await(END_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void run(String[] arguments, CpuManager manager, DataOutputStream answers)
      throws IOException {
    TradingTasks tasks = new TradingTasks();
    boolean isRealtime = Boolean.parseBoolean(arguments[3]);
    HostSettings settings =
        HostSettings.of(Takt.folder(arguments[0]))
            .withSpace(SpaceSettings.DEFAULTS.withCapacity(Integer.parseInt(arguments[2])))
            .withBudget(LINK_BUDGET_NS, HostSettings.DEFAULT_PERIOD_NS)
            .withRuntime(
                RuntimeSettings.DEFAULTS
                    .withScheduling(
                        isRealtime
                            ? RuntimeScheduling.REALTIME
                            : RuntimeSettings.DEFAULTS.scheduling())
                    .withListeners(tasks.meters));
    try (HostProcess host =
        HostProcess.open(settings, manager, Thread.ofPlatform().name("takt-links").factory())) {
      tasks.register(host.runtime(), Integer.parseInt(arguments[1]));
      host.start();
      answers.writeUTF("");
      new TradingHost(host, tasks, answers).serve(System.in);
    }
  }

  private void serve(InputStream commands) throws IOException {
    for (int command = commands.read(); command != -1; command = commands.read()) {
      switch (command) {
        case RESTART -> {
          tasks.restart();
          answers.writeUTF("");
        }
        case LOOK -> answers.writeUTF(problem());
        case STOP -> tasks.stop(host.runtime(), host.rests()).write(answers);
        default -> throw new IOException("command " + command + " is not known");
      }
      answers.flush();
    }
  }

  private String problem() {
    Throwable links = host.failure();
    if (links != null) {
      return "; links are not served: " + links;
    }
    return tasks.isHealthy() ? "" : "; a task was stopped" + tasks.failures();
  }
}
