package dev.takt.realtime.os.portable;

import dev.takt.realtime.os.Capability;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.MemoryLock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.PiFutex;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.ResourceLimit;
import dev.takt.realtime.os.Shortfall;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.realtime.os.linux.ProcessStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What the Java platform offers on any system: no scheduling, and sleeping by parking. */
public final class PortableSystem implements OperatingSystem {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final String whyNotNative;
  private final String remedy;

  /**
   * Makes one.
   *
   * @param whyNotNative the reason in each shortfall
   * @param remedy the remedy in each shortfall
   */
  public PortableSystem(String whyNotNative, String remedy) {
    this.whyNotNative = whyNotNative;
    this.remedy = remedy;
  }

  @Override
  public boolean isNative() {
    return false;
  }

  @Override
  public String whyNotNative() {
    return whyNotNative;
  }

  @Override
  public int threadId() {
    return 0;
  }

  @Override
  public Grant schedule(int threadId, ThreadScheduling asked) {
    List<Shortfall> shortfalls = new ArrayList<>();
    if (!asked.equals(ThreadScheduling.OTHER)) {
      shortfalls.add(new Shortfall("scheduling", asked.toString(), whyNotNative, remedy));
    }
    return new Grant(threadId, ThreadScheduling.OTHER, shortfalls);
  }

  @Override
  public Errno bind(int threadId, CpuSet cpus) {
    return Errno.ENOSYS;
  }

  @Override
  public CpuConfinement confine(CpuSet cpus) {
    Shortfall shortfall =
        new Shortfall(CpuConfinement.SERVICE, cpus.toString(), whyNotNative, remedy);
    return new CpuConfinement(cpus, List.of(shortfall), _ -> {});
  }

  @Override
  public PausePriority raisePauses(int priority) {
    ThreadScheduling.fifo(priority); // checks it
    Shortfall shortfall =
        new Shortfall(PausePriority.SERVICE, String.valueOf(priority), whyNotNative, remedy);
    return new PausePriority(priority, List.of(shortfall), _ -> {});
  }

  @Override
  public @Nullable CpuSet processCpus() {
    return null;
  }

  @Override
  public long threadTimeNs(int threadId) {
    return -1;
  }

  @Override
  public Grant granted(int threadId) {
    return new Grant(threadId, ThreadScheduling.OTHER, List.of());
  }

  @Override
  public Errno setPolicy(int threadId, Policy policy, int priority) {
    return policy == Policy.OTHER && priority == 0 ? Errno.NONE : Errno.ENOSYS;
  }

  @Override
  public Policy policy(int threadId) {
    return Policy.OTHER;
  }

  @Override
  public int priority(int threadId) {
    return 0;
  }

  @Override
  public long policyChanges() {
    return -1; // a value that no other system returns
  }

  @Override
  public MemoryLock lockMemory(boolean onFault) {
    return memoryLock(List.of(new Shortfall("memory lock", "all memory", whyNotNative, remedy)));
  }

  @Override
  public MemoryLock unlockMemory() {
    return memoryLock();
  }

  @Override
  public MemoryLock memoryLock() {
    return memoryLock(List.of());
  }

  private static MemoryLock memoryLock(List<Shortfall> shortfalls) {
    return new MemoryLock(
        false, false, ProcessStatus.own().lockedBytes(), ResourceLimit.UNKNOWN, shortfalls);
  }

  @Override
  public ResourceLimit limit(Resource resource) {
    return new ResourceLimit(ResourceLimit.UNKNOWN, ResourceLimit.UNKNOWN);
  }

  @Override
  public Set<Capability> capabilities() {
    return ProcessStatus.own().capabilities();
  }

  @Override
  public boolean hasClock(KernelClock clock) {
    return clock == KernelClock.MONOTONIC || clock == KernelClock.REALTIME;
  }

  @Override
  public long clockNs(KernelClock clock) {
    return switch (clock) {
      case MONOTONIC, BOOTTIME -> System.nanoTime();
      case REALTIME, TAI -> {
        Instant now = Instant.now();
        yield now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
      }
    };
  }

  @Override
  public long clockResolutionNs(KernelClock clock) {
    return 0;
  }

  @Override
  public Sleeper newSleeper() {
    return new ParkSleeper(System::nanoTime, LockSupport::parkNanos);
  }

  @Override
  public Optional<PiFutex> newPiFutex() {
    return Optional.empty();
  }

  @Override
  public Optional<Descriptors> descriptors() {
    return Optional.empty();
  }
}
