package dev.takt.host.text;

import java.io.IOException;

/** What a client by WebSocket has sent is not allowed. */
final class WebSocketException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Of RFC 6455, section 7.4.1. */
  static final int PROTOCOL_ERROR = 1002;

  static final int NOT_TEXT = 1003;
  static final int NOT_UTF_8 = 1007;
  static final int TOO_LARGE = 1009;

  /** Of the registry that section 11.7 has begun. */
  static final int TRY_AGAIN_LATER = 1013;

  private final int code;

  WebSocketException(int code, String message) {
    super(message);
    this.code = code;
  }

  static WebSocketException protocolError(String message) {
    return new WebSocketException(PROTOCOL_ERROR, message);
  }

  /** Returns why the connection is closed, as a close frame says it. */
  int code() {
    return code;
  }
}
