package dev.takt.realtime.stop;

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The places at which a release that does not end can be ended: at each backward branch, and at the
 * entry of each method that can come to call itself, woven code asks {@code stop?}.
 *
 * <p><b>Purpose.</b> The question costs nothing as long as the answer is no: it is a call site with
 * a constant target, which the just-in-time compiler folds away, so that loops are still
 * vectorized. To end a release, the sites of its classes are flipped to yes; then the compiled code
 * of these classes is thrown away, by the JVM, and each thread that comes by asks whether it is
 * meant: the code of tasks asks the memory of its task, all other code {@link #stop()}.
 *
 * <p><b>Guarantees.</b> (1) After {@link #flip} has returned, every thread that passes such a place
 * of these classes asks. (2) Only threads that are meant end anything; others with the same classes
 * go on, slowly, until {@link #rearm}, and then have their code compiled again: this is an
 * emergency, not a means of control.
 *
 * <p><b>Limits.</b> Flipping waits until every thread has come to a safepoint. With the Serial and
 * Parallel collectors, compiled loops over an {@code int} range come to one only at their end,
 * unless the JVM runs with {@code -XX:+UseCountedLoopSafepoints} (the launcher sees to that); with
 * the other collectors they always do. Flipping takes about half a millisecond, during which other
 * threads stand still for about 0.1 ms.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> an entry for each class with sites that has
 * run.
 *
 * <p>Source: CPU control 2.4 (a task that does not conform is dropped), for code that cannot be
 * suspended or killed from outside on a stock JVM.
 */
public final class StopSwitch {
  private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
  private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);
  private static final StackWalker FRAMES = StackWalker.getInstance();

  /** One site a class: a class has many questions, and they all change together. */
  private static final class Site {
    final MutableCallSite target = new MutableCallSite(NO);

    /** How many {@link #flip}s wait for their {@link #rearm}; guarded by the class. */
    int flips;
  }

  /** The classes with sites, by name: several loaders may each have one of that name. */
  private static final Map<String, List<WeakReference<Class<?>>>> LINKED =
      new ConcurrentHashMap<>();

  private static final ClassValue<Site> SITES =
      new ClassValue<>() {
        @Override
        protected Site computeValue(Class<?> type) {
          LINKED.merge(type.getName(), List.of(new WeakReference<>(type)), StopSwitch::joined);
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

  private static List<WeakReference<Class<?>>> joined(
      List<WeakReference<Class<?>>> known, List<WeakReference<Class<?>>> more) {
    List<WeakReference<Class<?>>> all = new ArrayList<>(known);
    all.removeIf(each -> each.get() == null); // of loaders that are gone
    all.addAll(more);
    return all;
  }

  /**
   * Called where code that is not a task's has come by a flipped site. A thread that initializes a
   * class goes on until it has: a class whose initializer is ended is lost to everybody, for as
   * long as its loader lives.
   *
   * @throws RunAborted if what the calling thread runs is to end
   */
  public static void stop() {
    if (Thread.currentThread() instanceof StoppableThread thread
        && thread.isToStop()
        && !isInitializing()) {
      throw thread.aborted;
    }
  }

  private static boolean isInitializing() {
    try {
      return FRAMES.walk(
          frames -> frames.anyMatch(each -> each.getMethodName().equals("<clinit>")));
    } catch (VirtualMachineError e) {
      return false; // what runs has used up the stack or the heap, and ends here
    }
  }

  /**
   * Called by woven handlers of code that is not a task's: what ends a run is not for them.
   *
   * @throws RunAborted if that is what was caught
   */
  public static void pass(Throwable thrown) {
    if (thrown instanceof RunAborted aborted) {
      throw aborted;
    }
  }

  /**
   * Flips the classes with sites that a thread is in at the moment: a loop that does not end is in
   * one of them. Looking takes the thread to a safepoint, and allocates.
   *
   * @param flipped the classes that were flipped for the thread already; new ones are added. They
   *     are to be {@linkplain #rearm rearmed} later
   */
  public static void flipWhereItIs(Thread thread, Set<Class<?>> flipped) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (StackTraceElement frame : thread.getStackTrace()) {
      for (WeakReference<Class<?>> each : LINKED.getOrDefault(frame.getClassName(), List.of())) {
        Class<?> type = each.get();
        if (type != null && !flipped.contains(type)) {
          found.add(type);
        }
      }
    }
    flip(found);
    flipped.addAll(found);
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
    if (!changed.isEmpty()) {
      MutableCallSite.syncAll(changed.toArray(MutableCallSite[]::new));
    }
  }
}
