package dev.takt.reflex;

import dev.takt.reflex.memory.StopSites;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Ends releases that do not end by themselves: the loops of their woven classes are made to ask
 * whether they are to stop.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class Runaways {
  private Runaways() {}

  /**
   * Asks the running releases of some tasks to end.
   *
   * @param flipped the classes that ask already; those that ask from now on are added. They are to
   *     be {@linkplain StopSites#rearm rearmed} later
   * @return whether there is a task; its release may only be about to begin, so come again
   */
  static boolean end(Collection<? extends TaskRunner> runners, Set<Class<?>> flipped) {
    Set<Class<?>> classes = new LinkedHashSet<>();
    for (TaskRunner runner : runners) {
      TaskState state = runner.state;
      state.memory().requestStop();
      if (state.memory().isEntered()) {
        classes.addAll(state.classes());
      }
    }
    classes.removeAll(flipped);
    StopSites.flip(classes);
    flipped.addAll(classes);
    return !runners.isEmpty();
  }
}
