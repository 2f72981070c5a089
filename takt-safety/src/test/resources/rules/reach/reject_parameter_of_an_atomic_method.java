// The shape is made by the caller of the atomic method.
// layer: both
package reach;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private double area;

  @Atomic
  public void add(Shape shape) {
    area += shape.area();
  }

  @Override
  public void execute() {
    area *= 0.5;
  }
}

sealed interface Shape permits Square {
  double area();
}

record Square(double side) implements Shape {
  @Override
  public double area() {
    System.gc(); // expect: R28 "System.gc"
    return side * side;
  }
}

class Main {
  void run(Task task) {
    task.add(new Square(2));
  }
}
