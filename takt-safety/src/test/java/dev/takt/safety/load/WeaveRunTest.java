package dev.takt.safety.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Finding;
import dev.takt.safety.Programs;
import dev.takt.safety.Rule;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeaveRunTest {
  @Test
  void shouldReportWhatTheWeaverHadToLeaveOut() throws IOException {
    String task =
        """
        package app;
        import dev.takt.reflex.*;
        public class Till extends ReflexTask {
          private long sum;
          @Atomic public long charge(long amount) {
            sum += tariff.Tariffs.flat().applyAsLong(amount);
            return sum;
          }
          public void execute() { sum++; }
        }
        """;
    String tariffs =
        """
        package tariff;
        import java.util.function.LongUnaryOperator;
        public class Tariffs {
          public static LongUnaryOperator flat() { return new Flat(); }
        }
        class Flat implements LongUnaryOperator {
          public long applyAsLong(long amount) { return 5; }
        }
        """;
    try (Programs programs = Programs.compile(task, tariffs)) {
      WeaveRun.Output output =
          WeaveRun.run(List.of(programs.classes()), Programs.libraries(), WeaveRun.Mode.WEAVE);

      assertThat(output.weaving().isClean()).as("%s", output.weaving().findings()).isTrue();
      assertThat(output.classes()).containsKey("app/Till");
      assertThat(output.weaving().findings())
          .filteredOn(finding -> finding.rule() == Rule.R30)
          .extracting(Finding::message)
          .anySatisfy(message -> assertThat(message).contains("past the log of an atomic call"));
    }
  }

  @Test
  void shouldReportArraysThatNoPoolCanServeThoughTheirLengthIsKnown() throws IOException {
    String task =
        """
        package app;
        import dev.takt.reflex.*;
        @NoAlloc public class Till extends ReflexTask {
          private long[] kept = new long[4];
          public void execute() { fill(new long[4]); }
          private void fill(long[] values) { values[0]++; }
        }
        """;
    try (Programs programs = Programs.compile(task)) {
      WeaveRun.Output output =
          WeaveRun.run(List.of(programs.classes()), Programs.libraries(), WeaveRun.Mode.WEAVE);

      assertThat(output.classes()).as("woven in spite of the error").isEmpty();
      assertThat(output.weaving().findings())
          .filteredOn(finding -> finding.rule() == Rule.R27)
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.isError()).isTrue();
                assertThat(finding.place()).hasToString("app.Till.execute(Till.java:5)");
                assertThat(finding.message()).contains("no pool serves it");
              });
    }
  }
}
