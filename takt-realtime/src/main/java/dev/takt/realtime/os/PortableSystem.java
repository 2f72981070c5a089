package dev.takt.realtime.os;

import dev.takt.realtime.NanoClock;
import dev.takt.realtime.Sleeper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the Java platform offers on any system: no scheduling, and sleeping by parking. */
final class PortableSystem implements OperatingSystem {
  static final PortableSystem ASKED_FOR = new PortableSystem("the portable system was asked for");

  private static final String REMEDY = "run on Linux, with " + NativeAccess.option();

  /** Its sleepers park, which the machine's own clock does only where there is no better way. */
  private static final NanoClock CLOCK = System::nanoTime;

  private final String whyNotNative;

  PortableSystem(String whyNotNative) {
    this.whyNotNative = whyNotNative;
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
  public Grant schedule(int threadId, Scheduling asked) {
    List<Shortfall> shortfalls = new ArrayList<>();
    if (!asked.equals(Scheduling.OTHER)) {
      shortfalls.add(new Shortfall("scheduling", asked.toString(), whyNotNative, REMEDY));
    }
    return new Grant(threadId, Scheduling.OTHER, shortfalls);
  }

  @Override
  public Errno bind(int threadId, CpuSet cpus) {
    return Errno.ENOSYS;
  }

  @Override
  public Grant granted(int threadId) {
    return new Grant(threadId, Scheduling.OTHER, List.of());
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
    return -1; // never one that another system says
  }

  @Override
  public MemoryLock lockMemory(boolean onFault) {
    return memoryLock(List.of(new Shortfall("memory lock", "all memory", whyNotNative, REMEDY)));
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
  public PageFaults pageFaults() {
    return PageFaults.UNKNOWN;
  }

  @Override
  public PageFaults threadPageFaults() {
    return PageFaults.UNKNOWN;
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
        yield now.getEpochSecond() * Structs.NANOS_PER_SECOND + now.getNano();
      }
    };
  }

  @Override
  public long clockResolutionNs(KernelClock clock) {
    return 0;
  }

  @Override
  public Sleeper newSleeper() {
    return CLOCK.newSleeper();
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
