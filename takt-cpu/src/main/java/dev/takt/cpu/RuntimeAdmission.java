package dev.takt.cpu;

import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.EndedRelease;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.Schedulable;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.os.OperatingSystem;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A CPU manager as runtimes see it: admits their tasks, and measures their releases.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class RuntimeAdmission implements Admission {
  private final CpuManager manager;
  private final OperatingSystem system;
  private final Function<Class<?>, AuthenticationClass> classes;

  RuntimeAdmission(
      CpuManager manager, OperatingSystem system, Function<Class<?>, AuthenticationClass> classes) {
    this.manager = manager;
    this.system = system;
    this.classes = Objects.requireNonNull(classes, "classes");
  }

  @Override
  public @Nullable String refusal(AdmissionRequest request) {
    if (!(request.parameters() instanceof Periodic periodic)) {
      return "%s (expected: Periodic; what has no period bounds nothing)"
          .formatted(request.parameters());
    }
    Profile profile =
        new Profile(
            request.name(),
            periodic.periodNs(),
            periodic.deadlineNs(),
            periodic.budgetNs(),
            classes.apply(request.code()));
    ManagedTask task = manager.admit(profile);
    return task.state().isAdmitted() ? null : task.decision().reason();
  }

  @Override
  public void ended(String name) {
    manager.find(name).ifPresent(manager::ended);
  }

  @Override
  public ReleaseListener listener() {
    return new ReleaseListener() {
      @Override
      public void onBegin(Schedulable subject, long dueNs, long beginNs) {
        ManagedTask task = manager.index.find(subject);
        if (task == null) {
          task = bind(subject);
        }
        if (task != null) {
          task.onBegin(Thread.currentThread(), system::threadId);
        }
      }

      @Override
      public void onEnd(EndedRelease release) {
        ManagedTask task = manager.index.find(release.subject());
        if (task != null) {
          task.onEnd();
        }
      }
    };
  }

  private @Nullable ManagedTask bind(Schedulable subject) {
    return subject instanceof Supervised supervised
        ? manager.locked(
            () -> {
              ManagedTask task = manager.find(subject.name()).orElse(null);
              if (task != null) {
                task.subject(supervised);
                manager.index.put(subject, task);
              }
              return task;
            })
        : null;
  }
}
