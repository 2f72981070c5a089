// A lambda captures the caller's record.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import java.util.function.DoubleSupplier;

class Doser extends ReflexTask {
  private double grams;

  record Recipe(double grams, String name) {}

  @Atomic
  public void recipe(Recipe recipe) {
    DoubleSupplier supplier = () -> recipe.grams(); // expect: R18 "recipe"
    grams = supplier.getAsDouble();
  }

  @Override
  public void execute() {
    grams -= 0.1;
  }
}
