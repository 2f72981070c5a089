package dev.takt.persist.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When ids are forgotten, and how many there are meanwhile. */
class ImageIdsTest {
  private final ImageIds ids = new ImageIds();
  private final List<Object> objects = new ArrayList<>();

  /** A commit gives ids to new objects. */
  private void give(int count) {
    ids.beginUnit();
    for (int i = 0; i < count; i++) {
      Object object = new Object();
      objects.add(object);
      ids.give(object);
    }
    ids.keep();
  }

  private int places() {
    return ImageIds.places(ids.tables());
  }

  /** A full cycle finds some objects. */
  private void search(List<Object> found) {
    ids.beginSearch();
    ids.beginSince();
    found.forEach(ids::found);
    ids.endSearch();
  }

  /** Has a forgetting be due; returns what there was of them before. */
  private int delay() {
    give(600);
    search(objects.subList(0, 10));
    int before = ids.forgettings();
    assertThat(ids.hold(before)).isTrue();
    give(1);
    assertThat(ids.forgettings()).isEqualTo(before);
    assertThat(ids.id(objects.get(20))).isPositive();
    ids.release();
    return before;
  }

  @Test
  void shouldBeginAFullCycleAndForgetBeforeItsCutWhatAnIncrementalOneHasHeldUp() {
    int before = delay();
    assertThat(ids.hold(before)).as("another incremental cycle").isFalse();
    ids.beginSearch();
    ids.beginSince();
    int cut = ids.forgettings();
    assertThat(cut).isGreaterThan(before);
    assertThat(ids.id(objects.get(20))).isZero();
    assertThat(ids.id(objects.get(9))).isEqualTo(10);
    assertThat(ids.id(objects.getLast())).isEqualTo(601);
    objects.subList(0, 10).forEach(ids::found);
    ids.endSearch();
    assertThat(ids.hold(cut)).as("an incremental cycle after it").isTrue();
  }

  @Test
  void shouldForgetBeforeTheFirstUnitWhereTheCutWasMadeWithoutTheTask() {
    delay();
    ids.beginSearch();
    objects.subList(0, 10).forEach(ids::found);
    ids.beginUnit();
    assertThat(ids.id(objects.get(20))).isZero();
    assertThat(ids.id(objects.get(9))).isEqualTo(10);
    ids.endSearch();
    for (int i = 0; i < 20; i++) {
      give(0);
    }
    assertThat(ids.tables().older()).isNull();
    assertThat(places()).isEqualTo(11);
    assertThat(ids.id(objects.get(9))).isEqualTo(10);
    assertThat(ids.id(objects.getLast())).isEqualTo(601);
  }

  @Test
  void shouldForgetInTheNextCommitIfThereIsOneBeforeTheNextCycle() {
    int before = delay();
    give(1);
    assertThat(ids.forgettings()).isGreaterThan(before);
    assertThat(ids.id(objects.get(20))).isZero();
    assertThat(ids.hold(ids.forgettings())).isTrue();
  }

  /** A search counts only for what was there at its cut: what is linked meanwhile is not lost. */
  @Test
  void shouldNotForgetWhatWasLinkedSinceAForgettingIsDue() {
    give(600);
    search(objects.subList(0, 10));
    assertThat(ids.hold(ids.forgettings())).isTrue();
    give(1);
    ids.beginUnit();
    assertThat(ids.refer(objects.get(20))).isEqualTo(21);
    ids.release();
    search(objects.subList(0, 21));
    give(0);
    assertThat(ids.id(objects.get(20))).isEqualTo(21);
  }

  @Test
  void shouldHaveFewPlacesWhileATableIsLeftHoweverManyIdsACommitGives() {
    for (int each : new int[] {1, 64, 1_000, 5_000}) {
      give(10_000);
      search(List.of());
      int before = places();
      ids.beginUnit();
      assertThat(ids.tables().older()).isNotNull();
      int most = 0;
      for (int i = 0; ids.tables().older() != null; i++) {
        assertThat(i).isLessThan(1_000);
        give(each);
        most = Math.max(most, places());
      }
      assertThat(most).isLessThanOrEqualTo(before + before / 2 + each);
      assertThat(places()).isLessThanOrEqualTo(before / 2 + each);
    }
  }
}
