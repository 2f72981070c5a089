package vendor;

public final class Codec {
  private Codec() {}

  public static long decode(long raw) {
    return raw >>> 1;
  }
}
