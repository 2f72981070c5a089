package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Linker;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.recover.ObjectsById;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.space.Abort;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of ids at the end of their range. */
class TaskImagesTest {
  private final Linker linker = new Linker();
  private final AtomicInteger parts = new AtomicInteger();

  private TaskImages images(int maxId) {
    return new TaskImages(
        "linker",
        new TaskMemory("linker", 0, 0),
        DeclaredClasses.of(Linker.class, List.of()),
        7,
        maxId);
  }

  @Test
  void shouldRefuseWhatNeedsAnIdWhenAllAreGiven() {
    TaskImages all = images(ImageIds.MAX_ID);
    all.register(linker, part -> {});
    int last = all.nextId() - 1;
    images(last).register(linker, part -> parts.incrementAndGet());
    assertThat(parts).hasValue(1);
    assertThatThrownBy(() -> images(last - 1).register(linker, part -> {}))
        .isInstanceOf(Abort.class)
        .hasMessageContaining("limit=" + (last - 1))
        .hasMessageContaining("start the program again");
  }

  @Test
  void shouldTakeOverIdsOrGiveAllAnewAfterManyOfThem() {
    TaskImages first = images(ImageIds.MAX_ID);
    first.register(linker, part -> parts.incrementAndGet());
    assertThat(parts).hasValue(1);
    ObjectsById objects = new ObjectsById();
    first.beginLooking();
    for (int i = 0; i < first.places(); i++) {
      objects.put(first.idAt(i), first.object(i));
    }
    TaskImages second = images(ImageIds.MAX_ID);
    second.recovered(objects);
    second.register(linker, part -> parts.incrementAndGet());
    assertThat(parts).as("whole units").hasValue(1);
    assertThat(second.revision()).isEqualTo(7);

    objects.put(TaskImages.FRESH_AFTER + 1, new int[1]);
    TaskImages third = images(ImageIds.MAX_ID);
    third.recovered(objects);
    third.register(linker, part -> parts.incrementAndGet());
    assertThat(parts).as("whole units").hasValue(2);
    assertThat(third.id(linker)).isEqualTo(ImageReader.ROOT);
    assertThat(third.nextId()).isEqualTo(first.nextId());
    assertThat(third.revision()).isEqualTo(8);
  }

  @Test
  void shouldForgetWhatTheRootDoesNotLeadToWhenATaskIsRecovered() {
    TaskImages first = images(ImageIds.MAX_ID);
    first.register(linker, part -> {});
    ObjectsById objects = new ObjectsById();
    first.beginLooking();
    for (int i = 0; i < first.places(); i++) {
      objects.put(first.idAt(i), first.object(i));
    }
    int[] lost = new int[1];
    objects.put(99, lost);
    TaskImages second = images(ImageIds.MAX_ID);
    second.recovered(objects);
    second.register(linker, part -> {});
    second.beginLooking();
    assertThat(second.places()).isEqualTo(first.places());
    assertThat(second.id(lost)).isZero();
    assertThat(second.nextId()).isEqualTo(100);
  }
}
