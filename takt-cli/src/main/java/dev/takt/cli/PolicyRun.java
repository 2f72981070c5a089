package dev.takt.cli;

import dev.takt.cli.PolicyApplications.NotStartedException;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.policy.PolicyException;
import dev.takt.cpu.policy.PolicyWatch;
import dev.takt.safety.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine;

/**
 * Runs several applications in this process, each in the authentication class that a policy file
 * gives to its signer: each with a class loader and a thread for its main method of its own, all
 * with one CPU manager, which is that of the JVM.
 *
 * <p>What is wrong with one of them does not keep the others from running; the exit code tells it
 * at the end, when the last thread that keeps a JVM alive has ended.
 */
final class PolicyRun {
  private static final long LOOK_S = 1;

  private final Path policy;
  private final boolean debug;
  private final boolean strict;
  private final PrintWriter err;

  /** An application that is ready to start. */
  private record Ready(ApplicationWords words, Program program) {}

  PolicyRun(Path policy, boolean debug, boolean strict, PrintWriter err) {
    this.policy = policy;
    this.debug = debug;
    this.strict = strict;
    this.err = err;
  }

  /** Runs them, and returns the exit code of the command. */
  int run(List<ApplicationWords> words) {
    PolicyApplications applications;
    try {
      applications = PolicyApplications.open(policy, this::say, this::show);
    } catch (PolicyException e) {
      say(e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } catch (IOException e) {
      say(e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    List<Ready> ready = new ArrayList<>();
    try {
      for (ApplicationWords each : words) {
        try {
          ready.add(new Ready(each, prepare(each, applications)));
        } catch (NotStartedException e) {
          say(each.name() + " is not started: " + e.getMessage());
        }
      }
    } finally {
      applications.deleteAtTheEnd();
    }
    boolean good = ready.size() == words.size();
    good &= ready.isEmpty() || start(applications, ready);
    return good ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private Program prepare(ApplicationWords words, PolicyApplications applications)
      throws NotStartedException {
    Program program = applications.load(words, debug, strict);
    if (program.main().isEmpty()) {
      throw new NotStartedException(
          words.jar() + " does not say which class to start; name it with --main CLASS");
    }
    return program;
  }

  /** Starts them, and returns when all have ended, whether each main method ended well. */
  private boolean start(PolicyApplications applications, List<Ready> ready) {
    ScheduledExecutorService background =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "takt-policy");
              thread.setDaemon(true);
              return thread;
            });
    InstalledManager manager;
    try {
      manager = applications.installManager();
    } catch (NotStartedException e) {
      say(e.getMessage());
      return false;
    }
    Thread end = new Thread(manager::close, "takt-end");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      PolicyWatch watch = applications.watch();
      background.scheduleWithFixedDelay(
          lasting("look at " + policy, watch::look, this::say), LOOK_S, LOOK_S, TimeUnit.SECONDS);
      background.scheduleWithFixedDelay(
          lasting("show of events", applications::printEvents, this::say),
          0,
          50,
          TimeUnit.MILLISECONDS);
      List<MainThread> mains = ready.stream().map(each -> new MainThread(each, err)).toList();
      mains.forEach(Thread::start);
      AliveThreads.awaitAll(mains);
      return mains.stream().allMatch(each -> each.good);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      background.shutdownNow();
      try {
        Runtime.getRuntime().removeShutdownHook(end);
      } catch (IllegalStateException e) {
        // the process is ending already, and the hook runs
      }
      manager.close();
      applications.printEvents();
    }
  }

  /** Returns work that never throws: an executor would not do it again. Each fault is said once. */
  static Runnable lasting(String name, Runnable work, Consumer<String> out) {
    Set<Class<?>> told = new HashSet<>();
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        if (told.add(e.getClass())) {
          out.accept("a %s failed, and others follow: %s".formatted(name, e));
        }
      }
    };
  }

  /** The thread of one main method. */
  private static final class MainThread extends Thread {
    private final Ready application;
    private final PrintWriter err;
    private volatile boolean good;

    MainThread(Ready application, PrintWriter err) {
      super(application.words().name());
      setDaemon(false);
      this.application = application;
      this.err = err;
    }

    @Override
    public void run() {
      try {
        good =
            application.program().run(application.words().arguments(), err)
                == CommandLine.ExitCode.OK;
      } catch (IOException e) {
        err.println(
            "takt run: " + Printable.of(getName()) + " is not started: " + CommandLines.reason(e));
        err.flush();
      }
    }
  }

  /** Says it in one line, whatever those have put into it whose names and messages it holds. */
  private synchronized void say(String text) {
    err.println("takt run: " + Printable.of(text));
    err.flush();
  }

  private synchronized void show(String text) {
    err.print(text);
    err.flush();
  }
}
