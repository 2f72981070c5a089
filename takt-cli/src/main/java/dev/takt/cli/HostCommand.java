package dev.takt.cli;

import dev.takt.cli.PolicyApplications.NotStartedException;
import dev.takt.client.Takt;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.policy.PolicyException;
import dev.takt.host.ClientLimits;
import dev.takt.host.HostProcess;
import dev.takt.host.HostSettings;
import dev.takt.reflex.HostedTasks;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.safety.Printable;
import dev.takt.safety.load.FindingText;
import dev.takt.safety.load.UnsafeTasksException;
import dev.takt.safety.load.WeavingLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Runs the tasks of jars in a process that does nothing else, and lets programs outside in. */
@Command(name = "host", sortOptions = false, mixinStandardHelpOptions = true)
final class HostCommand implements Callable<Integer> {
  private static final long LOOK_MS = 1_000;
  private static final long END_S = 20;
  private static final long NS_IN_MS = 1_000_000;
  private static final double MIN_BUDGET_MS = 0.1;
  private static final String TAKT = "dev.takt.";
  private static final String MORE_MEMORY = "-Xms2g -Xmx2g -Xmn1500m";

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "how clients call it: Takt.connect(\"NAME\")")
  private String name;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      converter = AnyPath.class,
      paramLabel = "JAR|DIR",
      description = "each has a class that is named as the service dev.takt.reflex.HostedTasks")
  private List<Path> jars = List.of();

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "what the jars use, beside takt and what their manifests name")
  private String classPath = "";

  @Option(
      names = "--client-priority",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "the highest priority of clients' transactions, 0 to 1000000, beside the 0 to 99 of"
              + " tasks: the higher one prevails in a conflict; ${DEFAULT-VALUE}")
  private int clientPriority;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "keep the events and the state of the tasks in this folder, which is made if it is not"
              + " there, and go on with what is in it; each commit then waits for the disk")
  private Path data;

  @Option(
      names = "--link-budget",
      paramLabel = "MS",
      defaultValue = "5",
      description =
          "milliseconds of processor time for all clients together in each 10, 0.1 to 10;"
              + " ${DEFAULT-VALUE}")
  private double linkBudgetMs;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "how many releases of a task may fail in a row before it is stopped, 1 or more;"
              + " ${DEFAULT-VALUE}")
  private int maxFailures;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description =
          "hold the tasks of each jar to the class that this file gives to its signer, as"
              + " ./takt run --policy does")
  private Path policy;

  @Option(
      names = "--realtime",
      description =
          "ask the operating system for real-time scheduling (FIFO by the tasks' priorities, on"
              + " processors that no other thread of the host uses; locked memory; idle processors"
              + " that stay awake); what was granted is shown")
  private boolean realtime;

  @Option(names = "--strict", description = "treat warnings as errors")
  private boolean strict;

  @Option(
      names = "--check",
      description =
          "start nothing: say how the host of that name is; exit code 0 if it is ready, does not"
              + " stand still, no task is stopped, commits are not refused, and it has not"
              + " collected garbage since")
  private boolean check;

  @Spec private CommandSpec spec;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Set<String> applicationNames = new HashSet<>();
  private PolicyApplications underPolicy;
  private boolean isReady;
  private volatile int code = CommandLine.ExitCode.SOFTWARE;

  @Override
  public Integer call() throws InterruptedException {
    try {
      Path folder = Takt.folder(name);
      return check ? check() : policy == null ? host(folder) : hostUnderPolicy(folder);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      if (isHeapUsedUp(e)) {
        return sayHeapIsUsedUp();
      }
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (UnsafeTasksException e) {
      show(FindingText.of(e.findings()));
      say(name + " is not started: its tasks break the rules above");
      return CommandLine.ExitCode.SOFTWARE;
    } catch (NotRegisteredException e) {
      say(name + " is not started: " + e.getMessage());
      e.getCause().printStackTrace(spec.commandLine().getErr());
      return CommandLine.ExitCode.SOFTWARE;
    } catch (NotHostableException e) {
      say(name + " is not started: " + e.getMessage());
      return CommandLine.ExitCode.USAGE;
    } catch (IOException e) {
      say(name + failed() + CommandLines.reason(e));
      return CommandLine.ExitCode.SOFTWARE;
    } catch (IllegalStateException e) {
      say(name + failed() + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    } finally {
      ended.countDown(); // what went wrong has been said
    }
  }

  /**
   * Returns whether the heap is used up. The JVM then throws one error again and again, and a try
   * with resources, which adds it to itself, fails at that.
   */
  static boolean isHeapUsedUp(Throwable thrown) {
    return thrown instanceof OutOfMemoryError || thrown.getCause() instanceof OutOfMemoryError;
  }

  private int sayHeapIsUsedUp() {
    say(
        "%s%sthe heap of %d MB is used up; give it more: TAKT_JAVA_FLAGS=\"%s\""
            .formatted(name, failed(), Runtime.getRuntime().maxMemory() >> 20, MORE_MEMORY));
    return CommandLine.ExitCode.SOFTWARE;
  }

  private String failed() {
    return check ? ": " : isReady ? " has not ended well: " : " is not started: ";
  }

  /** What was given holds no tasks that could run. */
  private static final class NotHostableException extends IOException {
    private static final long serialVersionUID = 1;

    NotHostableException(String message) {
      super(message);
    }
  }

  /** What an application asked for was refused: the message has the remedy, no trace is needed. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The code of an application has failed. */
  private static final class NotRegisteredException extends IOException {
    private static final long serialVersionUID = 1;

    NotRegisteredException(String message, Throwable cause) {
      super(message + " failed: " + cause, cause);
    }
  }

  /** What registers tasks, and where it comes from. */
  private record Application(Path place, HostedTasks tasks) {
    void register(ReflexRuntime runtime) throws IOException {
      try {
        tasks.register(runtime);
      } catch (IllegalArgumentException | IllegalStateException e) {
        String place = callOfTakt(e.getStackTrace());
        if (place.isEmpty()) {
          throw new NotRegisteredException(toString(), e);
        }
        throw new RefusedException("%s: %s (at %s)".formatted(this, e.getMessage(), place), e);
      } catch (RuntimeException | LinkageError e) {
        throw new NotRegisteredException(toString(), e);
      }
    }

    /** Returns where the application called Takt, which then threw; empty: Takt did not. */
    private static String callOfTakt(StackTraceElement[] stack) {
      int frame = 0;
      while (frame < stack.length && stack[frame].getClassName().startsWith(TAKT)) {
        frame++;
      }
      return frame == 0 || frame == stack.length ? "" : stack[frame].toString();
    }

    @Override
    public String toString() {
      return tasks.getClass().getName() + ".register of " + place;
    }
  }

  private int check() throws IOException {
    if (!jars.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--check starts nothing and takes the name of a host alone, so what is %s for?"
              .formatted(jars.getFirst()));
    }
    HealthCheck found = HealthCheck.ofHost(name);
    say(found.text());
    return found.isWell() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Takes an empty path, too: one that is refused here is called an unknown argument. */
  static final class AnyPath implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      return Path.of(text);
    }
  }

  private void requirePaths() {
    try {
      jars.forEach(each -> CommandLines.path(each.toString()));
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int hostUnderPolicy(Path folder)
      throws IOException, InterruptedException, UnsafeTasksException {
    ApplicationWords.checkCount(jars.size());
    try (PolicyApplications applications = PolicyApplications.open(policy, this::say, this::show)) {
      underPolicy = applications;
      try {
        return host(folder);
      } finally {
        applications.printEvents();
      }
    } catch (PolicyException e) {
      throw new NotHostableException(e.getMessage());
    }
  }

  private int host(Path folder) throws IOException, InterruptedException, UnsafeTasksException {
    if (jars.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "a jar with tasks is missing after " + name);
    }
    long budgetNs = budgetNs();
    ClientLimits limits = limits(folder);
    List<Application> applications = load();
    RunCommand.prepareScheduling(realtime, "takt host", spec.commandLine().getErr());
    HostSettings settings =
        HostSettings.of(folder)
            .withData(data)
            .withBudget(budgetNs, HostSettings.DEFAULT_PERIOD_NS)
            .withLimits(limits)
            .withRuntime(RuntimeSettings.DEFAULTS.withMaxFailures(maxFailures));
    InstalledManager manager = installManager();
    try (manager) {
      return host(settings, CpuManager.installed().orElseThrow(), applications);
    }
  }

  private long budgetNs() {
    long mostMs = HostSettings.DEFAULT_PERIOD_NS / NS_IN_MS;
    if (linkBudgetMs >= MIN_BUDGET_MS && linkBudgetMs <= mostMs) {
      return Math.round(linkBudgetMs * NS_IN_MS);
    }
    throw new ParameterException(
        spec.commandLine(),
        "--link-budget=%s (expected: %s to %d milliseconds)"
            .formatted(linkBudgetMs, MIN_BUDGET_MS, mostMs));
  }

  private ClientLimits limits(Path folder) {
    if (clientPriority >= 0 && clientPriority <= ClientLimits.MOST_PRIORITY) {
      return HostSettings.of(folder).limits().withMaxPriority(clientPriority);
    }
    throw new ParameterException(
        spec.commandLine(),
        "--client-priority=%s (expected: 0 to %s)"
            .formatted(clientPriority, ClientLimits.MOST_PRIORITY));
  }

  private List<Application> load() throws IOException, UnsafeTasksException {
    requirePaths();
    try {
      Applications.existing(jars);
      Applications.namedByUser(classPath);
    } catch (IOException e) {
      throw new NotHostableException(e.getMessage());
    }
    List<Application> found = new ArrayList<>();
    for (Path each : jars) {
      ClassLoader loader = underPolicy == null ? load(each) : loadUnderPolicy(each);
      int before = found.size();
      try {
        ServiceLoader.load(HostedTasks.class, loader)
            .forEach(tasks -> found.add(new Application(each, tasks)));
      } catch (ServiceConfigurationError e) {
        throw notProvided(each, e);
      }
      if (found.size() == before) {
        throw new NotHostableException(
            "%s has no tasks for a host: name a class that implements %s in META-INF/services/%s"
                .formatted(each, HostedTasks.class.getSimpleName(), HostedTasks.class.getName()));
      }
    }
    return found;
  }

  /** A stack trace helps where the code of the application has failed, and nowhere else. */
  private static IOException notProvided(Path jar, ServiceConfigurationError failure) {
    Throwable cause = failure.getCause();
    if (cause != null && !(cause instanceof NoSuchMethodException)) {
      return new NotRegisteredException("the services file of " + jar, failure);
    }
    return new NotHostableException(
        ("%s: %s; name in that file, one a line, the public classes of the jar that implement %s"
                + " and have a public constructor without parameters")
            .formatted(jar, failure.getMessage(), HostedTasks.class.getSimpleName()));
  }

  private ClassLoader load(Path application) throws IOException, UnsafeTasksException {
    WeavingLoader loader =
        WeavingLoader.open(
            List.of(application),
            Applications.libraries(List.of(application), classPath),
            Applications.takt(),
            TaktOnly.all(),
            false);
    show(FindingText.of(loader.warnings()));
    if (strict && !loader.warnings().isEmpty()) {
      throw new NotHostableException(
          "with --strict, the warnings about " + application + " forbid it");
    }
    return loader;
  }

  private ClassLoader loadUnderPolicy(Path jar) {
    String application = ApplicationWords.name(jar, applicationNames);
    try {
      return underPolicy
          .load(new ApplicationWords(application, jar, "", classPath, List.of()), false, strict)
          .loader();
    } catch (NotStartedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private InstalledManager installManager() {
    try {
      return underPolicy == null
          ? CpuManager.start(ManagerSettings.defaults()).install()
          : underPolicy.installManager();
    } catch (NotStartedException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private int host(HostSettings settings, CpuManager manager, List<Application> applications)
      throws IOException, InterruptedException {
    ServiceState service = ServiceState.of(System.getenv(), ProcessHandle.current().pid());
    Thread hook = new Thread(() -> endOrderly(service), "takt-host-end");
    Runtime.getRuntime().addShutdownHook(hook);
    int watched;
    try (HostProcess host =
        HostProcess.open(settings, manager, Thread.ofPlatform().name("takt-links").factory())) {
      for (Application each : applications) {
        register(each, host.runtime());
      }
      host.start();
      say(
          "%s is ready%s: tasks %d, heap %d of %d MB committed; collections since ready: %d"
              .formatted(
                  name,
                  host.isWarm() ? ", with what was kept in " + data : "",
                  host.runtime().tasks().size(),
                  Runtime.getRuntime().totalMemory() >> 20,
                  Runtime.getRuntime().maxMemory() >> 20,
                  host.collections()));
      isReady = true;
      service.ready(host.runtime().tasks().size() + " tasks are ready");
      watched = watch(host, service);
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // it runs, and waits for this
      }
    }
    say(name + " has ended");
    code = watched;
    return watched;
  }

  private void register(Application application, ReflexRuntime runtime) throws IOException {
    int before = runtime.tasks().size();
    application.register(runtime);
    if (runtime.tasks().size() == before) {
      String none = application + " registers no task";
      if (strict) {
        throw new NotHostableException("with --strict, this forbids it: " + none);
      }
      say("WARNING: " + none + "; is runtime.passive or runtime.active missing?");
    }
  }

  /** Returns the exit code, when the host is asked to end or cannot go on. */
  private int watch(HostProcess host, ServiceState service) throws InterruptedException {
    long told = 0;
    while (!asked.await(service.lookMs(LOOK_MS), TimeUnit.MILLISECONDS)) {
      if (underPolicy != null) {
        underPolicy.printEvents();
      }
      long collections = host.collections();
      if (collections > told) {
        told = collections;
        say(
            ("ALARM: collections since ready: %d; each one stops all tasks. Give more memory with"
                    + " TAKT_JAVA_FLAGS=\"%s\", or find what allocates")
                .formatted(collections, MORE_MEMORY));
      }
      if (host.failure() != null) {
        say("links are not served any more, so the host ends; start it again: " + host.failure());
        return CommandLine.ExitCode.SOFTWARE;
      }
      service.alive(host.clients(), collections, host.looks());
    }
    say("%s ends; collections since ready: %d".formatted(name, host.collections()));
    return host.collections() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** By SIGTERM or Ctrl-C: the JVM's own exit code would tell of the signal alone. */
  private void endOrderly(ServiceState service) {
    service.stopping();
    asked.countDown();
    try {
      if (ended.await(END_S, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("takt host: " + Printable.of(text));
    err.flush();
  }

  private void show(String text) {
    spec.commandLine().getErr().print(text);
    spec.commandLine().getErr().flush();
  }
}
