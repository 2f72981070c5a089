package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;
import dev.takt.safety.reach.ReachedMethod.Mode;
import java.lang.classfile.FieldModel;
import java.lang.constant.ClassDesc;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * What a static field can point to, when live code reads it: of the classes that the static
 * initializer instantiates, itself or by methods that it calls, those that the field's type admits.
 *
 * <p>The initializer itself is no part of Sigma: it has run before the first release (R6).
 */
final class StaticContents {
  /** How many methods behind an initializer are looked at. */
  private static final int MAX_METHODS = 64;

  private final RapidTypeAnalysis reach;
  private final Set<MethodInfo> seen = new HashSet<>();
  private final Deque<MethodInfo> work = new ArrayDeque<>();
  private final Set<String> fieldTypes = new HashSet<>();
  private boolean found;

  StaticContents(RapidTypeAnalysis reach) {
    this.reach = reach;
  }

  void follow(ReachedMethod visit, ClassInfo declaring, Op.StaticField field, Mode mode) {
    String descriptor = field.descriptor();
    String element = descriptor.substring(descriptor.lastIndexOf('[') + 1);
    if (element.length() == 1) {
      return;
    }
    String type = ClassNames.inDescriptor(element);
    if (declaring.isUser()) {
      reach.arriveFromOutside(ClassDesc.ofDescriptor(element));
      collectFieldTypes(type);
    }
    MethodInfo initializer = declaring.methods.get("<clinit>()V");
    if (initializer != null) {
      work.add(initializer);
      seen.add(initializer);
    }
    MethodInfo next;
    while ((next = work.poll()) != null
        && seen.size() <= MAX_METHODS
        && !(found && next != initializer)) {
      look(visit, next, type, field.line(), mode);
    }
    ClassInfo info = reach.world.info(type);
    if (!found && info != null && !info.isAbstract()) {
      arrive(info, visit, mode);
    }
  }

  /** The constants of an enum, and other objects in constants, may keep lambdas in fields. */
  private void collectFieldTypes(String type) {
    for (ClassInfo each : reach.world.subtypes().of(type)) {
      for (FieldModel field : each.fields.values()) {
        String descriptor = field.fieldType().stringValue();
        if (descriptor.startsWith("L")) {
          fieldTypes.add(ClassNames.inDescriptor(descriptor));
        }
      }
    }
  }

  private void arrive(ClassInfo info, ReachedMethod visit, Mode mode) {
    if (info.isUser()) {
      reach.arriveWithFields(info);
    } else {
      reach.arrive(info, visit, mode);
    }
  }

  private void look(ReachedMethod visit, MethodInfo method, String type, int line, Mode mode) {
    for (Op op : method.code().ops()) {
      switch (op) {
        case Op.New made -> {
          ClassInfo info = reach.world.info(made.type());
          if (info != null && info.is(type)) {
            found = true;
            arrive(info, visit, mode);
          }
        }
        case Op.Dynamic dynamic
            when DynamicSites.kind(dynamic.site()) == DynamicSites.Kind.LAMBDA -> {
          ClassInfo info =
              reach.world.info(ClassNames.internal(dynamic.site().typeSymbol().returnType()));
          if (info != null && (info.is(type) || fieldTypes.contains(info.name))) {
            found = true;
            new DynamicSites(reach).follow(visit, dynamic, mode);
          }
        }
        case Op.Call call -> factory(call);
        default -> {}
      }
    }
  }

  private void factory(Op.Call call) {
    String result = call.descriptor().substring(call.descriptor().indexOf(')') + 1);
    if (!result.startsWith("L") || call.owner().startsWith("[")) {
      return;
    }
    MethodInfo target = reach.world.resolve(call);
    if (target != null && seen.add(target)) {
      work.add(target);
    }
  }
}
