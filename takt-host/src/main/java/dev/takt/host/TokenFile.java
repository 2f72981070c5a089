package dev.takt.host;

import dev.takt.client.wire.WireLimits;
import dev.takt.space.Template;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that says which token has which rights.
 *
 * <pre>
 *   # Lines belong to the client before them; a hash at the beginning is a comment.
 *   client feed
 *     token 5f0e2c8f31b94a70          16 to 256 bytes, without spaces
 *     sessions 2                      connections at once; 16 if it is not said
 *     requests 5000                   a second; 100000
 *     keys 100                        in sequences of keys, for as long as the host runs; 1024
 *     transactions 4                  of each connection; 16
 *     priority 5                      the highest one of its transactions; 0, the lowest
 *     subscriptions 8                 of each connection; 256
 *     waits 8                         timed takes and reads of each connection; 64
 *     unconfirmed 100                 events that were taken and not confirmed; 8192
 *     allow write type=order          events that have this value
 *     allow read,take type=trade account=*    a star is any value
 *     allow subscribe                 all events
 *   client admin
 *     token 8c1f6b2d9e5a47c3
 *     allow all
 * </pre>
 *
 * <p>A value is an integer, {@code true}, {@code false}, or else text; in double quotes it is text
 * in any case, without spaces. A decimal number, as JSON writes it, is refused, since it would be
 * text here and a number in an event. The file must be its owner's alone (0600), because whoever
 * reads it has all rights that are in it.
 */
public final class TokenFile {
  private static final int MIN_TOKEN_BYTES = 16;
  private static final int MAX_TOKEN_BYTES = 256;
  private static final int MAX_BYTES = 1 << 20;

  /** A number with a point or an exponent, by the grammar of JSON; integers are found before. */
  private static final String DECIMAL = "-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?";

  private final Path file;
  private final ClientLimits limits;
  private final Map<String, ClientRights> clients = new LinkedHashMap<>();
  private final Map<String, Integer> nameLines = new HashMap<>();
  private int line;

  // ---- the client whose lines are read

  private @Nullable String name;
  private int nameLine;
  private @Nullable String token;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<ClientRights.Grant> grants = new ArrayList<>();

  private TokenFile(Path file, ClientLimits limits) {
    this.file = file;
    this.limits = limits;
  }

  /**
   * Reads a file.
   *
   * @param limits for what the file does not say
   * @throws IOException if it cannot be read, others than its owner may use it, or a line is wrong,
   *     with its number; a token that stands behind its word, or alone, is never in the text
   */
  public static ClientAccounts read(Path file, ClientLimits limits) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException("%s is a folder (expected: a file with tokens)".formatted(file));
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)
        .containsAll(permissions)) {
      throw new IOException(
          "%s: others may use the tokens in it; make it private: chmod 600 %s"
              .formatted(file, file));
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("%s: bytes=%s, limit=%s".formatted(file, Files.size(file), MAX_BYTES));
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is no text in UTF-8; save it as that", e);
    }
    return ClientAccounts.of(new TokenFile(file, limits).parse(lines));
  }

  private Map<String, ClientRights> parse(List<String> lines) throws IOException {
    for (String each : lines) {
      line++;
      String text = each.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        parse(text.split("\\s+"));
      }
    }
    end();
    if (clients.isEmpty()) {
      throw wrong("no client (expected: one or more)");
    }
    return clients;
  }

  private IOException wrong(String what) {
    return new IOException("%s:%s: %s".formatted(file, line, what));
  }

  private void parse(String[] words) throws IOException {
    if (words[0].equals("client")) {
      end();
      name = one(words);
      nameLine = line;
      Integer before = nameLines.putIfAbsent(name, line);
      if (before != null) {
        throw wrong(
            "a second client %s (the first: line %s); put its lines there, or name it otherwise"
                .formatted(name, before));
      }
      return;
    }
    if (name == null) {
      throw wrong("the first line is no client (expected: client NAME)");
    }
    switch (words[0]) {
      case "token" -> setToken(one(words));
      case "allow" -> grants.add(grant(words));
      case "sessions",
          "requests",
          "keys",
          "transactions",
          "priority",
          "subscriptions",
          "waits",
          "unconfirmed" ->
          setNumber(words);
      default ->
          throw wrong(
              "unknown word %s (expected: client, token, allow, sessions, requests, keys,"
                      .formatted(shown(words[0]))
                  + " transactions, priority, subscriptions, waits or unconfirmed)");
    }
  }

  /** What may be a token is not shown. */
  private static String shown(String word) {
    return word.length() < MIN_TOKEN_BYTES ? word : "of %s characters".formatted(word.length());
  }

  private String one(String[] words) throws IOException {
    if (words.length != 2) {
      throw wrong("%s has %s words (expected: 1)".formatted(words[0], words.length - 1));
    }
    return words[1];
  }

  private void setToken(String word) throws IOException {
    int bytes = word.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < MIN_TOKEN_BYTES || bytes > MAX_TOKEN_BYTES) {
      throw wrong(
          "a token of %s bytes (expected: %s to %s); for example from: openssl rand -hex 16"
              .formatted(bytes, MIN_TOKEN_BYTES, MAX_TOKEN_BYTES));
    }
    if (token != null || clients.containsKey(word)) {
      throw wrong("a second token, or one that another client has (expected: one of its own)");
    }
    token = word;
  }

  private void setNumber(String[] words) throws IOException {
    String word = one(words);
    int min = words[0].equals("priority") ? 0 : 1;
    int max =
        switch (words[0]) {
          case "requests" -> 1_000_000_000;
          case "priority" -> ClientLimits.MOST_PRIORITY;
          default -> 0xFFFF;
        };
    int number;
    try {
      number = Integer.parseInt(word);
    } catch (NumberFormatException e) {
      number = -1;
    }
    if (number < min || number > max) {
      throw wrong("%s=%s (expected: %s to %s)".formatted(words[0], word, min, max));
    }
    if (numbers.put(words[0], number) != null) {
      throw wrong(words[0] + " is there twice");
    }
  }

  private ClientRights.Grant grant(String[] words) throws IOException {
    if (words.length < 2) {
      throw wrong("allow without rights (expected: read, write, take, subscribe, or all)");
    }
    EnumSet<ClientRights.Right> rights = EnumSet.noneOf(ClientRights.Right.class);
    for (String each : words[1].split(",", -1)) {
      if (each.equals("all")) {
        rights.addAll(EnumSet.allOf(ClientRights.Right.class));
      } else {
        rights.add(right(each));
      }
    }
    Template template = new Template();
    for (int i = 2; i < words.length; i++) {
      addValue(template, words[i]);
    }
    return new ClientRights.Grant(rights, template);
  }

  private ClientRights.Right right(String word) throws IOException {
    for (ClientRights.Right each : ClientRights.Right.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    throw wrong("no right %s (expected: read, write, take, subscribe, or all)".formatted(word));
  }

  private void addValue(Template template, String word) throws IOException {
    int at = word.indexOf('=');
    if (at < 1) {
      throw wrong("%s (expected: KEY=VALUE, or KEY=* for any value)".formatted(word));
    }
    String key = word.substring(0, at);
    if (template.has(key)) {
      throw wrong(word + ": the key is there twice");
    }
    String value = word.substring(at + 1);
    try {
      if (value.equals("*")) {
        template.add(key, null);
      } else if (value.equals("true") || value.equals("false")) {
        template.add(key, value.equals("true"));
      } else if (value.matches("-?[0-9]+")) {
        template.add(key, Long.parseLong(value));
      } else if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
        template.add(key, value.substring(1, value.length() - 1));
      } else if (value.matches(DECIMAL)) {
        throw wrong(
            "%s: a decimal number (expected: an integer, or %s=\"%s\" if it is text)"
                .formatted(word, key, value));
      } else {
        template.add(key, value);
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw wrong(word + ": " + e.getMessage());
    }
  }

  /** Keeps the client whose lines have ended. */
  private void end() throws IOException {
    if (name == null) {
      return;
    }
    if (token == null) {
      line = nameLine;
      throw wrong("client %s has no token (expected: a line token TEXT)".formatted(name));
    }
    WireLimits wire = limits.wire();
    ClientLimits own =
        new ClientLimits(
            wire.withMaxKeys(number("keys", wire.maxKeys())),
            number("transactions", limits.maxTransactions()),
            number("subscriptions", limits.maxSubscriptions()),
            number("waits", limits.maxWaits()),
            number("unconfirmed", limits.maxUnconfirmed()),
            limits.maxTransactionNs(),
            number("priority", limits.maxPriority()),
            limits.maxHeldBytes(),
            limits.maxAccountBytes());
    clients.put(
        token,
        new ClientRights(name, grants, number("requests", 100_000), number("sessions", 16), own));
    token = null;
    numbers.clear();
    grants.clear();
  }

  private int number(String word, int otherwise) {
    return numbers.getOrDefault(word, otherwise);
  }
}
