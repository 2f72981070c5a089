// A lambda inside a lambda inside an anonymous class.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    Supplier<IntSupplier> outer =
        new Supplier<>() {
          @Override
          public IntSupplier get() {
            return () -> {
              System.gc(); // expect: R28 "System.gc"
              return 3;
            };
          }
        };
    x += outer.get().getAsInt();
  }
}
