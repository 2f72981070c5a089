package dev.takt.host.listen;

import dev.takt.host.ClientLimits;
import dev.takt.host.TcpLimits;
import dev.takt.host.TokenFile;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a host listens, and for whom.
 *
 * @param addresses {@code SCHEME://HOST:PORT}; port 0 for a free one. Schemes are {@code tcp} and
 *     {@code tls} for clients of the binary format, {@code lines} and {@code lines+tls}, {@code ws}
 *     and {@code wss}. Those that other machines can reach need TLS and tokens
 * @param keyStore a PKCS#12 file with the key of the host and its certificate, or null for no TLS
 * @param password of that file
 * @param tokens a {@link TokenFile}, or null: everybody may do everything
 * @param limits what each connection may have
 * @param tcp what all connections may have, for each address
 * @param origins of pages that may connect by WebSocket from a browser, beside those of this
 *     machine, as a browser writes them: {@code https://example.org}, or {@code null} for pages
 *     that are files
 */
public record ListenSettings(
    List<URI> addresses,
    @Nullable Path keyStore,
    char[] password,
    @Nullable Path tokens,
    ClientLimits limits,
    TcpLimits tcp,
    List<String> origins) {
  private static final Set<String> SCHEMES =
      Set.of("tcp", "tls", "lines", "lines+tls", "ws", "wss");

  /** As the serialization of RFC 6454, section 6.1: lower case, and nothing behind the port. */
  private static final Pattern ORIGIN =
      Pattern.compile("null|[a-z][a-z0-9+.-]*://[^/?#@\\s\\p{Lu}]+");

  /**
   * Checks the addresses and the origins.
   *
   * @throws IllegalArgumentException if one is none
   */
  public ListenSettings {
    addresses = List.copyOf(addresses);
    origins = List.copyOf(origins);
    for (String each : origins) {
      if (!ORIGIN.matcher(each).matches()) {
        throw new IllegalArgumentException(
            "origin=%s (expected: SCHEME://HOST or SCHEME://HOST:PORT in lower case, as a browser"
                    .formatted(each)
                + " writes it, such as https://example.org, or null for pages that are files)");
      }
    }
    for (URI each : addresses) {
      boolean isKnown = each.getScheme() != null && SCHEMES.contains(each.getScheme());
      if (each.getPort() > 0xFFFF) {
        throw new IllegalArgumentException(
            "%s: port=%s (expected: 0 to 65535)".formatted(each, each.getPort()));
      }
      if (!isKnown || each.getHost() == null || each.getPort() < 0) {
        throw new IllegalArgumentException(
            each
                + " is no address (expected: tcp://HOST:PORT, or tls, lines, lines+tls, ws or wss"
                + " in place of tcp)");
      }
    }
  }

  /** Returns an address with another port, and nothing behind it. */
  public static URI withPort(URI address, int port) {
    return URI.create("%s://%s:%s".formatted(address.getScheme(), address.getHost(), port));
  }

  /** Returns settings for addresses within the machine. */
  public static ListenSettings at(List<URI> addresses) {
    return new ListenSettings(
        addresses, null, new char[0], null, ClientLimits.DEFAULTS, TcpLimits.DEFAULTS, List.of());
  }

  /** Returns these settings with the key of the host. */
  public ListenSettings withTls(@Nullable Path newKeyStore, char[] newPassword) {
    return new ListenSettings(addresses, newKeyStore, newPassword, tokens, limits, tcp, origins);
  }

  /** Returns these settings with a token file. */
  public ListenSettings withTokens(@Nullable Path newTokens) {
    return new ListenSettings(addresses, keyStore, password, newTokens, limits, tcp, origins);
  }

  /** Returns these settings with other limits for each connection. */
  public ListenSettings withLimits(ClientLimits newLimits) {
    return new ListenSettings(addresses, keyStore, password, tokens, newLimits, tcp, origins);
  }

  /** Returns these settings with origins that are allowed beside those of this machine. */
  public ListenSettings withOrigins(List<String> newOrigins) {
    return new ListenSettings(addresses, keyStore, password, tokens, limits, tcp, newOrigins);
  }
}
