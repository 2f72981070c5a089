package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EventTest {
  private static final String TRADER =
      """
      package app;
      import dev.takt.reflex.*;
      import dev.takt.space.Event;
      public class Trader extends ReflexTask {
        static Event made;
        double price; long amount; boolean open; Object rest; double best;
        public void execute() {
          int small = 7;
          made = new Event("price", 12.5).add("amount", 3L).add("open", true)
              .add("letter", 'x').add("small", (Integer) small).add("ratio", 0.5f)
              .add("name", "takt").add("boxed", small > 6 ? (Object) small : "none");
          Event empty = new Event();
          empty.add("flag", Boolean.TRUE);
          price = asDouble(made.get("price"));
          amount = (Long) made.get("amount");
          open = (Boolean) made.get("open");
          best = Math.max(price, (Double) made.get("price"));
          made.get("name");
        }
      }
      """;

  @Test
  void shouldTakeEventsFromPoolAndValuesWithoutBoxes() {
    Program program = Program.of(TRADER).verified();
    Object trader = program.make("app.Trader");
    Object memory = program.memory();
    call(memory, "begin");
    call(trader, "execute");

    assertThat(get(memory, "events")).isEqualTo(2);
    Object made = get(program.type("app.Trader"), "made");
    assertThat(get(made, "calls"))
        .isEqualTo(
            List.of(
                "double",
                "long",
                "boolean",
                "char",
                "long",
                "double",
                "Object",
                "Object",
                "asDouble",
                "unboxLong",
                "unboxBoolean",
                "unboxDouble",
                "boxed"));
    assertThat(get(trader, "price")).isEqualTo(12.5);
    assertThat(get(trader, "amount")).isEqualTo(3L);
    assertThat(get(trader, "open")).isEqualTo(true);
    assertThat(get(trader, "best")).isEqualTo(12.5);
    assertThat(get(made, "values").toString())
        .isEqualTo(
            "{amount=3, boxed=7, letter=x, name=takt, open=true, price=12.5, ratio=0.5, small=7}");
  }

  @Test
  void shouldCallConversionsThatHideTheTasksOwn() {
    Program program =
        Program.of(
                """
                package app;
                public class Hiding extends dev.takt.reflex.ReflexTask {
                  protected static double asDouble(Object value) { return -1; }
                  public void execute() {}
                }
                """,
                """
                package app;
                import dev.takt.space.Event;
                public class Doubler extends Hiding {
                  double hidden; long own;
                  public void execute() {
                    Event made = new Event("n", 3L);
                    hidden = asDouble(made.get("n"));
                    own = asLong(made.get("n"));
                  }
                }
                """)
            .verified();
    Object doubler = program.make("app.Doubler");
    call(doubler, "execute");

    assertThat(get(doubler, "hidden")).isEqualTo(-1.0);
    assertThat(get(doubler, "own")).isEqualTo(3L);
  }
}
