package dev.takt.client.link;

/**
 * What a host gives its clients.
 *
 * @param ringBytes the capacity of each of a link's two rings: a power of two from 1 KiB to 1 GiB;
 *     a link takes twice that and some 5 KB of the folder's file system, at once
 * @param maxRecordBytes the longest record, at most half of a ring, less 4 bytes
 * @param maxLinks how many links there may be at once
 * @param helloNs how long a client may take to introduce itself, in nanoseconds
 */
public record LinkSettings(int ringBytes, int maxRecordBytes, int maxLinks, long helloNs) {
  /** Rings of 1 MiB, records of 64 KiB, 64 links, 10 s. */
  public static final LinkSettings DEFAULTS =
      new LinkSettings(1 << 20, 1 << 16, 64, 10_000_000_000L);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException with name, value and limit
   */
  public LinkSettings {
    RingLayout.check(ringBytes, maxRecordBytes);
    if (maxLinks < 1 || helloNs < 1) {
      throw new IllegalArgumentException(
          "maxLinks is " + maxLinks + " and helloNs " + helloNs + "; both have to be 1 at least");
    }
  }

  /** Returns settings with rings and records of that size in bytes. */
  public LinkSettings withSizes(int ringBytes, int maxRecordBytes) {
    return new LinkSettings(ringBytes, maxRecordBytes, maxLinks, helloNs);
  }

  /** Returns settings with that many links. */
  public LinkSettings withMaxLinks(int maxLinks) {
    return new LinkSettings(ringBytes, maxRecordBytes, maxLinks, helloNs);
  }

  /** Returns settings with that time for the introduction. */
  public LinkSettings withHelloNs(long helloNs) {
    return new LinkSettings(ringBytes, maxRecordBytes, maxLinks, helloNs);
  }
}
