package dev.takt.host.text;

import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonReader;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Operation;
import dev.takt.session.Transport;
import java.io.IOException;

/** Speaks lines. */
final class LineLink extends TextLink {
  LineLink(Transport transport) {
    super(transport);
  }

  @Override
  String hello() {
    return "#1 hello";
  }

  @Override
  String received(long request) {
    return "received " + request;
  }

  @Override
  String request(MessageReader of) throws IOException {
    Operation operation = of.operation();
    StringBuilder line = new StringBuilder("#" + of.request());
    if (of.transaction() != 0) {
      line.append(" in ").append(of.transaction());
    }
    long number = of.number();
    line.append(' ').append(name(told(of))).append(' ');
    switch (operation) {
      case TAKE_ALL, CANCEL, UNSUBSCRIBE, NEXT, HAS_NEXT -> line.append(number).append(' ');
      case SUBSCRIBE -> line.append(Math.abs(number)).append(' ');
      case BEGIN -> line.append((int) number).append(' ').append(number >>> Integer.SIZE);
      default -> {}
    }
    switch (operation.asked()) {
      case EVENT -> line.append(event(of));
      case TEMPLATE -> line.append(template(of));
      case NONE, EVENTS -> {}
    }
    switch (operation) {
      case AWAIT_TAKE, AWAIT_READ -> line.append(' ').append(time(number));
      case SUBSCRIBE -> line.append(number < 0 ? " quiet" : "");
      default -> {}
    }
    return line.toString();
  }

  @Override
  void message(String line) throws IOException {
    String[] words = line.split(" ", 3);
    String rest = words.length == 3 ? words[2] : "";
    if (words[0].equals("match")) {
      match(Long.parseLong(words[1]));
      return;
    }
    long request = Long.parseLong(words[0].substring(1));
    switch (words[1]) {
      case "event" -> part(request, value(rest));
      case "error" -> {
        String[] why = rest.split(" ", 2);
        error(request, why[0], why[1]);
      }
      case "none" -> none(request);
      default -> done(request, value(rest));
    }
  }

  private static Object value(String text) throws IOException {
    return text.isEmpty() ? null : new JsonReader(text, 0, JsonLimits.DEFAULTS).only();
  }
}
