package dev.takt.host;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a host listens, and for whom.
 *
 * @param addresses {@code tcp://HOST:PORT} or {@code tls://HOST:PORT}; port 0 for a free one. Those
 *     that other machines can reach need TLS and tokens
 * @param keyStore a PKCS#12 file with the key of the host and its certificate, or null for no TLS
 * @param password of that file
 * @param tokens a {@link TokenFile}, or null: everybody may do everything
 * @param limits what each connection may have
 * @param tcp what all connections by TCP may have, for each address
 */
public record ListenSettings(
    List<URI> addresses,
    @Nullable Path keyStore,
    char[] password,
    @Nullable Path tokens,
    ClientLimits limits,
    TcpLimits tcp) {
  /**
   * Checks the addresses.
   *
   * @throws IllegalArgumentException if one is no such address
   */
  public ListenSettings {
    addresses = List.copyOf(addresses);
    for (URI each : addresses) {
      boolean isKnown = "tcp".equals(each.getScheme()) || "tls".equals(each.getScheme());
      if (!isKnown || each.getHost() == null || each.getPort() < 0 || each.getPort() > 0xFFFF) {
        throw new IllegalArgumentException(
            each + " is no address (expected: tcp://HOST:PORT or tls://HOST:PORT)");
      }
    }
  }

  /** Returns settings for addresses within the machine. */
  public static ListenSettings at(List<URI> addresses) {
    return new ListenSettings(
        addresses, null, new char[0], null, ClientLimits.DEFAULTS, TcpLimits.DEFAULTS);
  }

  /** Returns these settings with the key of the host. */
  public ListenSettings withTls(@Nullable Path newKeyStore, char[] newPassword) {
    return new ListenSettings(addresses, newKeyStore, newPassword, tokens, limits, tcp);
  }

  /** Returns these settings with a token file. */
  public ListenSettings withTokens(@Nullable Path newTokens) {
    return new ListenSettings(addresses, keyStore, password, newTokens, limits, tcp);
  }
}
