package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.admission.Decision;
import dev.takt.realtime.ThreadMeter;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose priority is taken when a release has used up its cost. */
class ContainmentPriorityTest {
  private final ManagerSettings settings = ManagerSettings.defaults();
  private final ProcessorsApart places = new ProcessorsApart(settings);
  private final Containment containment =
      new Containment(new ManagedTasks(settings, places, () -> {}), settings, places);
  private final IdleSubject subject = new IdleSubject();

  @AfterEach
  void close() {
    places.close();
  }

  private static ManagedTask task(State state, OverrunPolicy policy) {
    return new ManagedTask(
        Profile.of("task", 10_000_000)
            .withBudgetNs(1_000_000)
            .in(AuthenticationClass.DEFAULT.withOnOverrun(policy)),
        new Decision(0, List.of(), "", OptionalLong.empty(), OptionalLong.empty()),
        state,
        new CostSamples(1, ThreadMeter.system(), true));
  }

  @Test
  void shouldLowerTheThreadThatServesAPassiveTask() {
    containment.spent(task(State.SERVED, OverrunPolicy.DROP), subject);
    containment.spent(task(State.SERVED, OverrunPolicy.DEMOTE), subject);

    assertThat(subject.lowered).isEqualTo(2);
  }

  @Test
  void shouldLeaveAThreadItsPriorityWhoseClassOnlyCounts() {
    containment.spent(task(State.SERVED, OverrunPolicy.COUNT), subject);

    assertThat(subject.lowered).isZero();
  }

  @Test
  void shouldNotLowerTheThreadOfATaskOfItsOwn() {
    containment.spent(task(State.ADMITTED, OverrunPolicy.DROP), subject);

    assertThat(subject.lowered).isZero();
  }

  /** The thread that contains it gives it a priority for a while, so that it ends. */
  @Test
  void shouldNotDemoteAgainWhatIsContained() {
    ManagedTask task = task(State.ADMITTED, OverrunPolicy.DROP);
    assertThat(task.beginContainment()).isTrue();

    containment.demote(task, subject); // which would fail
  }
}
