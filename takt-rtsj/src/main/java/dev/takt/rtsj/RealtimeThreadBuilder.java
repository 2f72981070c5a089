package dev.takt.rtsj;

import dev.takt.realtime.LeadBounds;
import dev.takt.realtime.NanoClock;
import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.ReleaseParameters;
import dev.takt.realtime.StringConstants;
import dev.takt.realtime.ThreadMeter;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.rtsj.memory.HeapArea;
import dev.takt.rtsj.memory.ImmortalArea;
import dev.takt.rtsj.memory.MemoryArea;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link RealtimeThread}, from {@link RealtimeThread#builder}.
 *
 * <p><b>Thread rule.</b> One thread uses a builder.
 */
public final class RealtimeThreadBuilder {
  final String name;
  ThreadKind kind = ThreadKind.REALTIME;
  ThreadScheduling scheduling = ThreadScheduling.OTHER;
  @Nullable ReleaseParameters parameters;
  NanoClock clock = NanoClock.system();
  OperatingSystem system = OperatingSystems.current();
  LeadBounds lead = LeadBounds.DEFAULTS;
  private @Nullable ThreadMeter meter;
  private @Nullable MemoryArea area;
  boolean daemon;
  ReleaseHandler onMiss = ReleaseHandler.NONE;
  ReleaseHandler onOverrun = ReleaseHandler.NONE;
  ReleaseHandler onAllocation = ReleaseHandler.NONE;
  @Nullable ThreadFailureHandler onFailure;
  @Nullable ThreadBody body;
  @Nullable ThreadBody program;

  RealtimeThreadBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /** Its kind; default: {@link ThreadKind#REALTIME}. */
  public RealtimeThreadBuilder kind(ThreadKind kind) {
    this.kind = Objects.requireNonNull(kind, "kind");
    return this;
  }

  /**
   * What it asks of the operating system when it starts; default: {@link ThreadScheduling#OTHER}.
   */
  public RealtimeThreadBuilder scheduling(ThreadScheduling scheduling) {
    this.scheduling = Objects.requireNonNull(scheduling, "scheduling");
    return this;
  }

  /** When it is released; default: never. */
  public RealtimeThreadBuilder release(ReleaseParameters parameters) {
    this.parameters = Objects.requireNonNull(parameters, "parameters");
    return this;
  }

  /** Clock for its releases; default: the machine's. */
  public RealtimeThreadBuilder clock(NanoClock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /** Whom it asks for its scheduling, and for locks; default: {@link OperatingSystems#current}. */
  public RealtimeThreadBuilder operatingSystem(OperatingSystem system) {
    this.system = Objects.requireNonNull(system, "system");
    return this;
  }

  /** How much it may spin before a release; default: {@link LeadBounds#DEFAULTS}. */
  public RealtimeThreadBuilder lead(LeadBounds lead) {
    this.lead = Objects.requireNonNull(lead, "lead");
    return this;
  }

  /** What measures processor time and allocation; default: {@link ThreadMeter#of} its clock. */
  public RealtimeThreadBuilder meter(ThreadMeter meter) {
    this.meter = Objects.requireNonNull(meter, "meter");
    return this;
  }

  /**
   * The memory area that it runs in; default: {@link ImmortalArea#instance} for a {@link
   * ThreadKind#NO_HEAP} thread, {@link HeapArea#instance} for any other. Threads that run in the
   * same scoped area share it.
   */
  public RealtimeThreadBuilder memoryArea(MemoryArea area) {
    this.area = Objects.requireNonNull(area, "area");
    return this;
  }

  /** Whether the JVM may end while it runs; default: false. */
  public RealtimeThreadBuilder daemon(boolean daemon) {
    this.daemon = daemon;
    return this;
  }

  /** Called after each release that missed its deadline. */
  public RealtimeThreadBuilder onMiss(ReleaseHandler handler) {
    this.onMiss = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /** Called after each release that took more processor time than its budget. */
  public RealtimeThreadBuilder onOverrun(ReleaseHandler handler) {
    this.onOverrun = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /** Called after each release of a {@link ThreadKind#NO_HEAP} thread that has allocated. */
  public RealtimeThreadBuilder onAllocation(ReleaseHandler handler) {
    this.onAllocation = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /**
   * Called with what is thrown; default: the {@link Thread.UncaughtExceptionHandler} of the thread.
   */
  public RealtimeThreadBuilder onFailure(ThreadFailureHandler handler) {
    this.onFailure = Objects.requireNonNull(handler, "handler");
    return this;
  }

  /** What it does in each release. */
  public RealtimeThreadBuilder body(ThreadBody body) {
    this.body = Objects.requireNonNull(body, "body");
    return this;
  }

  /** What it does, once; it waits for its releases itself, if it has any. */
  public RealtimeThreadBuilder program(ThreadBody program) {
    this.program = Objects.requireNonNull(program, "program");
    return this;
  }

  /**
   * Makes the thread. The first of the kind {@link ThreadKind#NO_HEAP} takes about 100 ms, to make
   * {@link StringConstants}.
   *
   * @throws IllegalStateException if what was said does not fit together
   */
  public RealtimeThread build() {
    if ((body == null) == (program == null)) {
      throw new IllegalStateException(
          "thread " + name + " needs either body(..) or program(..), and not both");
    }
    if (body != null && parameters == null) {
      throw new IllegalStateException(
          "thread " + name + " has a body but no releases (remedy: release(Periodic.ofNs(..)))");
    }
    if (kind == ThreadKind.ORDINARY && !scheduling.equals(ThreadScheduling.OTHER)) {
      throw new IllegalStateException(
          "thread %s is ORDINARY and asks for %s (remedy: kind(ThreadKind.REALTIME))"
              .formatted(name, scheduling));
    }
    if (kind == ThreadKind.NO_HEAP && area == HeapArea.instance()) {
      throw new IllegalStateException(
          "thread "
              + name
              + " is NO_HEAP and runs in the heap (remedy: an immortal or scoped area)");
    }
    if (kind == ThreadKind.NO_HEAP) {
      StringConstants.prepare(RealtimeThread.class);
      StringConstants.prepare((body != null ? body : program).getClass());
    }
    return new RealtimeThread(this);
  }

  /** Makes the thread and starts it. */
  public RealtimeThread start() {
    return build().start();
  }

  MemoryArea area() {
    if (area != null) {
      return area;
    }
    return kind == ThreadKind.NO_HEAP ? ImmortalArea.instance() : HeapArea.instance();
  }

  ThreadMeter meter() {
    return meter != null ? meter : ThreadMeter.of(clock);
  }
}
