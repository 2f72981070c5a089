package dev.takt.host.text;

import dev.takt.client.json.JsonWriter;
import dev.takt.client.wire.WireLimits;
import java.util.List;

/** Answers as objects of JSON. */
final class JsonAnswers extends TextAnswers {
  JsonAnswers(WireLimits limits) {
    super(limits);
  }

  private static String object(long request, String members) {
    String id = request == TextRequests.UNNUMBERED ? "" : "\"id\":" + request + ",";
    return "{" + id + members + "}";
  }

  @Override
  String done(long request) {
    return object(request, "\"ok\":true");
  }

  @Override
  String number(long request, long number) {
    return object(request, "\"ok\":true,\"number\":" + number);
  }

  @Override
  String found(long request, String event) {
    return object(request, "\"ok\":true,\"event\":" + event);
  }

  @Override
  String none(long request) {
    return object(request, "\"ok\":false");
  }

  @Override
  String part(long request, String event) {
    return object(request, "\"event\":" + event);
  }

  @Override
  String limits(long request, String limits) {
    return object(request, "\"ok\":true,\"limits\":" + limits);
  }

  @Override
  List<String> help(long request) {
    return List.of(object(request, "\"ok\":true,\"help\":\"docs/protocol.md\""));
  }

  @Override
  String refused(long request, String code, String text) {
    StringBuilder error = new StringBuilder("\"error\":\"").append(code).append("\",\"text\":");
    new JsonWriter(error).text(text);
    return object(request, error.toString());
  }

  @Override
  String match(long subscription) {
    return "{\"match\":" + subscription + "}";
  }
}
