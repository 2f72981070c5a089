// Numbers out of strings, and strings taken apart.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import java.util.Objects;

class Parsing extends ReflexTask {
  private long total;
  private double price;

  @Override
  public void execute() {
    Event line = take(new Event("line", null));
    if (line == null) {
      return;
    }
    String text = line.getString("line").trim();
    int comma = text.indexOf(',');
    if (comma < 0) {
      return;
    }
    total += Long.parseLong(text.substring(0, comma)) + Integer.parseInt("7");
    price = Double.parseDouble(text.substring(comma + 1));
    if (Character.isDigit(text.charAt(0)) && text.endsWith("0") && text.contains(",")) {
      total += Objects.requireNonNull(text.replace(',', ';')).length();
    }
    total += text.toCharArray().length + Objects.hashCode(text) + text.lastIndexOf("x");
  }
}
