package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BarrierTest {
  private static final String COUNTER =
      """
      package app;
      import dev.takt.reflex.*;
      public class Counter extends ReflexTask {
        int count; long total; double mean; float last; boolean odd; byte b; short s; char c;
        String name;
        Node first;
        public void execute() {
          count++; total += count; mean = (double) total / count; last = count; odd ^= true;
          b++; s++; c++;
          first = new Node(count, first);
          if (first.next != null) first.next.value = -1;
        }
      }
      """;
  private static final String NODE =
      """
      package app;
      public class Node implements dev.takt.space.Stable {
        int value; Node next;
        Node(int value, Node next) { this.value = value; this.next = next; }
      }
      """;

  @Test
  void shouldPutFieldsOfAllTypesBackWhenReleaseIsUndone() {
    Program program = Program.of(COUNTER, NODE).verified();
    Object counter = program.make("app.Counter");
    Object memory = program.memory();
    call(memory, "begin");
    call(counter, "execute");
    call(memory, "commit");
    Object first = get(counter, "first");

    call(memory, "begin");
    call(counter, "execute");
    assertThat(get(counter, "count")).isEqualTo(2);
    assertThat(get(first, "value")).isEqualTo(-1);
    call(memory, "rollback");

    assertThat(get(counter, "count")).isEqualTo(1);
    assertThat(get(counter, "total")).isEqualTo(1L);
    assertThat(get(counter, "mean")).isEqualTo(1.0);
    assertThat(get(counter, "last")).isEqualTo(1f);
    assertThat(get(counter, "odd")).isEqualTo(true);
    assertThat(get(counter, "b")).isEqualTo((byte) 1);
    assertThat(get(counter, "s")).isEqualTo((short) 1);
    assertThat(get(counter, "c")).isEqualTo((char) 1);
    assertThat(get(counter, "first")).isSameAs(first);
    assertThat(get(first, "value")).isEqualTo(1);
  }
}
