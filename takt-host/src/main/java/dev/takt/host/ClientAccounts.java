package dev.takt.host;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a host knows by their tokens.
 *
 * <p><b>Guarantees:</b> how long it takes to look for a token says nothing of those that are known:
 * digests are compared, all of them, each in constant time. The tokens themselves are not kept.
 *
 * <p><b>Thread rule:</b> any thread.
 */
public final class ClientAccounts {
  private record Entry(byte[] digest, ClientAccount account) {}

  private final List<Entry> entries;
  private final boolean wantsToken;

  private ClientAccounts(List<Entry> entries, boolean wantsToken) {
    this.entries = entries;
    this.wantsToken = wantsToken;
  }

  /** Returns accounts where everybody is the same client, without a token. */
  public static ClientAccounts open(ClientRights rights) {
    return new ClientAccounts(List.of(new Entry(digest(""), new ClientAccount(rights))), false);
  }

  /**
   * Returns accounts for tokens. Of {@link ClientLimits#maxAccountBytes} each has an equal part.
   *
   * @param byToken what each token stands for, none of which is empty
   */
  public static ClientAccounts of(Map<String, ClientRights> byToken) {
    return new ClientAccounts(
        new LinkedHashMap<>(byToken)
            .entrySet().stream()
                .map(each -> entry(each.getKey(), each.getValue(), byToken.size()))
                .toList(),
        true);
  }

  private static Entry entry(String token, ClientRights rights, int accounts) {
    return new Entry(digest(token), new ClientAccount(rights, accounts));
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JVM has SHA-256", e);
    }
  }

  /** Returns what they have and have done, all together; not of one moment. */
  public AccountStats stats() {
    int sessions = 0;
    long requests = 0;
    long delayed = 0;
    long heldBytes = 0;
    long maxHeldBytes = 0;
    double fullest = 0;
    for (Entry each : entries) {
      ClientAccount account = each.account;
      HeldBytes held = account.held();
      sessions += account.sessions();
      requests += account.requests();
      delayed += account.delayed();
      heldBytes += held.bytes();
      maxHeldBytes += held.limit();
      fullest = Math.max(fullest, (double) held.bytes() / Math.max(1, held.limit()));
    }
    return new AccountStats(
        sessions, requests, delayed, heldBytes, maxHeldBytes, Math.round(1e6 * fullest));
  }

  /** Returns whether clients need a token. */
  public boolean wantsToken() {
    return wantsToken;
  }

  /**
   * Checks that an address lets nobody in who is not known: other machines need tokens, and TLS so
   * that nobody hears them.
   *
   * @throws IllegalArgumentException if it does, or no machine has its name
   */
  public void requireSafe(InetSocketAddress address, boolean isTls) {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("no machine has the name " + address.getHostString());
    }
    if (!address.getAddress().isLoopbackAddress() && (!isTls || !wantsToken)) {
      throw new IllegalArgumentException(
          "other machines can reach %s: clients need %s there; or listen at 127.0.0.1"
              .formatted(address, isTls ? "tokens" : "TLS and tokens"));
    }
  }

  /**
   * Returns the client of a token.
   *
   * @throws SecurityException if there is none
   */
  public ClientAccount find(String token) {
    byte[] digest = digest(token);
    @Nullable ClientAccount found = null;
    for (Entry each : entries) {
      if (MessageDigest.isEqual(digest, each.digest)) {
        found = each.account;
      }
    }
    if (found == null) {
      throw new SecurityException(
          wantsToken
              ? "the token is not known here; is it in the file of --tokens?"
              : "a token was given, and none is known here; connect without one, or start the host"
                  + " with --tokens FILE");
    }
    return found;
  }
}
