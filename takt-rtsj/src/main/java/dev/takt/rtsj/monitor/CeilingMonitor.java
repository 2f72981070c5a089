package dev.takt.rtsj.monitor;

import dev.takt.realtime.os.Capability;
import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Resource;
import dev.takt.realtime.os.ThreadScheduling;
import org.jspecify.annotations.Nullable;

/**
 * An {@link InheritanceMonitor} whose owner is under a ceiling, from before it gets the word until
 * after it has given it back: so on one processor no thread that may enter ever finds it held. On
 * several, or if the system refuses the ceiling, waiting threads pass on their priority.
 */
final class CeilingMonitor extends InheritanceMonitor {
  private final int ceiling;
  private final Guarantee guarantee;

  /** Why the system has refused the ceiling, if it has; stays. */
  private volatile @Nullable Errno refused;

  /** Makes one with the settings, word and priorities of a monitor that is not used otherwise. */
  CeilingMonitor(InheritanceMonitor base, int ceiling, Guarantee guarantee) {
    super(base.settings(), base.word, base.priorities(), base.guarantee());
    if (ceiling < ThreadScheduling.MIN_PRIORITY || ceiling > ThreadScheduling.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "ceiling=%s of %s (expected: %s to %s)"
              .formatted(
                  ceiling, base, ThreadScheduling.MIN_PRIORITY, ThreadScheduling.MAX_PRIORITY));
    }
    this.ceiling = ceiling;
    this.guarantee = guarantee;
  }

  /** The best that there is on a system. */
  static CeilingMonitor on(OperatingSystem system, MonitorSettings settings, int ceiling) {
    InheritanceMonitor base = InheritanceMonitor.on(system, settings);
    return new CeilingMonitor(base, ceiling, expect(system, base.guarantee(), ceiling));
  }

  private static Guarantee expect(OperatingSystem system, Guarantee without, int ceiling) {
    if (!system.isNative()) {
      return without;
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
        without.kind(),
        ("RLIMIT_RTPRIO=%s is below the ceiling %s; raise it (limits.conf: rtprio), or grant "
                + "CAP_SYS_NICE")
            .formatted(limit, ceiling));
  }

  @Override
  public void enter() {
    MonitorThread self = MonitorThread.current();
    if (isHeldBy(self)) {
      enter(self);
      return;
    }
    raise(self);
    try {
      enter(self);
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
    if (isHeldBy(self)) {
      return tryEnter(self);
    }
    raise(self);
    boolean entered;
    try {
      entered = tryEnter(self, timeoutNs);
    } catch (Throwable e) {
      lower(self);
      throw e;
    }
    if (!entered) {
      left(self);
    }
    return entered;
  }

  @Override
  void left(MonitorThread self) {
    lower(self);
    super.left(self);
  }

  @Override
  void reenter(MonitorThread self, int holds) {
    raise(self);
    try {
      super.reenter(self, holds);
    } catch (Throwable e) {
      lower(self);
      throw e;
    }
  }

  private void raise(MonitorThread self) {
    // Refuses a virtual thread, where it cannot enter, before the system refuses to raise it.
    word.idOf(self);
    int own = self.ceilings.lookUp(self, priorities());
    if (own > ceiling) {
      throw new CeilingViolationException(
          ("%s has priority %s, above the ceiling %s of %s (expected: at most the ceiling; "
                  + "raise the ceiling to the highest priority of its users)")
              .formatted(self, own, ceiling, this));
    }
    note(self, self.ceilings.add(self, ceiling, priorities()));
  }

  private void lower(MonitorThread self) {
    note(self, self.ceilings.remove(self, ceiling, priorities()));
  }

  private void note(MonitorThread self, Errno outcome) {
    if (outcome != Errno.NONE) {
      stats().countPriorityFailure();
      if (!self.thread.isVirtual()) { // which has no priority, whatever others are granted
        refused = outcome;
      }
    }
  }

  @Override
  public Guarantee guarantee() {
    Errno error = refused;
    return error == null || guarantee.kind() != Guarantee.Kind.CEILING
        ? guarantee
        : new Guarantee(
            super.guarantee().kind(),
            "the system has refused the ceiling " + ceiling + ": " + error.explain());
  }
}
