package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;

/** Changes one kind of place in methods. */
interface SiteWeaver {
  /**
   * Writes what stands in for an element, if it is of this weaver's kind; or something that comes
   * before it.
   *
   * @param code the woven method
   * @param index where the element stands in the old method
   * @return whether the element is replaced: otherwise it is still to be written
   */
  boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method);
}
