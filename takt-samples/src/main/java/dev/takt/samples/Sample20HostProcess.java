package dev.takt.samples;

import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.host.HostProcess;
import dev.takt.host.HostSettings;
import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.Handle;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A program uses tasks that run in a process of their own: the garbage of the program stops none of
 * them.
 *
 * <p>The sample starts itself a second time, as the host, and connects to it. The space that it
 * gets has the operations of one in the process. {@code takt host} starts a host for the tasks of
 * jars; a program can also make one, as {@code host} does below.
 *
 * <p>You will see:
 *
 * <pre>
 * the account is in another process: true
 * deposited 40, balance 40
 * deposited 2, balance 42
 * taken and written in one transaction: true
 * receipts: 1
 * </pre>
 */
public final class Sample20HostProcess {
  private static final int PRIORITY = 10;

  private Sample20HostProcess() {}

  /** Adds up; its sum is in the host. */
  static final class Account extends ReflexTask {
    private long balance;
    private Handle deposits;

    @Override
    public void initialize() {
      deposits = subscribe(new Event("deposit", null));
    }

    @Override
    public void execute() {
      for (Event deposit : deposits) {
        balance += deposit.getLong("deposit");
        write(event().add("balance", balance));
      }
    }
  }

  /** The host: it ends when its input does, that is with the program that has started it. */
  private static void host(Path folder) throws IOException {
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults());
        HostProcess host =
            HostProcess.open(HostSettings.of(folder), manager, Thread.ofPlatform().factory())) {
      host.runtime().passive("account", new Account(), PRIORITY);
      // an index takes milliseconds to make: not within the budget of clients
      host.space().prepare(new Event("balance", null));
      host.space().prepare(new Event("receipt", null));
      host.start();
      IO.println("ready");
      System.in.transferTo(System.err);
    }
  }

  private static void use(RemoteSpace space) throws InterruptedException {
    for (long amount : new long[] {40, 2}) {
      space.write(new Event("deposit", amount));
      Event answer = space.read(new Event("balance", null), Duration.ofSeconds(10));
      if (answer == null) {
        IO.println("no answer within 10 s");
        return;
      }
      IO.println("deposited " + amount + ", balance " + answer.getLong("balance"));
      if (amount == 40) {
        space.take(answer); // the last one stays, for the transaction
      }
    }
    boolean isCommitted =
        space.transact(
            transaction -> {
              Event balance = transaction.take(new Event("balance", null));
              transaction.write(new Event("receipt", balance.getLong("balance")));
            });
    IO.println("taken and written in one transaction: " + isCommitted);
    IO.println("receipts: " + space.count(new Event("receipt", 42)));
  }

  /** Runs the sample; with a folder, the host. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0) {
      host(Path.of(args[0]));
      return;
    }
    String name = "sample-" + ProcessHandle.current().pid();
    Path folder = Takt.folder(name);
    String classes =
        System.getProperty("jdk.module.path", "")
            + File.pathSeparator
            + System.getProperty("java.class.path", "");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                classes,
                Sample20HostProcess.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = process.inputReader()) {
      if ("ready".equals(said.readLine())) {
        IO.println(
            "the account is in another process: "
                + (process.pid() != ProcessHandle.current().pid()));
        try (RemoteSpace space = Takt.connect(name)) {
          use(space);
        }
      }
      process.getOutputStream().close();
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    Files.deleteIfExists(folder);
  }
}
