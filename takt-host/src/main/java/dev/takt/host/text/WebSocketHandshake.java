package dev.takt.host.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request of HTTP by which a WebSocket begins, and the answer to it.
 *
 * <p>A browser says in {@code Origin} from where the page has come that connects. Pages of other
 * hosts are refused: else each page that a user looks at could use a space of the user's machine.
 *
 * <p>Source: RFC 6455, section 4.2.
 */
final class WebSocketHandshake {
  private static final int MAX_BYTES = 8_192;
  private static final int MAX_HEADERS = 64;
  private static final int KEY_BYTES = 16;
  private static final String VERSION = "13";
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern REQUEST = Pattern.compile("GET /[!-~]* HTTP/1\\.1");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]");

  /** Those that may come only once. */
  private static final Set<String> SINGLE =
      Set.of("host", "origin", "sec-websocket-key", "sec-websocket-version");

  private final Map<String, String> headers = new HashMap<>();

  private WebSocketHandshake() {}

  /** A request that is not granted, with what is answered. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;
    private final String status;

    RefusedException(String status, String message) {
      super(message);
      this.status = status;
    }
  }

  private static RefusedException bad(String message) {
    return new RefusedException("400 Bad Request", message);
  }

  /**
   * Reads the request and answers it.
   *
   * @param origins which are allowed beside those of this machine, as a browser writes them
   * @throws IOException if it is not granted, which the client has been told
   */
  static void accept(InputStream in, OutputStream out, List<String> origins) throws IOException {
    try {
      String key = new WebSocketHandshake().check(read(in), origins);
      String answer =
          """
          HTTP/1.1 101 Switching Protocols
          Upgrade: websocket
          Connection: Upgrade
          Sec-WebSocket-Accept: %s

          """
              .formatted(accepting(key));
      write(out, answer, "");
    } catch (RefusedException refused) {
      String text = refused.getMessage() + "\n";
      String answer =
          """
          HTTP/1.1 %s
          Connection: close
          Upgrade: websocket
          Sec-WebSocket-Version: %s
          Content-Type: text/plain; charset=utf-8
          Content-Length: %d

          """
              .formatted(refused.status, VERSION, text.length());
      write(out, answer, text);
      throw refused;
    }
  }

  private static void write(OutputStream out, String head, String body) throws IOException {
    out.write((head.replace("\n", "\r\n") + body).getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /** Returns the lines of the request. */
  private static String[] read(InputStream in) throws IOException {
    byte[] bytes = new byte[512];
    int count = 0;
    while (!endsWithEmptyLine(bytes, count)) {
      if (count == MAX_BYTES) {
        throw new RefusedException(
            "431 Request Header Fields Too Large", "limit: " + MAX_BYTES + " bytes of headers");
      }
      if (count == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * count);
      }
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the client has left before its request was whole");
      }
      bytes[count++] = (byte) next;
    }
    return new String(bytes, 0, count - 4, StandardCharsets.ISO_8859_1).split("\r\n", -1);
  }

  private static boolean endsWithEmptyLine(byte[] bytes, int count) {
    return count >= 4
        && bytes[count - 1] == '\n'
        && bytes[count - 2] == '\r'
        && bytes[count - 3] == '\n'
        && bytes[count - 4] == '\r';
  }

  /** Returns the key of a request that is granted. */
  private String check(String[] lines, List<String> origins) throws RefusedException {
    if (!REQUEST.matcher(lines[0]).matches()) {
      throw bad("this is a WebSocket: the request begins with GET / HTTP/1.1");
    }
    if (lines.length - 1 > MAX_HEADERS) {
      throw new RefusedException(
          "431 Request Header Fields Too Large", "limit: " + MAX_HEADERS + " headers");
    }
    for (int i = 1; i < lines.length; i++) {
      add(lines[i]);
    }
    if (!has("upgrade", "websocket") || !has("connection", "upgrade")) {
      throw new RefusedException("426 Upgrade Required", "this is a WebSocket");
    }
    if (!VERSION.equals(headers.get("sec-websocket-version"))) {
      throw new RefusedException("426 Upgrade Required", "expected: version " + VERSION);
    }
    if (headers.getOrDefault("host", "").isEmpty()) {
      throw bad("the header Host is missing");
    }
    requireOrigin(headers.get("origin"), origins);
    return key();
  }

  private void add(String line) throws RefusedException {
    int colon = line.indexOf(':');
    if (colon < 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
      throw bad("a header is not of the form NAME: VALUE");
    }
    String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
    String value = line.substring(colon + 1).strip();
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' && value.charAt(i) != '\t') {
        throw bad("a header has a control character");
      }
    }
    if (headers.merge(name, value, (a, b) -> a + "," + b) != value && SINGLE.contains(name)) {
      throw bad("a header is there twice");
    }
  }

  /** Returns whether a header with a list has a word. */
  private boolean has(String name, String word) {
    return Arrays.stream(headers.getOrDefault(name, "").split(","))
        .anyMatch(each -> each.strip().equalsIgnoreCase(word));
  }

  private static void requireOrigin(@Nullable String origin, List<String> origins)
      throws RefusedException {
    if (origin == null || origins.contains(origin)) {
      return;
    }
    try {
      String host = URI.create(origin).getHost();
      if (host != null && LOOPBACK.matcher(host).matches()) {
        return;
      }
    } catch (IllegalArgumentException _) {
      // no address is not that of this machine
    }
    throw new RefusedException(
        "403 Forbidden",
        "pages of this origin are not let in; who starts the host allows one by --origin");
  }

  private String key() throws RefusedException {
    String key = headers.getOrDefault("sec-websocket-key", "");
    try {
      if (Base64.getDecoder().decode(key).length == KEY_BYTES) {
        return key;
      }
    } catch (IllegalArgumentException _) {
      // as one that is too short
    }
    throw bad("Sec-WebSocket-Key is not 16 bytes in base 64");
  }

  private static String accepting(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JVM has SHA-1", e);
    }
  }
}
