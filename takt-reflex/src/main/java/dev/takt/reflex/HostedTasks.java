package dev.takt.reflex;

/**
 * The tasks of an application, for a process that others make: {@code takt host} finds it in a jar
 * as a service, that is by a file {@code META-INF/services/dev.takt.reflex.HostedTasks} with the
 * name of the class.
 *
 * <p><b>Thread rule:</b> called once, on one thread, before the runtime starts.
 *
 * {@snippet :
 * public final class Trading implements HostedTasks {
 *   @Override
 *   public void register(ReflexRuntime runtime) {
 *     runtime.passive("buyer", new StockBuyer(), 10);
 *   }
 * }
 * }
 */
@FunctionalInterface
public interface HostedTasks {
  /**
   * Registers the tasks, whose names differ from those of all other applications of the runtime.
   * Starting and ending the runtime is the business of who calls this.
   */
  void register(ReflexRuntime runtime);
}
