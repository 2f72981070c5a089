package dev.takt.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.measure.Helper;
import dev.takt.bench.measure.Measurement;
import dev.takt.bench.pace.PacedRole;
import dev.takt.bench.rtj.BaselineProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CasesInTurnsTest {
  private final List<String> steps = new ArrayList<>();

  /** A process of a task that only says what it is told. */
  private record Told(List<String> steps) implements Helper.Role, Helper.Running {
    @Override
    public Helper.Running open() {
      return this;
    }

    @Override
    public Object ask(String command) {
      steps.add(command);
      return command.startsWith("found")
          ? new PacedRole.Found(new Measurement(Measurement.histogram(), 1, 0), 0, command)
          : Helper.Done.DONE;
    }

    @Override
    public void close() {}
  }

  private record Other(String name, List<String> steps) implements CasesInTurns.Beside<Integer> {
    @Override
    public void begin() {
      steps.add("begin " + name);
    }

    @Override
    public Integer end() {
      steps.add("end " + name);
      return steps.size();
    }
  }

  @Test
  void shouldTakeTurnsAndAddUpWhatIsBesideThem() throws Exception {
    Helper task = Helper.start(false, List.of(), new Told(steps));
    CasesInTurns run = new CasesInTurns(1_000_000, 500, BaselineProgram.NONE);

    Map<String, CasesInTurns.Found<Integer>> found =
        run.measure(
            2,
            List.of(
                new CasesInTurns.Case<>("one", task, "one plain", new Other("one", steps)),
                new CasesInTurns.Case<>("two", task, "two", new Other("two", steps)),
                new CasesInTurns.Case<>("floor", null, "", new Other("floor", steps))),
            Integer::sum);

    List<String> each =
        List.of(
            "begin one",
            "turn one plain 100 500",
            "end one",
            "begin two",
            "turn two 100 500",
            "end two");
    assertThat(steps.subList(0, 6)).isEqualTo(each);
    assertThat(steps.subList(6, 12)).isEqualTo(each);
    assertThat(steps.subList(12, 14)).containsExactly("found one", "found two");
    assertThat(found).containsOnlyKeys("one", "two");
    assertThat(found.get("one").beside()).isEqualTo(3 + 9);
    assertThat(found.get("two").beside()).isEqualTo(6 + 12);
    assertThat(found.get("two").pace().granted()).isEqualTo("found two");
  }
}
