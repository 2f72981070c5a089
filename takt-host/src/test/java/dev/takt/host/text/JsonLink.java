package dev.takt.host.text;

import dev.takt.client.json.JsonLimits;
import dev.takt.client.json.JsonNumber;
import dev.takt.client.json.JsonReader;
import dev.takt.client.wire.MessageReader;
import dev.takt.client.wire.Operation;
import dev.takt.session.Transport;
import java.io.IOException;
import java.util.Map;

/** Speaks objects of JSON. */
final class JsonLink extends TextLink {
  JsonLink(Transport transport) {
    super(transport);
  }

  @Override
  String hello() {
    return "{\"id\":1,\"op\":\"hello\"}";
  }

  @Override
  String received(long request) {
    return "{\"op\":\"received\",\"request\":" + request + "}";
  }

  @Override
  String request(MessageReader of) throws IOException {
    Operation operation = of.operation();
    long number = of.number();
    StringBuilder text = new StringBuilder("{\"id\":" + of.request());
    text.append(",\"op\":\"").append(name(told(of))).append('"');
    if (of.transaction() != 0) {
      text.append(",\"in\":").append(of.transaction());
    }
    switch (operation) {
      case TAKE_ALL -> text.append(",\"max\":").append(number);
      case CANCEL -> text.append(",\"request\":").append(number);
      case SUBSCRIBE -> {
        text.append(",\"subscription\":").append(Math.abs(number));
        text.append(",\"quiet\":").append(number < 0);
      }
      case UNSUBSCRIBE, NEXT, HAS_NEXT -> text.append(",\"subscription\":").append(number);
      case BEGIN -> {
        text.append(",\"priority\":").append((int) number);
        text.append(",\"retries\":").append(number >>> Integer.SIZE);
      }
      case AWAIT_TAKE, AWAIT_READ ->
          text.append(",\"timeout\":\"").append(time(number)).append('"');
      default -> {}
    }
    switch (operation.asked()) {
      case EVENT -> text.append(",\"event\":").append(event(of));
      case TEMPLATE -> text.append(",\"template\":").append(template(of));
      case NONE, EVENTS -> {}
    }
    return text.append('}').toString();
  }

  @Override
  void message(String text) throws IOException {
    Map<?, ?> all = (Map<?, ?>) new JsonReader(text, 0, new JsonLimits(17, 1_000)).only();
    if (all.get("match") instanceof JsonNumber match) {
      match(match.asLong());
      return;
    }
    long request = ((JsonNumber) all.get("id")).asLong();
    Object ok = all.get("ok");
    if (all.get("error") instanceof String code) {
      error(request, code, (String) all.get("text"));
    } else if (ok == null) {
      part(request, all.get("event"));
    } else if (ok.equals(false)) {
      none(request);
    } else {
      Object event = all.containsKey("event") ? all.get("event") : all.get("limits");
      done(request, event == null ? all.get("number") : event);
    }
  }
}
