package dev.takt.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildUserTest {
  @Test
  void shouldMeasureWithoutPrivilegesWhereThatCanBeDone() throws Exception {
    Unprivileged user = Unprivileged.find().orElse(Unprivileged.AS_IT_IS);
    Asked asked = ChildRun.forked(user, List.of(), new Asks(), Asked.class, 60);

    if (!user.before().isEmpty()) {
      assertThat(asked.granted()).startsWith("OTHER");
      assertThat(asked.capabilities()).isZero();
    } else {
      assertThat(asked.user()).isEqualTo(System.getProperty("user.name"));
    }
  }

  /** What a process has. */
  public record Asked(String granted, int capabilities, String user) {}

  /** Asks for a real-time priority. */
  public record Asks() implements ChildRun.Body<Asked> {
    @Override
    public Asked run() {
      OperatingSystem system = OperatingSystems.current();
      String granted = system.schedule(ThreadScheduling.fifo(1)).scheduling().toString();
      return new Asked(granted, system.capabilities().size(), System.getProperty("user.name"));
    }
  }
}
