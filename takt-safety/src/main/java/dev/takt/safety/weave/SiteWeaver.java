package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;

/** Changes one kind of place in methods. */
interface SiteWeaver {
  /** The index of labels, line numbers and the like. */
  int NO_INSTRUCTION = -1;

  /** Writes what comes before the whole method, outside of all ranges of handlers. */
  default void begin(CodeBuilder code, MethodCode method) {}

  /**
   * Writes what stands in for an element, if it is of this weaver's kind; or something that comes
   * before it.
   *
   * @param code the woven method
   * @param index the number of the instruction in the old method
   * @return whether the element is replaced: otherwise it is still to be written
   */
  boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method);
}
