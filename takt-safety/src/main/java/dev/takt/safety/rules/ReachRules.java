package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.RapidTypeAnalysis;
import dev.takt.safety.reach.ReachedMethod;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What depends on which classes a task makes instances of: finalizers (R4), what stable objects
 * keep (R8), exceptions (R19), superclasses of pooled classes (R26), stable classes that nobody
 * weaves (R29).
 */
final class ReachRules {
  private final ClassWorld world;
  private final FindingCollector report;
  private final Set<String> stableInUse = new HashSet<>();
  private Set<MethodInfo> inAtomics = Set.of();

  ReachRules(ClassWorld world, FindingCollector report) {
    this.world = world;
    this.report = report;
  }

  /** Returns the task classes and the stable classes that tasks make instances of. */
  Set<String> stableInUse() {
    return stableInUse;
  }

  /**
   * Checks a task.
   *
   * @param reach all that it reaches
   * @param atomics what its atomic methods reach
   */
  void check(RapidTypeAnalysis reach, RapidTypeAnalysis atomics) {
    inAtomics = atomics.visits.keySet();
    stableInUse.add(reach.task.name);
    reach.instantiated.stream()
        .filter(each -> world.isSubtype(each, ClassWorld.STABLE))
        .forEach(stableInUse::add);
    for (Map.Entry<String, RapidTypeAnalysis.Site> made : reach.made.entrySet()) {
      ClassInfo type = world.info(made.getKey());
      if (type != null && type.isUser()) {
        checkMade(reach, type, made.getValue());
      }
    }
    for (ReachedMethod visit : reach.visits.values()) {
      if (visit.method.owner.isUser() && visit.mode != ReachedMethod.Mode.CONSTRUCTION) {
        checkThrown(reach, visit);
        checkCalls(reach, visit);
      }
    }
  }

  private void checkMade(RapidTypeAnalysis reach, ClassInfo type, RapidTypeAnalysis.Site site) {
    MethodInfo finalizer = type.select("finalize()V");
    if (finalizer != null && finalizer.owner.isUser()) {
      int line = finalizer.code().firstLine();
      report.error(
          Rule.R4,
          place(finalizer, line),
          reach.task.name,
          "the class %s, of which a task makes instances, has a finalizer: finalize()",
          finalizer.owner);
    }
    if (type.is(ClassWorld.STABLE)) {
      checkStable(reach, type, site);
      return;
    }
    ClassInfo foreign = AllocationRules.foreignSuperclass(type);
    if (foreign != null && !type.is("java/lang/Throwable") && !type.isEnum()) {
      report.error(
          Rule.R26,
          site.visit(),
          site.line(),
          reach.task.name,
          "makes a new %s, whose superclass %s is of the JDK, so that it cannot be pooled",
          type,
          foreign);
    }
  }

  private void checkStable(RapidTypeAnalysis reach, ClassInfo type, RapidTypeAnalysis.Site site) {
    if (type.origin == ClassInfo.Origin.LIBRARY && !type.isWoven) {
      report.error(
          Rule.R29,
          site.visit(),
          site.line(),
          reach.task.name,
          "makes a new %s, which is stable, but in a library that is not woven",
          type);
    }
    for (ClassInfo above : type.chain()) {
      for (FieldModel field : above.fields.values()) {
        checkKept(reach, above, field, site);
      }
    }
  }

  /**
   * A final field of a stable object that a release makes keeps what the release gives it: that
   * must not be an object of the release.
   */
  private void checkKept(
      RapidTypeAnalysis reach, ClassInfo type, FieldModel field, RapidTypeAnalysis.Site site) {
    String descriptor = field.fieldType().stringValue();
    if (!type.isUser()
        || (field.flags().flagsMask() & ClassFile.ACC_SYNTHETIC) != 0
        || (field.flags().flagsMask() & ClassFile.ACC_STATIC) != 0
        || descriptor.charAt(0) != 'L') {
      return;
    }
    String fieldType = ClassNames.inDescriptor(descriptor);
    if (world.isSubtype(fieldType, ClassWorld.STABLE)
        || !world.immutability().isImmutable(descriptor)) {
      return; // another finding, or none
    }
    String kept = keptTransient(reach, descriptor);
    if (kept != null) {
      report.error(
          Rule.R8,
          site.visit(),
          site.line(),
          reach.task.name,
          "makes a new %s, whose field %s could keep a %s that a release has made too",
          type,
          field.fieldName().stringValue(),
          kept);
    }
  }

  /** An exception that leaves its method, and may leave the task, with objects of the release. */
  private void checkThrown(RapidTypeAnalysis reach, ReachedMethod visit) {
    for (Op op : visit.method.code().ops()) {
      if (op instanceof Op.New made
          && made.abort()
          && world.isSubtype(made.type(), "java/lang/Throwable")) {
        String why = carries(reach, made.type());
        if (why != null) {
          report.error(
              Rule.R19,
              visit,
              op.line(),
              reach.task.name,
              "throws a new %s, whose field %s",
              ClassNames.display(made.type()),
              why);
        }
      }
    }
  }

  /** An atomic method of another task happens at once, and stays when the release is undone. */
  private void checkCalls(RapidTypeAnalysis reach, ReachedMethod visit) {
    for (Op op : visit.method.code().ops()) {
      MethodInfo target =
          op instanceof Op.Call call ? AtomicRules.ofOtherTask(world, call, reach.task) : null;
      if (target != null && !inAtomics.contains(visit.method)) {
        report.error(
            Rule.R28,
            visit,
            op.line(),
            reach.task.name,
            "calls the atomic method %s of another task, which stays done when the release is"
                + " undone",
            target);
      }
    }
  }

  /** Returns how the user's exception class could carry an object of a release out, or null. */
  private @Nullable String carries(RapidTypeAnalysis reach, String exception) {
    ClassInfo type = world.info(exception);
    if (type == null) {
      return null;
    }
    for (ClassInfo above : type.chain()) {
      if (!above.isUser()) {
        return null;
      }
      for (FieldModel field : above.fields.values()) {
        int flags = field.flags().flagsMask();
        String descriptor = field.fieldType().stringValue();
        if ((flags & ClassFile.ACC_STATIC) != 0 || descriptor.length() == 1) {
          continue;
        }
        String name = field.fieldName().stringValue();
        if ((flags & ClassFile.ACC_FINAL) == 0 || !world.immutability().isImmutable(descriptor)) {
          return name + " is neither primitive nor final and reference-immutable";
        }
        String kept = keptTransient(reach, descriptor);
        if (kept != null) {
          return name + " could keep a " + kept + " that a release has made";
        }
      }
    }
    return null;
  }

  /** Returns a class that releases make instances of, and that a field of a type can refer to. */
  private @Nullable String keptTransient(RapidTypeAnalysis reach, String descriptor) {
    if (descriptor.charAt(0) != 'L') {
      return null;
    }
    for (ClassInfo kept : world.subtypes().of(ClassNames.inDescriptor(descriptor))) {
      if (reach.made.containsKey(kept.name) && !kept.isEnum()) {
        return kept.displayName();
      }
    }
    return null;
  }
}
