package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.Releases;
import dev.takt.reflex.limit.StaleTransientUse;
import org.junit.jupiter.api.Test;

/** Uses of transient objects after their release, in classes woven for debugging. */
class DebugTest {
  private final TaskMemory memory = new TaskMemory("t", 0, 0);

  @Test
  void shouldTrapUseInLaterAttemptAndNamePlaceOfBirth() {
    Object made = new Object();
    int[] array = new int[3];
    Releases.run(
        memory,
        m -> {
          m.begin();
          Debug.made(made, "app.Buyer.execute(Buyer.java:17)");
          Debug.made(array, "app.Buyer.execute(Buyer.java:18)");
          Debug.used(made);
          Debug.used(array);
          m.commit();
          m.begin();
          assertThatThrownBy(() -> Debug.used(made))
              .isInstanceOf(StaleTransientUse.class)
              .hasMessageContaining(
                  "task t: a java.lang.Object made at app.Buyer.execute(Buyer.java:17)");
          assertThat(m.rollbackOnly()).isInstanceOf(StaleTransientUse.class);
          assertThatThrownBy(() -> Debug.used(array)).hasMessageContaining("int[]");
          m.undo();
        });
  }

  @Test
  void shouldLetPassWhatSomebodyKeeps() {
    Object kept = new Object();
    Releases.run(
        memory,
        m -> {
          m.begin();
          Debug.made(kept, "app.Buyer.execute(Buyer.java:17)");
          m.keepTransients();
          m.commit();
          m.begin();
          Debug.used(kept);
          assertThat(m.rollbackOnly()).isNull();
          m.commit();
        });
  }

  @Test
  void shouldLetPassWhatWasNotMadeInRelease() {
    Object outside = new Object();
    Debug.made(outside, "somewhere");
    Debug.used(outside);
    Releases.run(
        memory,
        m -> {
          m.begin();
          Debug.used(outside);
          Debug.used(null);
          Debug.used("constant");
          assertThat(m.rollbackOnly()).isNull();
          m.commit();
        });
  }
}
