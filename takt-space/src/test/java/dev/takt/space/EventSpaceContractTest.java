package dev.takt.space;

/** The space in the process does what every space does. */
class EventSpaceContractTest extends SpaceContract {
  private EventSpace space;

  @Override
  protected Space space(SpaceSettings settings) {
    if (space == null) {
      space = EventSpace.create(settings);
    }
    return space;
  }
}
