package vendor;

public class Feed {
  public double latest() {
    return 1.0;
  }
}
