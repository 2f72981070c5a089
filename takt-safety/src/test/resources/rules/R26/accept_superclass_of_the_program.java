// A transient class with a superclass of the program.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Shapes extends ReflexTask {
  private double area;

  abstract static class Shape {
    private final String name;

    Shape(String name) {
      this.name = name;
    }

    abstract double area();

    boolean isNamed() {
      return !name.isEmpty();
    }
  }

  static final class Square extends Shape {
    private final double side;

    Square(double side) {
      super("square");
      this.side = side;
    }

    @Override
    double area() {
      return side * side;
    }
  }

  @Override
  public void execute() {
    Shape shape = new Square(area + 1);
    if (shape.isNamed()) {
      area = Math.sqrt(shape.area());
    }
  }
}
