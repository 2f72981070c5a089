package dev.takt.cpu;

import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.analysis.TaskModel;
import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.PassiveServer;
import dev.takt.realtime.Periodic;
import dev.takt.realtime.ReleaseListener;
import dev.takt.realtime.ReleaseTurn;
import dev.takt.realtime.ServerAnswer;
import dev.takt.realtime.Supervised;
import dev.takt.realtime.TimeText;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A CPU manager as runtimes see it: admits their tasks, schedules their threads, and measures their
 * releases.
 *
 * <p><b>Which task becomes what.</b>
 *
 * <pre>
 *   periodic, with a budget        admitted with it
 *   periodic, without              on trial, with what its class allows; its deadline is its period
 *   continuous, or best effort     nothing bounds it, or it asks for nothing: no real-time policy,
 *   by its own wish                no turn and the lowest priority, so that it takes nothing from
 *                                  what is admitted
 *   all passive ones together      a deferrable server, as one task
 *   a passive one                  supervised: a release may take its budget or else that of the
 *                                  server. Its deadline is measured, not guaranteed, because
 *                                  nothing bounds how many events come
 * </pre>
 *
 * <p><b>Threads.</b> A thread of a runtime is scheduled by the manager as that of a plain task is,
 * whatever its runtime asks the system for, so that what runs is what was analysed: by the
 * scheduler, in the order of the models' deadlines, on the processor that it was admitted to. The
 * priority of a task within its runtime (which transaction prevails, which passive task goes first)
 * stays as it is.
 *
 * <p><b>Names.</b> The second task "feed" of runtimes is "feed-2" in the manager; only a plain task
 * may have the name of one that is served or runs as best effort. A runtime knows its tasks by the
 * answers.
 *
 * <p><b>Thread rule:</b> any thread.
 */
final class RuntimeAdmission implements Admission {
  private final ManagedTasks tasks;
  private final Function<Class<?>, CodeClass> classes;
  private final boolean binding;

  RuntimeAdmission(ManagedTasks tasks, Function<Class<?>, CodeClass> classes, boolean binding) {
    this.tasks = tasks;
    this.classes = Objects.requireNonNull(classes, "classes");
    this.binding = binding;
  }

  @Override
  public boolean isBinding() {
    return binding;
  }

  @Override
  public AdmissionAnswer decide(AdmissionRequest request) {
    CodeClass code = classes.apply(request.code());
    Periodic periodic = request.parameters() instanceof Periodic given ? given : null;
    if (code.reason().isEmpty() && (periodic == null || request.bestEffort())) {
      return bestEffort(
          code.applyTo(Profile.of(request.name(), TaskModel.MAX_NS)),
          request.bestEffort()
              ? "best effort, as it asks for"
              : "best effort, because nothing bounds %s; give it a period"
                  .formatted(request.parameters()));
    }
    Profile asked =
        periodic == null
            ? Profile.of(request.name(), TaskModel.MAX_NS)
            : new Profile(
                request.name(),
                Math.min(periodic.periodNs(), TaskModel.MAX_NS),
                Math.min(periodic.deadlineNs(), TaskModel.MAX_NS),
                periodic.budgetNs(),
                AuthenticationClass.DEFAULT);
    Profile profile = code.applyTo(asked);
    Profile named = tasks.locked(() -> free(profile));
    String identity = tasks.identity(named, request.code());
    return answer(
        tasks.locked(
            () -> {
              Profile last = free(profile);
              // If another has taken the name in between, this one has a trial.
              String its = last.equals(named) ? identity : null;
              return tasks.decide(last, its, code.reason());
            }));
  }

  private AdmissionAnswer bestEffort(Profile profile, String why) {
    return new Answer(tasks.locked(() -> tasks.enter(free(profile), State.BEST_EFFORT, -1, why)));
  }

  private AdmissionAnswer answer(ManagedTask task) {
    return task.state().isAdmitted()
        ? new Answer(task)
        : AdmissionAnswer.refused(task.decision().reason());
  }

  /** Returns a profile with a name that no other task has; with the manager's lock. */
  private Profile free(Profile profile) {
    String name = profile.name();
    for (int i = 2; tasks.hasTask(name); i++) {
      name = profile.name() + "-" + i;
    }
    return profile.named(name);
  }

  @Override
  public ServerAnswer server(AdmissionRequest first, @Nullable PassiveServer asked) {
    CodeClass code = classes.apply(first.code());
    PassiveServer server = asked != null ? asked : usual(code.authenticationOrDefault());
    Profile profile =
        code.applyTo(
            new Profile(
                "server of " + first.name(),
                server.periodNs(),
                server.periodNs(),
                server.budgetNs(),
                AuthenticationClass.DEFAULT));
    return tasks.locked(
        () -> {
          // Nobody has asked for the usual server, so nobody is refused it.
          boolean isAsked = asked != null || !code.reason().isEmpty();
          ManagedTask task = tasks.decideServer(free(profile), code.reason(), isAsked);
          return isAsked || task.state().isAdmitted()
              ? new Served(task, server)
              : new Served(
                  tasks.enter(
                      task.profile(),
                      State.BEST_EFFORT,
                      -1,
                      "best effort, because the usual server does not fit: "
                          + task.decision().reason()),
                  server);
        });
  }

  /** Returns the usual server, made smaller to what a class allows. */
  private static PassiveServer usual(AuthenticationClass authentication) {
    long periodNs =
        Math.clamp(
            authentication.maxPeriodNs(),
            PassiveServer.MIN_BUDGET_NS,
            PassiveServer.DEFAULT.periodNs());
    long budgetNs =
        Math.min(
            authentication.maxCostNs(periodNs),
            periodNs * PassiveServer.DEFAULT.budgetNs() / PassiveServer.DEFAULT.periodNs());
    return new PassiveServer(Math.max(PassiveServer.MIN_BUDGET_NS, budgetNs), periodNs);
  }

  /** The answer to one request. */
  private class Answer implements AdmissionAnswer {
    final ManagedTask task;

    Answer(ManagedTask task) {
      this.task = task;
    }

    @Override
    public boolean isBestEffort() {
      return task.state() == State.BEST_EFFORT;
    }

    @Override
    public @Nullable ReleaseListener listener() {
      return isBestEffort() ? null : tasks.newWatch(task);
    }

    @Override
    public void bind(Supervised subject) {
      tasks.bind(task, subject);
    }

    @Override
    public @Nullable ReleaseTurn newTurn() {
      return isBestEffort() ? null : tasks.newTurn(task);
    }

    @Override
    public void ended() {
      tasks.ended(task);
    }
  }

  /** The answer to the request for a server. */
  private final class Served extends Answer implements ServerAnswer {
    private final PassiveServer parameters;

    Served(ManagedTask task, PassiveServer parameters) {
      super(task);
      this.parameters = parameters;
    }

    @Override
    public @Nullable String refusal() {
      return task.state() == State.REJECTED ? task.decision().reason() : null;
    }

    @Override
    public PassiveServer parameters() {
      return parameters;
    }

    @Override
    public AdmissionAnswer serve(AdmissionRequest request) {
      CodeClass code = classes.apply(request.code());
      if (!code.reason().isEmpty()) {
        return AdmissionAnswer.refused(code.reason());
      }
      AuthenticationClass authentication = code.authenticationOrDefault();
      AuthenticationClass mine = task.profile().authentication();
      if (!authentication.equals(mine) && authentication.rank() <= mine.rank()) {
        return AdmissionAnswer.refused(
            ("its class is %s, and the passive tasks of this runtime are served in class %s;"
                    + " register it in a runtime of its own")
                .formatted(authentication.name(), mine.name()));
      }
      long budgetNs = request.parameters().budgetNs();
      if (budgetNs > parameters.budgetNs()) {
        return AdmissionAnswer.refused(
            ("a budget of %s (limit: the budget of the server of the passive tasks, %s; do less in"
                    + " a release, or give more by RuntimeSettings.withPassiveServer)")
                .formatted(TimeText.of(budgetNs), TimeText.of(parameters.budgetNs())));
      }
      long deadlineNs = request.parameters().deadlineNs();
      Profile profile =
          new Profile(
              code.qualified(request.name()),
              parameters.periodNs(),
              deadlineNs == 0 ? parameters.periodNs() : Math.min(deadlineNs, TaskModel.MAX_NS),
              budgetNs == 0 ? parameters.budgetNs() : budgetNs,
              authentication);
      return new Answer(
          tasks.locked(
              () ->
                  tasks.enter(
                      free(profile),
                      State.SERVED,
                      task.decision().processor(),
                      "by " + task.name())));
    }
  }
}
