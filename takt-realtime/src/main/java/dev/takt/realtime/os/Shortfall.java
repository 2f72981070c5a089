package dev.takt.realtime.os;

/**
 * Something that was asked of the operating system and not granted.
 *
 * @param service what: policy, slice, affinity, timer slack, memory lock, …
 * @param asked the value that was asked for
 * @param reason why not
 * @param remedy what would get it
 */
public record Shortfall(String service, String asked, String reason, String remedy) {
  @Override
  public String toString() {
    return service + " " + asked + " not granted: " + reason + "; " + remedy;
  }
}
