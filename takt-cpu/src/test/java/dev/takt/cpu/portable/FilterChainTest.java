package dev.takt.cpu.portable;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of filters that throw. */
class FilterChainTest {
  private static final RealTimeFilter THROWS =
      new RealTimeFilter() {
        @Override
        public long apply(Interval interval, long lengthNs) {
          throw new IllegalStateException("made up by a test");
        }

        @Override
        public void ended(Interval interval, long expectedEndNs, long endNs) {
          throw new IllegalStateException("made up by a test");
        }
      };

  @Test
  void shouldLeaveOutAFilterThatThrowsEvenIfWhoIsToldThrowsToo() {
    List<Throwable> told = new ArrayList<>();
    FilterChain filters =
        new FilterChain(
            List.of(THROWS),
            thrown -> {
              told.add(thrown);
              throw new IllegalStateException("also made up", thrown);
            });

    assertThat(filters.apply(Interval.SLOT, 1, 10)).isEqualTo(10);
    filters.ended(Interval.SLOT, 1, 2);

    assertThat(told).singleElement().asString().contains("made up by a test");
  }
}
