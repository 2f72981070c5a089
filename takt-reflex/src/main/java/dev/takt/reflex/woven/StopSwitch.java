package dev.takt.reflex.woven;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The places at which a release that does not end can be ended: at each backward branch, and at the
 * entry of each method that can come to call itself, woven code asks {@code stop?}.
 *
 * <p><b>Purpose.</b> The question costs nothing as long as the answer is no: it is a call site with
 * a constant target, which the just-in-time compiler folds away, so that loops are still
 * vectorized. To end a release, the sites of its classes are flipped to yes; then the compiled code
 * of these classes is thrown away, by the JVM, and each thread that comes by asks {@link
 * TaskMemory#stop()} whether it is meant.
 *
 * <p><b>Guarantees.</b> (1) After {@link #flip} has returned, every thread that passes such a place
 * of these classes asks. (2) Other tasks with the same classes go on, slowly, until {@link #rearm},
 * and then have their code compiled again: this is an emergency, not a means of control.
 *
 * <p><b>Limits.</b> Flipping waits until every thread has come to a safepoint. With the Serial and
 * Parallel collectors, compiled loops over an {@code int} range come to one only at their end,
 * unless the JVM runs with {@code -XX:+UseCountedLoopSafepoints} (the launcher sees to that); with
 * the other collectors they always do. Flipping takes about half a millisecond, during which other
 * threads stand still for about 0.1 ms.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class StopSwitch {
  private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
  private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);

  /** One site a class: a class has many questions, and they all change together. */
  private static final class Site {
    final MutableCallSite target = new MutableCallSite(NO);

    /** How many {@link #flip}s wait for their {@link #rearm}; guarded by the class. */
    int flips;
  }

  private static final ClassValue<Site> SITES =
      new ClassValue<>() {
        @Override
        protected Site computeValue(Class<?> type) {
          return new Site();
        }
      };

  private StopSwitch() {}

  /**
   * Links a question in woven code.
   *
   * @param caller the class that asks
   * @param name ignored
   * @param type no argument, boolean result
   */
  public static CallSite bootstrap(MethodHandles.Lookup caller, String name, MethodType type) {
    if (!type.equals(NO.type())) {
      throw new IllegalArgumentException("a stop site has type " + NO.type() + ", not " + type);
    }
    return SITES.get(caller.lookupClass()).target;
  }

  /** Makes all threads that run code of some classes ask whether they are to stop. */
  public static void flip(Collection<Class<?>> classes) {
    add(classes, 1);
  }

  /** Takes one {@link #flip} back; after the last one the code runs at full speed again. */
  public static void rearm(Collection<Class<?>> classes) {
    add(classes, -1);
  }

  private static synchronized void add(Collection<Class<?>> classes, int flips) {
    List<MutableCallSite> changed = new ArrayList<>();
    for (Class<?> type : classes) {
      Site site = SITES.get(type);
      int before = site.flips;
      site.flips += flips;
      if (before == 0 || site.flips == 0) {
        site.target.setTarget(site.flips == 0 ? NO : YES);
        changed.add(site.target);
      }
    }
    MutableCallSite.syncAll(changed.toArray(MutableCallSite[]::new));
  }
}
