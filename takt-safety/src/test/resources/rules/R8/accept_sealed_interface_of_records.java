// A sealed interface is reference-immutable if all its records are.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Reactor extends ReflexTask {
  private final Recipe recipe;
  private double heat;

  sealed interface Recipe permits Slow, Fast {}

  record Slow(double rate) implements Recipe {}

  record Fast(double rate, String warning) implements Recipe {}

  Reactor(Recipe recipe) {
    this.recipe = recipe;
  }

  @Override
  public void execute() {
    heat +=
        switch (recipe) {
          case Slow slow -> slow.rate();
          case Fast fast -> fast.rate() * 2;
        };
  }
}
