package dev.takt.host.text;

import dev.takt.client.wire.WireLimits;
import java.util.List;

/** Answers as lines. */
final class LineAnswers extends TextAnswers {
  LineAnswers(WireLimits limits) {
    super(limits);
  }

  private static String prefix(long request) {
    return request == TextRequests.UNNUMBERED ? "" : "#" + request + " ";
  }

  @Override
  String done(long request) {
    return prefix(request) + "ok";
  }

  @Override
  String number(long request, long number) {
    return prefix(request) + "ok " + number;
  }

  @Override
  String found(long request, String event) {
    return prefix(request) + "ok " + event;
  }

  @Override
  String none(long request) {
    return prefix(request) + "none";
  }

  @Override
  String part(long request, String event) {
    return prefix(request) + "event " + event;
  }

  @Override
  String limits(long request, String limits) {
    return prefix(request) + "ok " + limits;
  }

  @Override
  List<String> help(long request) {
    return LineHelp.LINES.stream().map(each -> prefix(request) + each).toList();
  }

  @Override
  String refused(long request, String code, String text) {
    return prefix(request) + "error " + code + " " + text;
  }

  @Override
  String match(long subscription) {
    return "match " + subscription;
  }
}
