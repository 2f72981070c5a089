package vendor;

public final class Retry {
  private Retry() {}

  public static int times(Runnable step, int times) {
    int failures = 0;
    for (int i = 0; i < times; i++) {
      try {
        step.run();
      } catch (Throwable t) {
        failures++;
      }
    }
    return failures;
  }
}
