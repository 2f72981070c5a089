package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.util.List;
import java.util.function.Consumer;

/**
 * Weaves the code of one method: shows each element to the site weavers, in their order, until one
 * of them replaces it. The class file builder may do this several times for one method, so site
 * weavers keep no state that the second time would find changed.
 */
final class MethodWeaver implements CodeTransform {
  private final MethodCode method;
  private final List<SiteWeaver> sites;
  private final Consumer<CodeBuilder> prologue;
  private int index;

  MethodWeaver(MethodCode method, List<SiteWeaver> sites, Consumer<CodeBuilder> prologue) {
    this.method = method;
    this.sites = sites;
    this.prologue = prologue;
  }

  @Override
  public void atStart(CodeBuilder code) {
    index = 0;
    prologue.accept(code);
    sites.forEach(each -> each.begin(code, method));
  }

  @Override
  public void accept(CodeBuilder code, CodeElement element) {
    int at = element instanceof Instruction ? index++ : SiteWeaver.NO_INSTRUCTION;
    for (SiteWeaver site : sites) {
      if (site.weave(code, element, at, method)) {
        return;
      }
    }
    if (!isTiedToOffsets(element)) {
      code.with(element);
    }
  }

  /** Annotations of types in code name byte offsets, which the class-file API copies unchanged. */
  private static boolean isTiedToOffsets(CodeElement element) {
    return element instanceof RuntimeVisibleTypeAnnotationsAttribute
        || element instanceof RuntimeInvisibleTypeAnnotationsAttribute;
  }
}
