package vendor;

public class Shield {
  public boolean held(java.util.function.BooleanSupplier check) {
    try {
      return check.getAsBoolean();
    } catch (Error e) {
      return false;
    }
  }
}
