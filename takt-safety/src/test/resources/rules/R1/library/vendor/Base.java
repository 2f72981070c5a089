package vendor;

public class Base {
  public double gain() {
    return 2.0;
  }
}
