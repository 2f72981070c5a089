package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class IndexTest {
  private static final long FINGERPRINT = 5;

  private final EventSlots slots =
      new EventSlots(SpaceSettings.DEFAULTS.withCapacity(8), InitialCounters.ZERO);
  private final Index index = new Index(0, new String[] {"key"}, 1, slots, 1);

  /** The node that stays at the head of the list is older than the others by so many appends. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 31, 1L << 32, 1L << 62})
  void shouldRemoveWhatItWasAskedToWhenAnOlderNodeHasStayedForLong(long appends) {
    for (int slot = 0; slot < 2; slot++) {
      index.append(slot, 0, FINGERPRINT);
    }
    index.nodes[Index.node(1) + Index.POSITION] += appends;
    for (int slot = 2; slot < 4; slot++) {
      index.append(slot, 0, FINGERPRINT);
    }
    // a hint that is of no use: the removal has to look for its node from the head on
    index.nodes[Index.node(2) + Index.PREV] = 0;

    index.remove(2, 0);

    assertThat(listed()).containsExactly(0, 1, 3);
  }

  private List<Integer> listed() {
    List<Integer> found = new ArrayList<>();
    long link = index.headAcquire(index.bucket(FINGERPRINT));
    while (!Index.isEnd(link)) {
      found.add(Index.slot(link));
      link = index.nextAcquire(Index.slot(link));
    }
    return found;
  }
}
