package dev.takt.rtsj.monitor;

import dev.takt.realtime.os.Capability;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.Scheduling;
import org.jspecify.annotations.Nullable;

/**
 * An {@link InheritanceMonitor} whose owner is under a ceiling, from before it gets the word until
 * after it has given it back: so on one processor nobody who may enter ever finds it held. On
 * several, or if the system refuses the ceiling, those who wait pass on their priority.
 */
final class CeilingMonitor extends Monitor {
  private final InheritanceMonitor inner;
  private final int ceiling;
  private final Guarantee guarantee;

  /** Why the system has refused the ceiling, if it has; stays. */
  private volatile @Nullable Errno refused;

  CeilingMonitor(InheritanceMonitor inner, int ceiling, Guarantee guarantee) {
    if (ceiling < Scheduling.MIN_PRIORITY || ceiling > Scheduling.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "ceiling=%s of %s (expected: %s to %s)"
              .formatted(ceiling, inner, Scheduling.MIN_PRIORITY, Scheduling.MAX_PRIORITY));
    }
    this.inner = inner;
    this.ceiling = ceiling;
    this.guarantee = guarantee;
  }

  /** The best that there is on a system. */
  static CeilingMonitor on(OperatingSystem system, MonitorSettings settings, int ceiling) {
    InheritanceMonitor inner = InheritanceMonitor.on(system, settings);
    return new CeilingMonitor(inner, ceiling, expect(system, inner, ceiling));
  }

  private static Guarantee expect(OperatingSystem system, InheritanceMonitor inner, int ceiling) {
    if (!system.isNative()) {
      return inner.guarantee();
    }
    long limit = system.limit(Resource.RTPRIO).soft();
    if (system.capabilities().contains(Capability.SYS_NICE)) {
      return new Guarantee(Guarantee.Kind.CEILING, "raises threads to " + ceiling);
    }
    if (limit == -1 || limit >= ceiling) {
      return new Guarantee(
          Guarantee.Kind.CEILING, "raises threads to " + ceiling + "; RLIMIT_RTPRIO=" + limit);
    }
    return new Guarantee(
        inner.guarantee().kind(),
        ("RLIMIT_RTPRIO=%s is below the ceiling %s; raise it (limits.conf: rtprio), or grant "
                + "CAP_SYS_NICE")
            .formatted(limit, ceiling));
  }

  @Override
  public void enter() {
    MonitorThread self = MonitorThread.current();
    if (inner.isHeldBy(self)) {
      inner.enter(self);
      return;
    }
    raise(self);
    try {
      inner.enter(self);
    } catch (Throwable e) {
      lower(self);
      throw e;
    }
  }

  @Override
  public boolean tryEnter() {
    return tryEnter(0);
  }

  @Override
  public boolean tryEnter(long timeoutNs) {
    MonitorThread self = MonitorThread.current();
    if (inner.isHeldBy(self)) {
      return inner.tryEnter(self);
    }
    raise(self);
    boolean entered;
    try {
      entered = inner.tryEnter(self, timeoutNs);
    } catch (Throwable e) {
      lower(self);
      throw e;
    }
    if (!entered) {
      lower(self);
      inner.countWait(self, this);
    }
    return entered;
  }

  @Override
  public void exit() {
    MonitorThread self = MonitorThread.current();
    if (inner.leave(self)) {
      lower(self);
      inner.countWait(self, this);
    }
  }

  @Override
  int release(MonitorThread self) {
    int holds = inner.leaveAll(self);
    lower(self);
    inner.countWait(self, this);
    return holds;
  }

  @Override
  void reenter(MonitorThread self, int holds) {
    raise(self);
    try {
      inner.reenter(self, holds);
    } catch (Throwable e) {
      lower(self);
      throw e;
    }
  }

  private void raise(MonitorThread self) {
    // Refuses a virtual thread, where it cannot enter, before the system refuses to raise it.
    inner.word.idOf(self);
    int own = self.ceilings.lookUp(self, inner.priorities());
    if (own > ceiling) {
      throw new CeilingViolationException(
          ("%s has priority %s, above the ceiling %s of %s (expected: at most the ceiling; "
                  + "raise the ceiling to the highest priority of its users)")
              .formatted(self, own, ceiling, this));
    }
    note(self, self.ceilings.add(self, ceiling, inner.priorities()));
  }

  private void lower(MonitorThread self) {
    note(self, self.ceilings.remove(self, ceiling, inner.priorities()));
  }

  private void note(MonitorThread self, Errno outcome) {
    if (outcome != Errno.NONE) {
      inner.stats().countPriorityFailure();
      if (!self.thread.isVirtual()) { // which has no priority, whatever others are granted
        refused = outcome;
      }
    }
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public Guarantee guarantee() {
    Errno error = refused;
    return error == null || guarantee.kind() != Guarantee.Kind.CEILING
        ? guarantee
        : new Guarantee(
            inner.guarantee().kind(),
            "the system has refused the ceiling " + ceiling + ": " + error.explain());
  }

  @Override
  public @Nullable MonitorOwner owner() {
    return inner.owner();
  }

  @Override
  public MonitorStats stats() {
    return inner.stats();
  }

  @Override
  boolean isHeldBy(MonitorThread thread) {
    return inner.isHeldBy(thread);
  }

  @Override
  MonitorSettings settings() {
    return inner.settings();
  }

  @Override
  Priorities priorities() {
    return inner.priorities();
  }
}
