package dev.takt.realtime.os;

import dev.takt.realtime.Sleeper;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Linux, by system calls. */
final class LinuxSystem implements OperatingSystem, Descriptors {
  private final boolean hasPiFutexes;

  LinuxSystem(boolean hasPiFutexes) {
    this.hasPiFutexes = hasPiFutexes;
  }

  /** Linux if it can be called and does what is expected of it; otherwise the portable system. */
  static OperatingSystem orPortable() {
    String why = NativeAccess.whyNot();
    if (why.isEmpty()) {
      why = probe();
    }
    if (!why.isEmpty()) {
      return new PortableSystem(why);
    }
    LinuxDescriptor.load();
    LinuxSystem system = new LinuxSystem(LinuxPiFutex.isPermitted());
    system.granted(system.threadId()); // loads what threads are started with, too
    return system;
  }

  /** What is wrong with this system; empty: nothing. A sandbox may refuse any call. */
  private static String probe() {
    long id = Kernel.call(Syscall.GETTID);
    if (id <= 0) {
      return "the kernel refuses gettid: " + Errno.ofResult(id).explain();
    }
    long woken = Kernel.call(Syscall.FUTEX, Scratch.current().memory().address(), Futex.WAKE, 0, 0);
    if (woken < 0) {
      return "the kernel refuses futex: " + Errno.ofResult(woken).explain();
    }
    long beforeNs = System.nanoTime();
    long nowNs = Kernel.clockNs(KernelClock.MONOTONIC.number());
    if (nowNs - beforeNs < 0 || nowNs - System.nanoTime() > 0) {
      return "System.nanoTime of this JVM is not CLOCK_MONOTONIC";
    }
    return "";
  }

  @Override
  public boolean isNative() {
    return true;
  }

  @Override
  public String whyNotNative() {
    return "";
  }

  @Override
  public int threadId() {
    return Scratch.current().threadId();
  }

  @Override
  public Grant schedule(int threadId, Scheduling asked) {
    return LinuxScheduling.schedule(threadId, asked);
  }

  @Override
  public Errno bind(int threadId, CpuSet cpus) {
    return LinuxScheduling.bind(threadId, cpus);
  }

  @Override
  public Grant granted(int threadId) {
    return LinuxScheduling.granted(threadId);
  }

  @Override
  public Errno setPolicy(int threadId, Policy policy, int priority) {
    return LinuxScheduling.setPolicy(threadId, policy, priority);
  }

  @Override
  public Policy policy(int threadId) {
    return LinuxScheduling.policy(threadId);
  }

  @Override
  public int priority(int threadId) {
    return LinuxScheduling.priority(threadId);
  }

  @Override
  public long policyChanges() {
    return LinuxScheduling.policyChanges();
  }

  @Override
  public MemoryLock lockMemory(boolean onFault) {
    return LinuxProcess.lockMemory(onFault);
  }

  @Override
  public MemoryLock unlockMemory() {
    return LinuxProcess.unlockMemory();
  }

  @Override
  public MemoryLock memoryLock() {
    return LinuxProcess.memoryLock();
  }

  @Override
  public ResourceLimit limit(Resource resource) {
    return LinuxProcess.limit(resource);
  }

  @Override
  public Set<Capability> capabilities() {
    return ProcessStatus.own().capabilities();
  }

  @Override
  public PageFaults pageFaults() {
    return LinuxProcess.pageFaults(false);
  }

  @Override
  public PageFaults threadPageFaults() {
    return LinuxProcess.pageFaults(true);
  }

  @Override
  public boolean hasClock(KernelClock clock) {
    return Kernel.clockNs(clock.number()) >= 0;
  }

  @Override
  public long clockNs(KernelClock clock) {
    return Kernel.clockNs(clock.number());
  }

  @Override
  public long clockResolutionNs(KernelClock clock) {
    return LinuxProcess.clockResolutionNs(clock);
  }

  @Override
  public Sleeper newSleeper() {
    return new FutexSleeper();
  }

  @Override
  public Optional<PiFutex> newPiFutex() {
    return hasPiFutexes ? Optional.of(new LinuxPiFutex()) : Optional.empty();
  }

  @Override
  public Optional<Descriptors> descriptors() {
    return Optional.of(this);
  }

  @Override
  public EventFd newEventFd() throws IOException {
    return new LinuxEventFd();
  }

  @Override
  public TimerFd newTimerFd(KernelClock clock) throws IOException {
    return new LinuxTimerFd(clock);
  }

  @Override
  public Poller newPoller(int capacity) throws IOException {
    return new LinuxPoller(capacity);
  }
}
