package dev.takt.realtime.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testsupport.AllocatedBytes;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CounterRowsTest {
  private final CounterRows rows = new CounterRows(40);

  @Test
  void shouldGiveOneRowToATaskThatTwoSourcesKnow() {
    Object[] subjects = IntStream.range(0, 30).mapToObj(i -> new Object()).toArray();
    for (int i = 0; i < subjects.length; i++) {
      rows.addShared(RowKind.TASK, "runtime-1", "same name", subjects[i]).set(Figure.MISSES, i);
    }
    for (int i = 0; i < subjects.length; i++) {
      rows.addShared(RowKind.TASK, "manager-1", "same name", subjects[i]).set(Figure.COST_NS, i);
    }

    assertThat(rows.size()).isEqualTo(30);
    for (int i = 0; i < subjects.length; i++) {
      assertThat(rows.number(i, Figure.MISSES)).isEqualTo(i);
      assertThat(rows.number(i, Figure.COST_NS)).isEqualTo(i);
      assertThat(rows.text(i, RowText.OWNER)).isEqualTo("runtime-1");
    }
  }

  @Test
  void shouldFindATaskByNameWhoseObjectIsNotKnownYet() {
    rows.addShared(RowKind.TASK, "runtime-1", "feed", new Object());
    rows.addShared(RowKind.TASK, "manager-1", "feed", null).set(Figure.COST_NS, 5);
    rows.addShared(RowKind.TASK, "manager-1", "other", null);

    assertThat(rows.size()).isEqualTo(2);
    assertThat(rows.number(0, Figure.COST_NS)).isEqualTo(5);
  }

  @Test
  void shouldCountWhatHasNoPlaceAndLeaveTheRestAsItIs() {
    for (int i = 0; i < 43; i++) {
      rows.add(RowKind.TASK, "runtime-1", "t" + i).set(Figure.MISSES, i);
    }

    assertThat(rows.size()).isEqualTo(40);
    assertThat(rows.more()).isEqualTo(3);
    assertThat(rows.number(39, Figure.MISSES)).isEqualTo(39);
  }

  @Test
  void shouldKnowNothingOfARowBeforeItIsSet() {
    rows.add(RowKind.TASK, "runtime-1", "a").set(Figure.MISSES, 7).set(RowText.STATE, "runs");
    rows.clear();
    rows.add(RowKind.TASK, "runtime-1", "b").raise(Figure.OVERRUNS, 3).raise(Figure.OVERRUNS, 2);

    assertThat(rows.number(0, Figure.MISSES)).isEqualTo(CounterRows.UNKNOWN);
    assertThat(rows.text(0, RowText.STATE)).isEmpty();
    assertThat(rows.number(0, Figure.OVERRUNS)).isEqualTo(3);
    assertThatThrownBy(() -> rows.set(Figure.LOOKS, 1)).hasMessageContaining("TASK has no LOOKS");
  }

  @Test
  void shouldAllocateNothingWhenRowsAreFilledAgain() {
    Object subject = new Object();
    long bytes =
        AllocatedBytes.inSteadyState(
            200,
            () -> {
              rows.clear();
              rows.add(RowKind.RUNTIME, "runtime-1", "runtime-1");
              rows.addShared(RowKind.TASK, "runtime-1", "task", subject).set(Figure.MISSES, 1);
              rows.addShared(RowKind.TASK, "manager-1", "task", subject).set(Figure.COST_NS, 1);
              rows.forgetSubjects();
            });
    assertThat(bytes).isLessThan(16 * 200);
  }

  @Test
  void shouldHaveRoomForAllFiguresAndTextsInARow() {
    assertThat(RowKind.values())
        .allSatisfy(
            kind -> assertThat(kind.figures()).hasSizeLessThanOrEqualTo(RowKind.MAX_FIGURES));
    assertThat(Arrays.stream(RowText.values()).mapToInt(each -> 2 + each.maxBytes()).sum())
        .isEqualTo(RowText.ALL_BYTES);
    assertThat(CounterFile.NUMBERS_AT + RowKind.MAX_FIGURES * Long.BYTES)
        .isEqualTo(CounterFile.ROW_BYTES);
  }
}
