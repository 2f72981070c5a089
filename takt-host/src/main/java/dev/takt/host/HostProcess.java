package dev.takt.host;

import dev.takt.client.link.LinkListener;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.PlainBudget;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.counters.Counters;
import dev.takt.realtime.internal.Closing;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs tasks and nothing else: an event space, a runtime, and links for programs
 * outside of it.
 *
 * <p><b>Purpose.</b> The garbage of a program stops all threads of its JVM, tasks included. Tasks
 * in a JVM of their own, which allocate nothing, are not stopped by what others allocate.
 *
 * <p><b>Assumptions.</b> The JVM runs no other program. Its heap is so large that what is left of
 * it after the start is never used up: {@code ./takt host} starts one so.
 *
 * <p><b>The life of a host:</b> {@link #open}, tasks are registered with {@link #runtime}, {@link
 * #start}, {@link #close}. A client that comes before the end of {@code start} finds no host.
 *
 * <p><b>Guarantees.</b> (1) When {@code start} returns, what serves links has been compiled by use,
 * tasks are warmed up, and clients are let in. (2) {@link #collections} counts from then on. (3)
 * {@code close} first closes the links, which tells the clients; then lets tasks finish what is
 * there; then keeps the state. (4) With a folder for data a host that was killed goes on with the
 * events and the state of its last commit, as far as the journal's policy promises.
 *
 * <p><b>SIGTERM</b> closes no host by itself: a program has a shutdown hook that tells the thread
 * of the host to close it, and waits for that; {@code docs/host.md} shows one.
 *
 * <p><b>Thread rule:</b> one thread; what only returns something: any.
 *
 * {@snippet :
 * ThreadFactory threads = Thread.ofPlatform().factory();
 * try (CpuManager manager = CpuManager.start(ManagerSettings.defaults());
 *     HostProcess host = HostProcess.open(HostSettings.of(folder), manager, threads)) {
 *   host.runtime().passive("buyer", new StockBuyer(), 10);
 *   host.start();
 *   ...
 * }
 * }
 *
 * <p>Source: Reflexes 2 and 6.3.
 */
public final class HostProcess implements AutoCloseable {
  private static final Logger LOG = System.getLogger(HostProcess.class.getName());

  /** How long the thread that serves looks for messages before it sleeps. */
  static final long SPIN_NS = 20_000;

  /** The folder, within that of the host, of a socket that is there while a host starts. */
  private static final String STARTING = "start";

  private static final long WARM_UP_NS = 3_000_000_000L;
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final HostSettings settings;
  private final EventSpace space;
  private final ReflexRuntime runtime;
  private final PlainBudget budget;
  private final ThreadFactory threads;
  private final @Nullable HostState state;
  private final CollectionCount collections = new CollectionCount();
  private final HostCounters counters = new HostCounters(this);
  private volatile @Nullable LinkService service;
  private boolean isClosed;

  private HostProcess(
      HostSettings settings,
      EventSpace space,
      PlainBudget budget,
      ThreadFactory threads,
      @Nullable HostState state) {
    this.settings = settings;
    this.space = space;
    this.budget = budget;
    this.threads = threads;
    this.state = state;
    RuntimeSettings tasks = settings.runtime();
    runtime = ReflexRuntime.create(space, state == null ? tasks : state.applyTo(tasks));
  }

  /**
   * Makes a host that has not started, with the events that were kept.
   *
   * @param manager decides whether there is a budget for links
   * @param threads makes the thread that serves links
   * @throws IllegalStateException if the manager has no room for it
   * @throws IOException if what was kept cannot be used
   */
  public static HostProcess open(HostSettings settings, CpuManager manager, ThreadFactory threads)
      throws IOException {
    PlainBudget budget = manager.admitPlain("links", settings.budgetNs(), settings.periodNs());
    try {
      if (!budget.isAdmitted()) {
        throw new IllegalStateException("no budget for links: " + budget.reason());
      }
      EventSpace space = EventSpace.create(settings.space());
      HostState state = settings.data() == null ? null : HostState.open(settings.data(), space);
      try {
        return new HostProcess(settings, space, budget, threads, state);
      } catch (Throwable failure) {
        if (state != null) {
          state.close();
        }
        throw failure;
      }
    } catch (Throwable failure) {
      budget.close();
      throw failure;
    }
  }

  /** Returns the name by which clients find it. */
  public String name() {
    return String.valueOf(settings.folder().getFileName());
  }

  /** Returns its space. */
  public EventSpace space() {
    return space;
  }

  /** Returns what its tasks are registered with; it is started and closed by the host. */
  public ReflexRuntime runtime() {
    return runtime;
  }

  /** Returns whether it goes on with what was kept. */
  public boolean isWarm() {
    return state != null && state.isWarm();
  }

  /**
   * Warms up, starts the tasks, and lets clients in. Where another host of that folder serves or
   * starts, this is found before the first task runs.
   *
   * @throws IOException if another host is there, or the system refuses
   * @throws IllegalStateException if a task cannot be started, or the host was closed
   */
  public void start() throws IOException {
    if (isClosed) {
      throw new IllegalStateException(
          "cannot start %s: it was closed; open another HostProcess".formatted(name()));
    }
    Files.createDirectories(
        settings.folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path starting = settings.folder().resolve(STARTING);
    try (LinkListener _ = LinkListener.open(starting, settings.links())) { // one starts at a time
      LinkListener.open(settings.folder(), settings.links()).close(); // refused if one has started
      LinkWarmUp.run(settings, budget, NanoClock.system(), threads, WARM_UP_NS);
      if (state != null) {
        state.start(runtime);
      }
      collectLast();
      runtime.start();
      service = serve();
    } finally {
      deleteIfEmpty(starting);
      deleteIfEmpty(settings.folder()); // the start has failed
    }
    collections.begin();
    Counters.ofThisJvm().add(counters);
  }

  private LinkService serve() throws IOException {
    return LinkService.start(
        LinkServer.open(
            space,
            settings.folder(),
            settings.links(),
            settings.limits().fitting(settings.space()),
            SPIN_NS),
        budget,
        threads);
  }

  private static void deleteIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // another host of that name starts, and deletes it
    }
  }

  /** What the start has left goes by a collection that stops no task yet: none runs. */
  private static void collectLast() {
    System.gc();
  }

  /** Returns how many collections there were since the host is ready: 0, if all is well. */
  public long collections() {
    return service == null ? 0 : collections.count();
  }

  /** Returns how many clients there are. */
  public int clients() {
    LinkService present = service;
    return present == null ? 0 : present.clients();
  }

  /** Returns how often the budget of the links was used up, so that clients had to wait. */
  public long rests() {
    LinkService present = service;
    return present == null ? 0 : present.rests();
  }

  /** Returns a count that grows as long as links are served: {@link LinkService#looks}. */
  public long looks() {
    LinkService present = service;
    return present == null ? 0 : present.looks();
  }

  /** Returns what has ended the links; null: they are served. */
  public @Nullable Throwable failure() {
    LinkService present = service;
    return present == null ? null : present.failure();
  }

  /**
   * Returns why all commits are refused: they cannot be kept, since the disk is full for instance;
   * null: they are kept, or need not be.
   */
  public @Nullable Throwable dataFailure() {
    return state == null ? null : state.failure();
  }

  /**
   * Ends the links, then the tasks, then keeps the state; the second call does nothing. What fails
   * does not keep the rest from ending.
   */
  @Override
  public void close() throws IOException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    Closing.<IOException>all(
        () -> Counters.ofThisJvm().remove(counters),
        this::endOrderly,
        runtime::close,
        this::closeState,
        budget::close);
  }

  private void endOrderly() {
    LinkService present = service;
    if (present == null) {
      return;
    }
    present.close();
    if (!runtime.drain(DRAIN)) {
      LOG.log(
          Level.WARNING,
          "tasks did not finish all that was there within {0} s; what they left stays",
          DRAIN.toSeconds());
    }
    if (state != null) {
      state.keepLast(runtime);
    }
  }

  private void closeState() throws IOException {
    if (state != null) {
      state.close();
    }
  }
}
