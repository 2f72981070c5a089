package dev.takt.reflex;

import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.ReleaseListener;
import dev.takt.reflex.woven.AtomicGate;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.TransientPlan;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the runtime needs to undo, bound and end the releases of a task.
 *
 * @param memory the memory of the task
 * @param gate where atomic calls meet the releases, or null without atomic methods
 * @param plan what a thread prepares before it runs its releases, or null
 * @param classes the woven classes of the task, whose loops can be stopped
 * @param admission what it was admitted with
 */
record TaskState(
    TaskMemory memory,
    @Nullable AtomicGate gate,
    @Nullable TransientPlan plan,
    List<Class<?>> classes,
    AdmissionAnswer admission) {
  /** Returns who is called around releases: what the admission wants to be called comes first. */
  List<ReleaseListener> listeners(List<ReleaseListener> others) {
    ReleaseListener first = admission.listener();
    return first == null ? others : Stream.concat(Stream.of(first), others.stream()).toList();
  }
}
