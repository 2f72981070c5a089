package dev.takt.client;

import dev.takt.client.link.Link;
import dev.takt.client.link.LinkException;
import dev.takt.client.wire.WireLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Finds hosts of this machine by their name.
 *
 * {@snippet :
 * try (RemoteSpace space = Takt.connect("trading")) {
 *   space.write(new Event("type", "order").add("id", 7));
 * }
 * }
 */
public final class Takt {
  /** In memory, and private to each user below it. */
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private static final Path SELF = Path.of("/proc/self");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

  private Takt() {}

  /**
   * Connects to a host of the caller's user.
   *
   * @param name the host's, as it was given to {@code takt host}
   * @throws IllegalArgumentException if it is no name of a host
   * @throws LinkException if there is no such host, or it refuses
   * @throws IOException if the system refuses
   */
  public static RemoteSpace connect(String name) throws IOException {
    return connect(folder(name), ClientSettings.DEFAULTS);
  }

  /** As {@link #connect(String)}, to the host that listens in a folder. */
  public static RemoteSpace connect(Path folder, ClientSettings settings) throws IOException {
    Link link = Link.connect(folder, settings.timeoutNs());
    try {
      WireLimits wire = settings.wire();
      int longest = Math.min(wire.maxMessageBytes(), link.maxRecordBytes());
      return RemoteSpace.connect(
          SharedMemoryLink.of(link, settings.spinNs()),
          "",
          wire.withMaxMessageBytes(longest),
          Thread.ofPlatform().daemon().name("takt-client-" + folder.getFileName()).factory(),
          settings.timeoutNs());
    } catch (Throwable failure) {
      link.close();
      throw failure;
    }
  }

  /**
   * Returns where a host of the caller's user listens.
   *
   * @param name of 1 to 40 letters, digits, {@code .}, {@code _} and {@code -}; begins with a
   *     letter or digit
   * @throws IllegalArgumentException if it is no such name
   * @throws IOException if this is no Linux with {@code /proc}
   */
  public static Path folder(String name) throws IOException {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name=%s (expected: 1 to 40 letters, digits, '.', '_', '-', the first one a letter or digit)"
              .formatted(name));
    }
    try {
      Object user = Files.getAttribute(SELF, "unix:uid");
      return SHARED_MEMORY.resolve("takt-" + user).resolve(name);
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      throw new LinkException("links need Linux, with " + SELF, e);
    }
  }
}
