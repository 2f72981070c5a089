package dev.takt.cli;

import dev.takt.cpu.CpuManager;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.policy.CodeOrigins;
import dev.takt.cpu.policy.JarVerdict;
import dev.takt.cpu.policy.JarVerifier;
import dev.takt.cpu.policy.PolicyException;
import dev.takt.cpu.policy.PolicyFile;
import dev.takt.cpu.policy.PolicyWatch;
import dev.takt.cpu.policy.VerifiedJar;
import dev.takt.safety.Printable;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeavingLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
  private final EventLines lines;

  /** An application that is ready to start. */
  private record Ready(ApplicationWords words, Program program) {}

  PolicyRun(Path policy, boolean debug, boolean strict, PrintWriter err) {
    this.policy = policy;
    this.debug = debug;
    this.strict = strict;
    this.err = err;
    this.lines = new EventLines(this::say);
  }

  /** Runs them, and returns the exit code of the command. */
  int run(List<ApplicationWords> applications) {
    PolicyFile file;
    Path folder;
    try {
      file = PolicyFile.read(policy);
      folder = Files.createTempDirectory("takt-run-");
    } catch (PolicyException e) {
      say(e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } catch (IOException e) {
      say("no private folder for the verified jars: " + CommandLines.reason(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
    CodeOrigins origins = new CodeOrigins(file, InstantSource.system());
    JarVerifier verifier = new JarVerifier(folder);
    List<Ready> ready = new ArrayList<>();
    try {
      for (ApplicationWords each : applications) {
        try {
          ready.add(new Ready(each, prepare(each, verifier, file, origins)));
        } catch (NotStartedException e) {
          say(each.name() + " is not started: " + e.getMessage());
        }
      }
    } finally {
      deleteAtTheEnd(folder);
    }
    boolean good = ready.size() == applications.size();
    good &= ready.isEmpty() || start(file, origins, ready);
    return good ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Why an application is not started. */
  private static final class NotStartedException extends Exception {
    private static final long serialVersionUID = 1;

    NotStartedException(String message) {
      super(message);
    }
  }

  /** Verifies an application and what it uses, checks and weaves it. */
  private Program prepare(
      ApplicationWords words, JarVerifier verifier, PolicyFile file, CodeOrigins origins)
      throws NotStartedException {
    try {
      VerifiedJar application = verified(words, words.jar(), verifier, file);
      Map<Path, VerifiedJar> libraries = new LinkedHashMap<>();
      for (Path each : libraries(words, application)) {
        libraries.put(each, verified(words, each, verifier, file));
      }
      String main =
          words.main() == null ? Applications.mainClass(application.copy()) : words.main();
      if (main.isEmpty()) {
        throw new NotStartedException(
            words.jar() + " does not say which class to start; name it with --main CLASS");
      }
      WeavingLoader loader =
          WeavingLoader.open(
              List.of(application.copy()),
              libraries.values().stream().map(VerifiedJar::copy).toList(),
              Applications.takt(),
              TaktOnly.underPolicy(),
              debug);
      show(FindingText.of(loader.warnings()));
      if (!loader.warnings().isEmpty() && strict) {
        throw new NotStartedException("with --strict, warnings forbid it");
      }
      for (VerifiedJar each :
          Stream.concat(Stream.of(application), libraries.values().stream()).toList()) {
        origins.add(words.name(), loader, each.copy().toUri().toURL(), each);
      }
      return new Program(loader, main);
    } catch (UnsafeTasksException e) {
      show(FindingText.of(e.findings()));
      throw new NotStartedException("its tasks break the rules above");
    } catch (IOException e) {
      throw new NotStartedException(CommandLines.reason(e));
    } catch (OutOfMemoryError e) {
      throw new NotStartedException(
          "it needs more memory to be loaded than is left: " + e + "; split it, or set -Xmx");
    } catch (RuntimeException | Error e) { // whatever it is about, it concerns this one alone
      throw new NotStartedException("it cannot be loaded: " + e);
    }
  }

  private static Set<Path> libraries(ApplicationWords words, VerifiedJar application)
      throws IOException {
    Set<Path> libraries =
        new LinkedHashSet<>(Applications.namedByManifest(words.jar(), application.classPath()));
    libraries.addAll(Applications.namedByUser(words.classPath()));
    libraries.remove(words.jar());
    return libraries;
  }

  private VerifiedJar verified(
      ApplicationWords words, Path jar, JarVerifier verifier, PolicyFile file)
      throws NotStartedException, IOException {
    VerifiedJar verified = verifier.verify(jar);
    JarVerdict verdict = verified.judge(file, InstantSource.system().instant());
    if (!verdict.isAccepted()) {
      throw new NotStartedException(verdict.message());
    }
    say(words.name() + ": " + verdict.message());
    return verified;
  }

  /** Starts them, and returns when all have ended, whether each main method ended well. */
  private boolean start(PolicyFile file, CodeOrigins origins, List<Ready> ready) {
    ManagerSettings settings =
        file.apply(ManagerSettings.defaults()).withEvents(lines).withClasses(origins);
    ScheduledExecutorService background =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "takt-policy");
              thread.setDaemon(true);
              return thread;
            });
    CpuManager started;
    try {
      started = CpuManager.start(settings);
    } catch (IllegalArgumentException e) { // it names processors that are not there
      say(policy + ": " + e.getMessage());
      return false;
    }
    say(
        "scheduler: %s (%s)"
            .formatted(started.scheduler().scheduler(), started.scheduler().reason()));
    InstalledManager manager;
    try {
      manager = started.install();
    } catch (RuntimeException | Error e) {
      started.close();
      throw e;
    }
    Thread end = new Thread(manager::close, "takt-end");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      PolicyWatch watch = watch(file, origins);
      background.scheduleWithFixedDelay(
          lasting("look at " + policy, watch::look, this::say), LOOK_S, LOOK_S, TimeUnit.SECONDS);
      background.scheduleWithFixedDelay(
          lasting("show of events", lines::print, this::say), 0, 50, TimeUnit.MILLISECONDS);
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
      lines.print();
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

  private PolicyWatch watch(PolicyFile file, CodeOrigins origins) {
    return new PolicyWatch(
        file,
        () -> PolicyFile.read(policy),
        changed -> {
          say(policy + " has changed and is in force; running tasks keep the class they have");
          origins.change(changed).forEach(each -> say("from now on: " + each));
          if (!changed.hasSettingsOf(file)) {
            say("what " + policy + " says about the manager counts from the next start on");
          }
        },
        refused -> say("the policy of before stays in force: " + refused.getMessage()));
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

  /** After the hooks of the applications, which may still load classes. */
  private static void deleteAtTheEnd(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.forEach(each -> each.toFile().deleteOnExit());
    } catch (IOException | UncheckedIOException e) {
      folder.toFile().deleteOnExit();
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
