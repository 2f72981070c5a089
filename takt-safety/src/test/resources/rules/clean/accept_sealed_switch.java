// A sealed hierarchy taken apart by a pattern switch.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Commands extends ReflexTask {
  private double speed;
  private int ticks;

  sealed interface Command {
    record Start(double speed) implements Command {}

    record Stop() implements Command {}

    record Adjust(double by, Limit limit) implements Command {}
  }

  record Limit(double low, double high) {}

  private Command next() {
    return switch (ticks++ % 3) {
      case 0 -> new Command.Start(1);
      case 1 -> new Command.Adjust(0.5, new Limit(0, 10));
      default -> new Command.Stop();
    };
  }

  @Override
  public void execute() {
    speed =
        switch (next()) {
          case Command.Start(double initial) -> initial;
          case Command.Stop ignored -> 0;
          case Command.Adjust(double by, Limit(double low, double high)) ->
              Math.clamp(speed + by, low, high);
        };
  }
}
