package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.realtime.NanoClock;
import dev.takt.space.Abort;
import dev.takt.space.Commit;
import dev.takt.space.CommitContent;
import dev.takt.space.CommitJournal;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.space.SpaceSettings;
import dev.takt.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The ring gives records to the writer in the order of their tickets, each as it was decided. */
class CommitRingTest {
  private static final int WORDS = 8_192;

  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withMaxEventBytes(1_024));
  private final CommitRing ring =
      new CommitRing(WORDS * 8, 65_536, type -> true, NanoClock.system());
  private final CommitContent content = ring.content();

  /** What the ring was not told yet. */
  private final ArrayDeque<Long> late = new ArrayDeque<>();

  private boolean telling = true;

  CommitRingTest() {
    space
        .commits()
        .journal(
            new CommitJournal() {
              @Override
              public long prepare(Commit delta) {
                return ring.prepare(delta);
              }

              @Override
              public void decided(long ticket, boolean committed) {
                if (telling) {
                  ring.decided(ticket, committed);
                } else {
                  late.add(ticket);
                }
              }

              @Override
              public void await(long ticket) {
                ring.await(ticket);
              }
            });
  }

  private void write(long value) {
    space.write(new Event("value", value));
  }

  private long read() {
    return readEvent().getLong("value");
  }

  private Event readEvent() {
    assertThat(ring.next()).isEqualTo(CommitRing.Next.COMMITTED);
    ring.read(content);
    assertThat(content.takenCount()).isZero();
    assertThat(content.writtenCount()).isEqualTo(1);
    Event event = new Event();
    content.nextWritten(event);
    ring.free();
    return event;
  }

  @Test
  void shouldGiveEachRecordOnceInOrderRoundAndRound() {
    Random random = new Random(Seeds.seed());
    ArrayDeque<Long> expected = new ArrayDeque<>(); // values that were written; -1 for a take
    for (long value = 0; value < 20_000; value++) {
      write(value);
      expected.add(value);
      if (random.nextBoolean()) {
        space.take(new Event());
        expected.add(-1L);
      } else if (space.count(new Event()) > 1_000) {
        space.takeAll(new Event(), 1_000, taken -> {});
        expected.add(-1L);
      }
      int kept = random.nextInt(40);
      while (expected.size() > kept) {
        if (ring.next() == CommitRing.Next.VOID) {
          ring.free(); // what was left at the end of the array
        } else if (expected.remove() instanceof Long next && next >= 0) {
          assertThat(read()).as(Seeds.replay(Seeds.seed())).isEqualTo(next);
        } else {
          ring.read(content);
          assertThat(content.takenCount()).isPositive();
          assertThat(content.writtenCount()).isZero();
          ring.free();
        }
      }
    }
    assertThat(ring.tail()).isGreaterThan(20L * WORDS);
  }

  @Test
  void shouldRefuseWhenItIsFullAndLoseNothing() {
    int count = 0;
    Abort refused = null;
    while (refused == null) {
      int value = count;
      refused = catchThrowableOfType(Abort.class, () -> write(value));
      count++;
    }
    assertThat(refused.reason()).isEqualTo(Abort.Reason.REFUSED);
    assertThat(refused).hasMessageContaining("limit=" + WORDS * 8);
    assertThat(ring.refusals()).isEqualTo(1);
    assertThat(space.count(new Event())).isEqualTo(count - 1);
    for (int value = 0; value < count - 1; value++) {
      assertThat(read()).isEqualTo(value);
    }
    assertThat(ring.next()).isEqualTo(CommitRing.Next.NONE);
    assertThat(ring.isEmpty()).isTrue();
    write(7);
    if (ring.next() == CommitRing.Next.VOID) {
      ring.free();
    }
    assertThat(read()).isEqualTo(7);
  }

  /** Images of no commit, with so many words and a task's name. */
  private static ImageBuffer images(int words) {
    ImageBuffer images = new ImageBuffer();
    images.clear("task");
    for (int i = ImageBuffer.HEADER; i < words; i++) {
      images.word(1);
    }
    images.end(1, ImageBuffer.FIRST | ImageBuffer.LAST);
    return images;
  }

  @Test
  void shouldSayThatARecordNeverFitsWhereverTheEndOfTheRingIs() {
    for (int at = 0; at < 4; at++) {
      assertThat(ring.isEmpty()).isTrue();
      Abort refused = catchThrowableOfType(Abort.class, () -> ring.put(images(WORDS / 2)));
      assertThat(refused.reason()).isEqualTo(Abort.Reason.REFUSED);
      assertThat(refused)
          .hasMessageContaining("limit=" + WORDS * 4)
          .hasMessageContaining("ringBytes");
      assertThat(ring.put(images(WORDS / 2 - 8))).isTrue();
      while (!ring.isEmpty()) {
        ring.free();
      }
    }
  }

  @Test
  void shouldPutImagesOrSayThatThereIsNoRoomWhileOthersCommit() throws Exception {
    AtomicInteger running = new AtomicInteger(2);
    List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 2; t++) {
      Random random = new Random(Seeds.seed() + t);
      new Thread(
              () -> {
                try {
                  for (int i = Seeds.size(20_000, 1_000_000); i > 0; i--) {
                    ring.put(images(random.nextInt(WORDS / 4, WORDS / 2 - 8)));
                  }
                } catch (Throwable e) {
                  failed.add(e);
                } finally {
                  running.decrementAndGet();
                }
              })
          .start();
    }
    while (running.get() > 0 || !ring.isEmpty()) {
      if (ring.next() != CommitRing.Next.NONE) {
        ring.free();
      }
    }
    assertThat(failed).as(Seeds.replay(Seeds.seed())).isEmpty();
  }

  @Test
  void shouldNotLetAThreadThatComesLateMarkAnotherRecordAtItsPlace() {
    telling = false;
    write(1);
    assertThat(ring.next()).isEqualTo(CommitRing.Next.PREPARED);
    ring.decide(space.commits().decide(ring.transaction()));
    assertThat(read()).isEqualTo(1);
    long ticket = late.remove();
    telling = true;
    // once around: a record of a write has 8 words, so the next one lies where the first one was
    while (ring.tail() < WORDS) {
      write(2);
      assertThat(read()).isEqualTo(2);
    }
    assertThat(ring.tail() - ticket).isEqualTo(WORDS);
    telling = false;
    write(4);
    ring.decided(ticket, false);
    assertThat(ring.next()).isEqualTo(CommitRing.Next.PREPARED);
    ring.decided(late.remove(), true);
    assertThat(read()).isEqualTo(4);
  }

  @Test
  void shouldNotLetAThreadThatComesLateChangeWhatALaterRecordHolds() {
    for (int i = 0; i < 3; i++) { // where a record begins there is a header in each lap
      write(i);
      assertThat(read()).isEqualTo(i);
    }
    telling = false;
    write(1);
    ring.decide(space.commits().decide(ring.transaction()));
    assertThat(read()).isEqualTo(1);
    long ticket = late.remove();
    telling = true;
    while (ring.tail() < WORDS) {
      write(2);
      assertThat(read()).isEqualTo(2);
    }
    // Numbers as a header of the lap of that ticket, prepared, would be.
    long[] values = new long[64];
    Arrays.fill(values, 8 << 2 | 1);
    space.write(new Event("value", values));
    assertThat(ring.tail()).isGreaterThan(WORDS + ticket);
    ring.decided(ticket, true);
    assertThat(readEvent().get("value")).isEqualTo(values);
    assertThat(ring.isEmpty()).isTrue();
  }

  @Test
  void shouldRefuseForTheReasonThatItIsGiven() {
    ring.refuse("closed; open it again");
    Abort refused = catchThrowableOfType(Abort.class, () -> write(1));
    assertThat(refused).hasMessageContaining("open it again");
    ring.refuse(null);
    write(2);
    assertThat(read()).isEqualTo(2);
    ring.close();
    ring.refuse(null);
    refused = catchThrowableOfType(Abort.class, () -> write(3));
    assertThat(refused).hasMessageContaining("closed");
  }
}
