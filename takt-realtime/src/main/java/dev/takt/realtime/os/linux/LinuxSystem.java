package dev.takt.realtime.os.linux;

import dev.takt.realtime.os.Capability;
import dev.takt.realtime.os.CpuConfinement;
import dev.takt.realtime.os.CpuSet;
import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.EventFd;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.KernelClock;
import dev.takt.realtime.os.MemoryLock;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.PausePriority;
import dev.takt.realtime.os.PiFutex;
import dev.takt.realtime.os.Policy;
import dev.takt.realtime.os.Poller;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.ResourceLimit;
import dev.takt.realtime.os.Sleeper;
import dev.takt.realtime.os.ThreadScheduling;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Linux, by system calls. */
public final class LinuxSystem implements OperatingSystem, Descriptors {
  private final boolean hasPiFutexes;
  private final StarvationMonitor monitor = new StarvationMonitor(this);
  private final LinuxCpuConfinement confinement =
      new LinuxCpuConfinement(this, monitor, ProcessThreads::all, ProcessThreads::worksInPauses);

  private final LinuxPausePriority pauses =
      new LinuxPausePriority(
          ProcessThreads::all, ProcessThreads::worksInPauses, LinuxScheduling::setInherited);

  LinuxSystem(boolean hasPiFutexes) {
    this.hasPiFutexes = hasPiFutexes;
  }

  /** Returns why Linux cannot be called, or lacks what is needed; empty if it can. */
  public static String whyNot() {
    String why = NativeAccess.whyNot();
    return why.isEmpty() ? probe() : why;
  }

  /** Makes one, and loads what is needed later. Only if {@link #whyNot} is empty. */
  public static OperatingSystem start() {
    LinuxEventFd.load();
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
    long woken =
        Kernel.call(Syscall.FUTEX, CallBuffer.current().memory().address(), Futex.WAKE, 0, 0);
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
    return CallBuffer.current().threadId();
  }

  @Override
  public Grant schedule(int threadId, ThreadScheduling asked) {
    Grant granted = LinuxScheduling.schedule(threadId, asked);
    if (granted.scheduling().policy().isRealtime()) {
      monitor.watch(threadId);
    }
    return granted;
  }

  @Override
  public Errno bind(int threadId, CpuSet cpus) {
    return LinuxScheduling.bind(threadId, cpus);
  }

  @Override
  public CpuConfinement confine(CpuSet cpus) {
    return confinement.confine(Objects.requireNonNull(cpus, "cpus"));
  }

  @Override
  public PausePriority raisePauses(int priority) {
    return pauses.raise(ThreadScheduling.fifo(priority).priority());
  }

  @Override
  public @Nullable CpuSet processCpus() {
    return confinement.processCpus();
  }

  @Override
  public long threadTimeNs(int threadId) {
    // To the kernel 0 is the thread that asks.
    return threadId == 0 ? -1 : Kernel.threadTimeNs(threadId);
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
  public Errno notifyService(String socket, String state) {
    return ServiceNotice.send(
        Objects.requireNonNull(socket, "socket"), Objects.requireNonNull(state, "state"));
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
  public Poller newPoller(int capacity) throws IOException {
    return new LinuxPoller(capacity);
  }
}
