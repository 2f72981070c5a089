package dev.takt.samples.trading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.RuntimeScheduling;
import dev.takt.samples.market.MarketReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TradingFloorTest {
  private static final int LINES = 20_000;

  @TempDir private Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void shouldLoseNothingInASpaceThatIsFarTooSmall() throws Exception {
    TradingResult result = run(rising(LINES), 0, 3, Feed.MIN_CAPACITY);
    assertThat(result.problem()).isNull();
    assertThat(result.passes()).isEqualTo(3);
    assertThat(result.events()).isEqualTo(3 * LINES);
    assertThat(result.stalls()).isPositive();
    assertThat(result.figures().trades().trades()).isEqualTo(LINES);
    assertThat(result.figures().trades().quantity())
        .isEqualByComparingTo(BigDecimal.valueOf(LINES));
    // every trade rises but the first, and all those whose two predecessors rise count
    assertThat(result.figures().trades().risingRuns()).isEqualTo(LINES - 3);
    assertThat(result.figures().trades().longestRun()).isEqualTo(LINES - 1);
  }

  @Test
  void shouldReportPassesThatDisagree() throws Exception {
    Path one = rising(100);
    Path other = Files.writeString(folder.resolve("other"), "1,1,1\n");
    int[] opened = new int[1];
    MarketSource changing = () -> MarketReader.open(opened[0]++ == 0 ? one : other);
    TradingResult result = run(changing, 0, 5, 1_024);
    assertThat(result.problem()).startsWith("pass 2 found ").contains("and the pass before it");
    assertThat(result.figures().lines()).isEqualTo(1);
  }

  @Test
  void shouldEndSoonWhenCancelledAndKeepWhatWasProcessed() throws Exception {
    Path slow = Files.writeString(folder.resolve("slow"), "1,10,1\n1,11,1\n9000,12,1\n");
    CountDownLatch opened = new CountDownLatch(3);
    MarketSource source =
        () -> {
          opened.countDown();
          return MarketReader.open(slow);
        };
    try (TradingFloor floor = new TradingFloor(source, 1, 1, 1_024, RuntimeScheduling.NONE)) {
      CompletableFuture<Boolean> canceller =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  boolean begun = opened.await(1, TimeUnit.SECONDS);
                  floor.cancel();
                  return begun;
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      TradingResult result = floor.run(progress());
      canceller.get(10, TimeUnit.SECONDS);
      assertThat(result.cancelled()).isTrue();
      assertThat(result.problem()).isNull();
      assertThat(result.passes()).isZero();
      assertThat(result.figures().lines()).isLessThan(3);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("replaying 2 h 29 min of the market at 1x");
  }

  @Test
  void shouldRefuseASpaceWithoutRoomForTheTasks() throws Exception {
    Path input = rising(1);
    assertThatThrownBy(() -> run(input, 0, 1, Feed.MIN_CAPACITY - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity=511 (expected: at least 512)");
  }

  @Test
  void shouldMeasureTimesAndReleases() throws Exception {
    TradingResult result = run(rising(LINES), 0, 2, TradingFloor.DEFAULT_CAPACITY);
    TaskMeter statistics = result.tasks().meters().getFirst();
    assertThat(statistics.name).isEqualTo("statistics");
    assertThat(statistics.response.getTotalCount()).isEqualTo(LINES);
    assertThat(result.linesPerSecond()).isPositive();
  }

  @Test
  void shouldSayHowLong() {
    assertThat(Progress.duration(5_900_000_000L)).isEqualTo("5 s");
    assertThat(Progress.duration(65_000_000_000L)).isEqualTo("1 min 5 s");
    assertThat(Progress.duration(3_660_000_000_000L)).isEqualTo("1 h 1 min");
    assertThat(Progress.duration(576_125_000_000_000L)).isEqualTo("6 d 16 h");
  }

  @Test
  void shouldSayHowFarAPassIs() {
    Progress progress = progress();
    progress.start(10, 2, List.of("host"), new MarketSpan(422, 200_000_000_000L));
    progress.pass(1, "host");
    assertThat(progress.text(148, "line 61,000", 4_200_000_000L))
        .isEqualTo("pass 1/2  line 61,000  35 %  35 s left  35 lines/s");

    progress.start(0, 1, List.of("host"), null);
    assertThat(progress.text(3_000_000, "line 3,000,000", 2_000_000_000L))
        .isEqualTo("line 3,000,000  1,500,000 lines/s");
  }

  @Test
  void shouldCountTheTimeOfAllVariantsAndNameTheOneThatReplays() {
    Progress progress = progress();
    MarketSpan span = new MarketSpan(100, 200_000_000_000L);
    progress.start(10, 2, List.of("one process", "host"), span);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("at 10x takes 1 min 20 s");
    List<String> told = new ArrayList<>();
    for (int pass = 1; pass <= 2; pass++) {
      for (String variant : List.of("one process", "host")) {
        progress.pass(pass, variant);
        told.add(progress.text(50, "line 50", 10_000_000_000L));
      }
    }
    assertThat(told)
        .containsExactly(
            "pass 1/2  one process  line 50  50 %  1 min 10 s left  5 lines/s",
            "pass 1/2  host  line 50  50 %  50 s left  5 lines/s",
            "pass 2/2  one process  line 50  50 %  30 s left  5 lines/s",
            "pass 2/2  host  line 50  50 %  10 s left  5 lines/s");
  }

  private TradingResult run(Path input, int speed, int repeat, int capacity) throws Exception {
    return run(() -> MarketReader.open(input), speed, repeat, capacity);
  }

  private TradingResult run(MarketSource source, int speed, int repeat, int capacity)
      throws Exception {
    try (TradingFloor floor =
        new TradingFloor(source, speed, repeat, capacity, RuntimeScheduling.NONE)) {
      return floor.run(progress());
    }
  }

  private Progress progress() {
    return new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), false);
  }

  private Path rising(int lines) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= lines; i++) {
      text.append(i).append(',').append(i).append(",1\n");
    }
    return Files.writeString(folder.resolve("rising"), text);
  }
}
