package dev.takt.client;

import dev.takt.client.link.Link;
import dev.takt.client.link.LinkException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds hosts: of this machine by their name, others by their address.
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
    return connect(name, ClientSettings.DEFAULTS);
  }

  /** As {@link #connect(String)}, with other settings than {@link ClientSettings#DEFAULTS}. */
  public static RemoteSpace connect(String name, ClientSettings settings) throws IOException {
    return connect(folder(name), settings);
  }

  /** As {@link #connect(String)}, to the host that listens in a folder. */
  public static RemoteSpace connect(Path folder, ClientSettings settings) throws IOException {
    return connect(links(folder, settings), "", settings, String.valueOf(folder.getFileName()));
  }

  /** Returns what makes links by shared memory to the host that listens in a folder. */
  public static LinkSource links(Path folder, ClientSettings settings) {
    WaitingLinkSource links =
        (timeoutNs, isGivenUp) ->
            SharedMemoryLink.of(Link.connect(folder, timeoutNs, isGivenUp), settings.spinNs());
    return links;
  }

  private static RemoteSpace connect(
      LinkSource links, String token, ClientSettings settings, String host) throws IOException {
    ThreadFactory threads = Thread.ofPlatform().daemon().name("takt-client-" + host).factory();
    return RemoteSpace.connect(links, UUID.randomUUID(), token, settings, threads);
  }

  /**
   * Connects to a host by TCP.
   *
   * @param address where it listens
   * @param tls whom to trust: the host's certificate must name the host of the address. Null:
   *     without TLS, which hosts allow within a machine only
   * @param token who this client is, at most 256 bytes in UTF-8; empty if the host wants none
   * @throws IOException if there is no such host, it refuses, or TLS is not agreed upon
   */
  public static RemoteSpace connect(
      InetSocketAddress address, @Nullable SSLContext tls, String token, ClientSettings settings)
      throws IOException {
    return connect(links(address, tls, settings), token, settings, address.toString());
  }

  static LinkSource links(
      InetSocketAddress address, @Nullable SSLContext tls, ClientSettings settings) {
    WaitingLinkSource links =
        (timeoutNs, isGivenUp) ->
            TcpLink.connect(address, tls, settings.withTimeoutNs(timeoutNs), isGivenUp);
    return links;
  }

  /**
   * Connects to a host by TCP.
   *
   * @param uri {@code tcp://HOST:PORT}, or {@code tls://HOST:PORT} to trust whom the JVM trusts
   * @throws IllegalArgumentException if it is no such URI
   * @throws IOException as {@link #connect(InetSocketAddress, SSLContext, String, ClientSettings)}
   */
  public static RemoteSpace connect(URI uri, String token, ClientSettings settings)
      throws IOException {
    boolean isTls = "tls".equals(uri.getScheme());
    if ((!isTls && !"tcp".equals(uri.getScheme())) || uri.getHost() == null || uri.getPort() < 0) {
      throw new IllegalArgumentException(
          "uri=" + uri + " (expected: tcp://HOST:PORT or tls://HOST:PORT)");
    }
    String host = uri.getHost().replaceAll("[\\[\\]]", ""); // around an address of IPv6
    try {
      SSLContext tls = isTls ? SSLContext.getDefault() : null;
      return connect(new InetSocketAddress(host, uri.getPort()), tls, token, settings);
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("the JVM has no TLS", e);
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
