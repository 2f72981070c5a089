package dev.takt.safety.weave;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.List;

/** Weaves a class that no task reaches: it gets stop sites, and is otherwise as it was. */
final class PlainWeaver implements ClassTransform {
  private final WeavePlan plan;
  private final ClassModel model;
  private final List<SiteWeaver> sites;

  PlainWeaver(TypeTable types, WeavePlan plan, ClassModel model) {
    this.plan = plan;
    this.model = model;
    sites = List.of(new HandlerSites(types, plan), new StopSites(plan));
  }

  /** Whether the class has code at all. */
  boolean changesAnything() {
    return model.methods().stream().anyMatch(this::changes);
  }

  private boolean changes(MethodModel method) {
    MethodCode code = plan.code(model, method);
    return code != null && plan.isPlain(code);
  }

  @Override
  public void accept(ClassBuilder to, ClassElement element) {
    if (element instanceof MethodModel method && changes(method)) {
      MethodCode code = plan.code(model, method);
      to.transformMethod(
          method,
          (builder, part) -> {
            if (part instanceof CodeAttribute attribute && code != null) {
              builder.transformCode(attribute, new MethodWeaver(code, sites, _ -> {}));
            } else {
              builder.with(part);
            }
          });
    } else {
      to.with(element);
    }
  }
}
