package dev.takt.samples.market;

/**
 * Walks over one line of JSON, strictly, without making objects of it.
 *
 * <p>A caller asks for what it expects next and gets a {@link Malformed} if something else is
 * there. Strings are left where they are, as the range {@link #tokenStart} to {@link #tokenEnd};
 * their escapes are checked, not resolved.
 *
 * <p><b>Thread rule:</b> not thread-safe. Allocates nothing but its errors.
 */
final class JsonCursor {
  /** How deep objects and arrays can lie in one another; a bit of a long each. */
  static final int MAX_DEPTH = 60;

  int tokenStart;
  int tokenEnd;

  private byte[] bytes;
  private int lineStart;
  private int at;
  private int end;

  void reset(byte[] bytes, int lineStart, int from, int to) {
    this.bytes = bytes;
    this.lineStart = lineStart;
    at = from;
    end = to;
  }

  /** Skips white space; returns the byte there without consuming it, -1 at the end. */
  int peek() {
    while (at < end) {
      byte b = bytes[at];
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return b;
      }
      at++;
    }
    return -1;
  }

  private int next() {
    int b = peek();
    if (b != -1) {
      at++;
    }
    return b;
  }

  void expect(char expected) throws Malformed {
    int b = next();
    if (b != expected) {
      at -= b == -1 ? 0 : 1;
      throw unexpected("'" + expected + "'");
    }
  }

  void expectEnd() throws Malformed {
    if (peek() != -1) {
      throw unexpected("the end of the line");
    }
  }

  /** After a member of an object: true if another follows, false if the object ends here. */
  boolean moreMembers() throws Malformed {
    return more('}');
  }

  private boolean more(char end) throws Malformed {
    int b = next();
    if (b != ',' && b != end) {
      at -= b == -1 ? 0 : 1;
      throw unexpected("',' or '" + end + "'");
    }
    return b == ',';
  }

  /** Consumes a string and the colon behind it. */
  void key() throws Malformed {
    string();
    expect(':');
  }

  /** Consumes a string; its content is from {@link #tokenStart} to {@link #tokenEnd}. */
  void string() throws Malformed {
    expect('"');
    stringBody();
  }

  private void stringBody() throws Malformed {
    byte[] bytes = this.bytes;
    int p = at;
    tokenStart = p;
    while (p < end) {
      byte b = bytes[p++];
      if (b == '"') {
        tokenEnd = p - 1;
        at = p;
        return;
      }
      if (b == '\\') {
        p = escape(p);
      } else if (b >= 0 && b < 0x20) {
        at = p - 1;
        throw unexpected("no control character in a string");
      }
    }
    at = end;
    throw unexpected("'\"'");
  }

  private int escape(int p) throws Malformed {
    at = p;
    int b = p < end ? bytes[p] : -1;
    if (b == 'u') {
      for (int i = 1; i <= 4; i++) {
        if (p + i >= end || Character.digit(bytes[p + i], 16) < 0) {
          throw unexpected("four hexadecimal digits");
        }
      }
      return p + 5;
    }
    if (b == -1 || "\"\\/bfnrt".indexOf(b) < 0) {
      throw unexpected("an escape");
    }
    return p + 1;
  }

  /** Whether the last string is this one. */
  boolean tokenIs(String text) {
    return Text.is(text, bytes, tokenStart, tokenEnd);
  }

  /** The last string if it is a single byte, otherwise 0. */
  int tokenByte() {
    return tokenEnd - tokenStart == 1 ? bytes[tokenStart] : 0;
  }

  /** Consumes any value. */
  void skipValue() throws Malformed {
    int depth = 0;
    long objects = 0;
    do {
      int b = next();
      if (b == '{' || b == '[') {
        boolean object = b == '{';
        if (peek() != (object ? '}' : ']')) {
          if (++depth > MAX_DEPTH) {
            throw unexpected("at most " + MAX_DEPTH + " levels");
          }
          objects = objects << 1 | (object ? 1 : 0);
          if (object) {
            key();
          }
          continue;
        }
        at++;
      } else {
        scalar(b);
      }
      while (depth > 0) {
        boolean object = (objects & 1) != 0;
        if (more(object ? '}' : ']')) {
          if (object) {
            key();
          }
          break;
        }
        objects >>>= 1;
        depth--;
      }
    } while (depth > 0);
  }

  private void scalar(int first) throws Malformed {
    switch (first) {
      case '"' -> stringBody();
      case 't' -> literal("rue");
      case 'f' -> literal("alse");
      case 'n' -> literal("ull");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(first);
      default -> {
        at -= first == -1 ? 0 : 1;
        throw unexpected("a value");
      }
    }
  }

  private void literal(String rest) throws Malformed {
    for (int i = 0; i < rest.length(); i++, at++) {
      if (at >= end || bytes[at] != rest.charAt(i)) {
        throw unexpected("'" + rest.charAt(i) + "'");
      }
    }
  }

  private void number(int first) throws Malformed {
    if (first == '-') {
      at++;
      first = at <= end ? bytes[at - 1] : -1;
      if (!Decimals.isDigit(first)) {
        at--;
        throw unexpected("a digit");
      }
    }
    if (first != '0') {
      at = Decimals.endOfDigits(bytes, at, end);
    }
    if (at < end && bytes[at] == '.') {
      at++;
      digits();
    }
    if (at < end && (bytes[at] | 0x20) == 'e') {
      at++;
      if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
        at++;
      }
      digits();
    }
  }

  private void digits() throws Malformed {
    int first = at;
    at = Decimals.endOfDigits(bytes, at, end);
    if (at == first) {
      throw unexpected("a digit");
    }
  }

  private Malformed unexpected(String expected) {
    String found = at < end ? Text.quote(bytes[at]) : "the end of the line";
    return new Malformed(
        "column " + (at - lineStart + 1) + ": found " + found + " (expected: " + expected + ")");
  }
}
