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

    @Override
    boolean isHttp(String text) {
      int version = text.lastIndexOf(HTTP);
      return version > 0 && text.length() - version <= HTTP.length() + 3;
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

  /** Before the version at the end of the first line of a request, which no browser leaves out. */
  private static final String HTTP = " HTTP/";

  abstract TextArguments arguments();

  abstract TextAnswers answers(WireLimits limits);

  /**
   * Returns whether a text begins a request of HTTP. Each page that a browser shows can send one to
   * any address of the machine, with lines behind it that the page has chosen: they must not be
   * read.
   */
  boolean isHttp(String text) {
    return false;
  }
}
