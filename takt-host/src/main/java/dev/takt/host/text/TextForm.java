package dev.takt.host.text;

import dev.takt.client.wire.WireLimits;

/** How requests and answers are written. */
public enum TextForm {
  /** A request is a line, which can be typed by hand. */
  LINES {
    @Override
    TextArguments arguments() {
      return new LineArguments();
    }

    @Override
    TextAnswers answers(WireLimits limits) {
      return new LineAnswers(limits);
    }
  },
  /** A request is an object of JSON. */
  JSON {
    @Override
    TextArguments arguments() {
      return new JsonArguments();
    }

    @Override
    TextAnswers answers(WireLimits limits) {
      return new JsonAnswers(limits);
    }
  };

  abstract TextArguments arguments();

  abstract TextAnswers answers(WireLimits limits);
}
