package dev.takt.stress;

import dev.takt.testkit.FaultLoader;

/** The shipped space, loaded once more. */
final class Loaders {
  private static final String SPACES = RealSpaces.class.getName();

  private Loaders() {}

  /** Returns a loader of the space with a hook before each access to shared memory. */
  static FaultLoader withHooks() {
    return withFault(null);
  }

  /** Returns a loader of the space with hooks and one deliberate fault. */
  static FaultLoader withFault(FaultLoader.Fault fault) {
    return new FaultLoader(
        name -> name.startsWith("dev.takt.space.") || name.startsWith(SPACES), true, fault);
  }

  static SpacePort.Factory spaces(FaultLoader loader) {
    return loader.newInstance(SPACES, SpacePort.Factory.class);
  }
}
