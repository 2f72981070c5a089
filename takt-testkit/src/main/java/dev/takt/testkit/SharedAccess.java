package dev.takt.testkit;

/**
 * What classes loaded by a {@link FaultLoader} call before each of their accesses to shared memory.
 *
 * <p><b>Thread rule:</b> the hook runs on the accessing thread, on every thread; it decides for
 * itself which threads it means.
 */
public final class SharedAccess {
  /** Told before each access. */
  @FunctionalInterface
  public interface Hook {
    /**
     * The calling thread is about to access shared memory.
     *
     * @param site the place in the code, an index into {@link FaultLoader#sites()}
     */
    void before(int site);
  }

  private static volatile Hook hook;

  private SharedAccess() {}

  /** Sets the hook, or removes it with null. */
  public static void setHook(Hook hook) {
    SharedAccess.hook = hook;
  }

  /** Called by the instrumented classes. */
  public static void before(int site) {
    Hook current = hook;
    if (current != null) {
      current.before(site);
    }
  }
}
