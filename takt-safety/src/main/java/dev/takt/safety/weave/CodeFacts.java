package dev.takt.safety.weave;

import dev.takt.safety.flow.ControlFlow;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the weaver has to know about a method's code before it changes it: where jumps go, and which
 * code can only end in an exception (the abort paths).
 */
final class CodeFacts {
  /** A handler with the range it guards, as positions in the list of elements. */
  record Handler(int from, int to, int at, ExceptionCatch entry) {}

  private final List<CodeElement> elements;
  private final Map<Label, Integer> positions = new HashMap<>();
  private final Set<Label> targets = new HashSet<>();
  private final List<Handler> handlers = new ArrayList<>();
  private final BitSet aborts = new BitSet();

  /**
   * Looks at code.
   *
   * @param flow its blocks
   */
  CodeFacts(CodeModel code, ControlFlow flow) {
    elements = code.elementList();
    int instructions = 0;
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof Instruction) {
        aborts.set(i, flow.isAbort(instructions++));
      }
      if (element instanceof LabelTarget target) {
        positions.put(target.label(), i);
      }
      targets.addAll(ControlFlow.targets(element));
    }
    for (CodeElement element : elements) {
      if (element instanceof ExceptionCatch entry) {
        targets.add(entry.handler());
        handlers.add(
            new Handler(
                position(entry.tryStart()),
                position(entry.tryEnd()),
                position(entry.handler()),
                entry));
      }
    }
  }

  List<CodeElement> elements() {
    return elements;
  }

  List<Handler> handlers() {
    return handlers;
  }

  int position(Label label) {
    Integer position = positions.get(label);
    if (position == null) {
      throw new WeavingException("a jump in the code has no target; compile the class again");
    }
    return position;
  }

  /** Whether an instruction jumps to itself or to what stands before it. */
  boolean isBackward(int index) {
    for (Label label : ControlFlow.targets(elements.get(index))) {
      if (position(label) <= index) {
        return true;
      }
    }
    return false;
  }

  /** Whether code from this instruction can only end in an exception that leaves the method. */
  boolean isAbortPath(int index) {
    return aborts.get(index);
  }

  /**
   * The instruction that runs before the one at a position, or -1 if control may also come from
   * elsewhere.
   */
  int previous(int index) {
    for (int i = index - 1; i >= 0; i--) {
      CodeElement element = elements.get(i);
      if (element instanceof LabelTarget label && targets.contains(label.label())) {
        return -1;
      }
      if (element instanceof Instruction) {
        return ControlFlow.fallsThrough(element) ? i : -1;
      }
    }
    return -1;
  }

  /** The instruction that runs after the one at a position and only after it, or -1. */
  int next(int index) {
    if (!ControlFlow.fallsThrough(elements.get(index))) {
      return -1;
    }
    for (int i = index + 1; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof LabelTarget label && targets.contains(label.label())) {
        return -1;
      }
      if (element instanceof Instruction) {
        return i;
      }
    }
    return -1;
  }

  /** The integer that the instruction at a position pushes, or null. */
  @Nullable Integer constant(int index) {
    return index >= 0
            && elements.get(index) instanceof ConstantInstruction constant
            && constant.constantValue() instanceof Integer value
        ? value
        : null;
  }
}
