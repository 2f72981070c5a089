package dev.takt.host.text;

import dev.takt.client.wire.WireLimits;
import java.util.regex.Pattern;

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
      int at = text.lastIndexOf(HTTP);
      return at > 0 && VERSION.matcher(text).region(at + HTTP.length(), text.length()).matches();
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

  /**
   * Before the version, the last word of the first line of a request, which no browser leaves out.
   * The method before it may be any word, also one of ours, if the page is from a host whose name
   * stands for this machine. A line that can be done ends in a brace or in another word.
   */
  private static final String HTTP = " HTTP/";

  private static final Pattern VERSION = Pattern.compile("[0-9](\\.[0-9])?");

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
