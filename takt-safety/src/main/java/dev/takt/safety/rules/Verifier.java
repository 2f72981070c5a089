package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Finding;
import dev.takt.safety.Rule;
import dev.takt.safety.SourceLocation;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.UnreadableClassException;
import dev.takt.safety.reach.Closure;
import dev.takt.safety.reach.RapidTypeAnalysis;
import dev.takt.safety.reach.ReachedMethod;
import dev.takt.safety.reach.Refusals;
import dev.takt.safety.reach.TaskEntries;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks all tasks of a world against the rules that bytecode can show; what all its tasks share is
 * looked at once.
 */
public final class Verifier {
  /**
   * What a check has found.
   *
   * @param findings sorted by class, line and rule
   * @param closures one for each task class that can be read, in the order of their names; also of
   *     those with findings
   */
  public record Result(List<Finding> findings, List<Closure> closures) {
    /** Copies the lists. */
    public Result {
      findings = List.copyOf(findings);
      closures = List.copyOf(closures);
    }

    /** Returns whether all tasks may run. */
    public boolean isClean() {
      return findings.stream().noneMatch(Finding::isError);
    }
  }

  /** The mark that the weaver leaves. Any compiler can write it, so it proves nothing. */
  private static final String WOVEN = "Ldev/takt/reflex/woven/Woven;";

  private final ClassWorld world;
  private final FindingCollector report = new FindingCollector();
  private final CodeRules codeRules;
  private final StableRules stableRules;
  private final PersistentRules persistentRules;
  private final TaskRules taskRules;
  private final FlowRules flowRules;
  private final ReachRules reachRules;
  private final AtomicRules atomicRules;
  private final AllocationRules allocationRules;
  private final SharedRules sharedRules;

  /** What any task reaches. */
  private final Set<MethodInfo> reached = new HashSet<>();

  private Verifier(ClassWorld world) {
    this.world = world;
    this.codeRules = new CodeRules(world);
    this.stableRules = new StableRules(world, report);
    this.persistentRules = new PersistentRules(world, report);
    this.taskRules = new TaskRules(world, report);
    this.flowRules = new FlowRules(world, report);
    this.reachRules = new ReachRules(world, report);
    this.atomicRules = new AtomicRules(world);
    this.allocationRules = new AllocationRules(world);
    this.sharedRules = new SharedRules(world, report);
  }

  /**
   * Checks the tasks of a world, and its stable and persistent classes, whether a task reaches them
   * or not.
   *
   * <p>What is wrong with one class hides nothing about another: a class that cannot be read is a
   * finding too.
   */
  public static Result verify(ClassWorld world) {
    return new Verifier(world).run();
  }

  /** Returns the closures of a world's tasks without a check of anything, for tests of tasks. */
  public static Result unchecked(ClassWorld world) {
    Refusals refusals = new CodeRules(world);
    return new Result(
        List.of(), world.tasks().stream().map(task -> Closure.of(world, task, refusals)).toList());
  }

  private Result run() {
    for (String name : world.application()) {
      guarded(name, () -> checkClass(name));
    }
    List<Closure> closures = new ArrayList<>();
    for (String name : world.tasks()) {
      ClassInfo task = world.info(name);
      if (task != null) {
        guarded(name, () -> closures.add(checkTask(task)));
      }
    }
    flowRules.finish(reached);
    OutsideRules outsideRules = new OutsideRules(world, report, reached, reachRules.stableInUse());
    for (String name : world.application()) {
      guarded(name, () -> outsideRules.check(name));
    }
    return new Result(report.findings(), closures);
  }

  /**
   * Looks at one class, and goes on if it is damaged. The parser of the JDK reads lazily and tells
   * of damage by various exceptions, wherever something is looked at first.
   */
  private void guarded(String name, Runnable look) {
    try {
      look.run();
    } catch (UnreadableClassException e) {
      reportDamage(e.className(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      UnreadableClassException damaged = new UnreadableClassException(name, e.toString(), e);
      reportDamage(name, String.valueOf(damaged.getMessage()));
    }
  }

  private void reportDamage(String name, String message) {
    report.error(
        Rule.R1,
        new SourceLocation(ClassNames.display(name), null, null, 0, 0),
        null,
        "%s",
        message);
  }

  private void checkClass(String name) {
    ClassInfo type = world.info(name);
    if (type != null && type.origin == ClassInfo.Origin.APPLICATION) {
      checkPlace(type, null);
      checkMark(type, null);
      stableRules.check(type);
      stableRules.checkCapsules(type);
      persistentRules.check(type);
      taskRules.check(type);
      checkFlow(type);
    }
  }

  /** Takt's packages have what takt's own files have, and nothing else. */
  private void checkPlace(ClassInfo type, @Nullable String task) {
    if (world.isImpostor(type)) {
      report.error(
          Rule.R1,
          place(type, null),
          task,
          "the class %s is in a package of takt, but is not in takt's own files, or differs"
              + " there; move your class to another package, and have one version of takt on the"
              + " path",
          type);
    }
  }

  /** The weaver keeps the original in what it marks, so what is looked at has no mark. */
  private void checkMark(ClassInfo type, @Nullable String task) {
    if (MethodInfo.hasAnnotation(type.model, WOVEN)) {
      report.error(
          Rule.R1,
          place(type, null),
          task,
          "the class %s is marked as woven, but does not keep what it was before: this version of"
              + " the weaver did not make it; compile it again and weave it with this version",
          type);
    }
  }

  /** Arrays of stable objects, whether a task makes such objects or not. */
  private void checkFlow(ClassInfo type) {
    if (type.is(ClassWorld.STABLE)) {
      for (MethodInfo method : type.methods.values()) {
        flowRules.check(method, type.is(ClassWorld.TASK) ? type.name : null);
      }
    }
  }

  private Closure checkTask(ClassInfo task) {
    RapidTypeAnalysis reach = new RapidTypeAnalysis(world, task, codeRules);
    reach.runFromEntries();
    for (RapidTypeAnalysis.Gap gap : reach.gaps) {
      report.error(Rule.R1, gap.visit(), gap.line(), task.name, "%s", gap.what());
    }
    for (String name : reach.code()) {
      ClassInfo type = world.info(name);
      if (type != null && type.origin == ClassInfo.Origin.LIBRARY) {
        checkPlace(type, task.name);
        checkMark(type, task.name);
      }
    }
    boolean noAlloc = MethodInfo.hasAnnotation(task.model, TaskEntries.NO_ALLOC);
    for (ReachedMethod visit : reach.visits.values()) {
      reached.add(visit.method);
      guarded(visit.method.owner.name, () -> checkVisit(visit, task, noAlloc));
    }
    RapidTypeAnalysis.Gap overflow = reach.overflow;
    if (overflow != null && !report.hasError(task.name)) {
      report.error(Rule.R1, overflow.visit(), overflow.line(), task.name, "%s", overflow.what());
    }
    RapidTypeAnalysis atomics = new RapidTypeAnalysis(world, task, codeRules);
    atomics.runFromAtomics(reach);
    reachRules.check(reach, atomics);
    guarded(task.name, () -> sharedRules.check(reach));
    for (ReachedMethod visit : atomics.visits.values()) {
      addAll(atomicRules.check(visit.method, task), visit, task);
    }
    return Closure.of(reach, atomics);
  }

  private void checkVisit(ReachedMethod visit, ClassInfo task, boolean noAlloc) {
    flowRules.check(visit.method, task.name);
    addAll(codeRules.check(visit.method, visit.mode == ReachedMethod.Mode.ABORT), visit, task);
    if (noAlloc && visit.mode == ReachedMethod.Mode.RELEASE) {
      addAll(allocationRules.check(visit.method), visit, task);
    }
  }

  private void addAll(List<LocalFinding> problems, ReachedMethod visit, ClassInfo task) {
    problems.forEach(each -> report.add(each, visit, task.name));
  }
}
