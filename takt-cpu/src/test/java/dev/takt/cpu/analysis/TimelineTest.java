package dev.takt.cpu.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.analysis.Timeline.Miss;
import dev.takt.cpu.analysis.Timeline.Segment;
import dev.takt.testsupport.NeedsNoRights;
import java.util.List;
import org.junit.jupiter.api.Test;

@NeedsNoRights
class TimelineTest {
  private static final List<TaskModel> TWO =
      List.of(TaskModel.of("fast", 2, 4), TaskModel.of("slow", 3, 6));

  @Test
  void shouldPreemptByPriorityAndNoteWhatIsMissed() {
    Timeline timeline = Timeline.byPriority(TWO, 12);
    assertThat(timeline.segments())
        .containsExactly(
            new Segment(0, 0, 2),
            new Segment(1, 2, 4),
            new Segment(0, 4, 6),
            new Segment(1, 6, 8),
            new Segment(0, 8, 10),
            new Segment(1, 10, 12));
    assertThat(timeline.misses()).containsExactly(new Miss(1, 0, 6));
  }

  @Test
  void shouldMissNothingByEarliestDeadline() {
    Timeline timeline = Timeline.byDeadline(TWO, 12);
    assertThat(timeline.misses()).isEmpty();
    assertThat(timeline.segments().stream().mapToLong(each -> each.toNs() - each.fromNs()).sum())
        .isEqualTo(12);
  }

  @Test
  void shouldFindTheHyperperiodOrSayThatItIsTooLong() {
    assertThat(Timeline.hyperperiodNs(TWO)).hasValue(12);
    assertThat(
            Timeline.hyperperiodNs(
                List.of(
                    TaskModel.of("a", 1, 999_999_999_989L),
                    TaskModel.of("b", 1, 1_000_000_000_039L))))
        .isEmpty();
  }

  @Test
  void shouldEndWhenThereAreTooManySegments() {
    List<TaskModel> tasks = List.of(TaskModel.of("a", 1, 3), TaskModel.of("b", 1, 1_000_003));
    assertThat(Timeline.byPriority(tasks, TaskModel.MAX_NS).segments())
        .hasSize(Timeline.MAX_SEGMENTS);
  }

  /** One segment, and arrivals for ever. */
  @Test
  void shouldEndWhereOneTaskRunsThrough() {
    for (long costNs : new long[] {1, 2}) {
      List<TaskModel> tasks =
          List.of(TaskModel.of("a", costNs, 1), TaskModel.of("b", 1, 1_000_000_000_000L));
      for (Timeline timeline :
          List.of(
              Timeline.byPriority(tasks, TaskModel.MAX_NS),
              Timeline.byDeadline(tasks, TaskModel.MAX_NS))) {
        assertThat(timeline.segments().getFirst().toNs()).isEqualTo(timeline.endNs());
        assertThat(timeline.endNs()).isBetween(100_000L, TaskModel.MAX_NS - 1);
        assertThat(timeline.misses()).hasSize(costNs == 1 ? 0 : Timeline.MAX_SEGMENTS);
      }
    }
  }
}
