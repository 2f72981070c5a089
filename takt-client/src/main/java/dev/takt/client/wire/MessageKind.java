package dev.takt.client.wire;

import org.jspecify.annotations.Nullable;

/** What a message is; see the page of the package. */
public enum MessageKind {
  /** The first message of a client. */
  HELLO,
  /** The host's answer to it. */
  WELCOME,
  /** Asks for an operation. */
  REQUEST,
  /** What came of a request; its end. */
  ANSWER,
  /** The beginning of an answer that does not fit into one message. */
  PART,
  /** Says why a request was not done; its end. */
  REFUSAL,
  /** There may be a match of a subscription. */
  NOTICE,
  /** Confirms that what was taken by a request has come. */
  RECEIVED;

  private static final MessageKind[] ALL = values();

  /** Returns the code in a message. */
  int code() {
    return ordinal() + 1;
  }

  static @Nullable MessageKind of(int code) {
    return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
  }
}
