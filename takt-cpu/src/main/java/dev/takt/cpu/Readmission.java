package dev.takt.cpu;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.admission.AdmissionControl;
import dev.takt.realtime.Supervised;
import java.util.Comparator;
import java.util.List;

/**
 * Lets tasks that were displaced come back when there is room: when a task has left, costs less
 * than before, or E has fallen. Each comes back to its processor, those of the highest rank first,
 * and displaces none. What cannot get its priority back ({@link Supervised#restore}) stays as it
 * is.
 *
 * <p><b>Thread rule:</b> any thread, with the manager's lock.
 *
 * <p>Source: CPU control 2.4 (newly arrived tasks may cause existing ones to be dropped).
 */
final class Readmission {
  private static final Comparator<ManagedTask> HIGHEST_RANK_FIRST =
      Comparator.comparing(each -> -each.profile().authentication().rank());

  private final ManagedTasks all;
  private final AdmissionControl control;

  Readmission(ManagedTasks all, AdmissionControl control) {
    this.all = all;
    this.control = control;
  }

  /** Admits the displaced tasks that there is room for, and returns whether there was any. */
  boolean readmitsAny(List<ManagedTask> tasks) {
    List<ManagedTask> back =
        tasks.stream()
            .filter(each -> each.state() == State.DISPLACED)
            .sorted(HIGHEST_RANK_FIRST)
            .filter(this::isReadmitted)
            .toList();
    back.forEach(each -> all.report(each, ManagerEvent.Kind.ADMITTED, "there is room again"));
    return !back.isEmpty();
  }

  private boolean isReadmitted(ManagedTask task) {
    Supervised subject = task.subject();
    if (subject == null
        || control.find(task.name()).isPresent()
        || !control.readmit(
            task.model(), task.profile().authentication().rank(), task.decision().processor())) {
      return false;
    }
    if (!subject.restore()) { // it has lost its priority for good
      control.remove(task.name());
      return false;
    }
    task.readmitted();
    return true;
  }
}
