package dev.takt.safety.weave;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
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
  private final boolean[] finishes;

  CodeFacts(CodeModel code) {
    elements = code.elementList();
    finishes = new boolean[elements.size() + 1];
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof LabelTarget target) {
        positions.put(target.label(), i);
      }
      targets.addAll(jumps(element));
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
    findAbortPaths();
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
    for (Label label : jumps(elements.get(index))) {
      if (position(label) <= index) {
        return true;
      }
    }
    return false;
  }

  /** Whether code from here can only end in an exception that leaves the method. */
  boolean isAbortPath(int index) {
    return !finishes[index];
  }

  /** Where an instruction may jump to, other than to the next. */
  static List<Label> jumps(CodeElement element) {
    return switch (element) {
      case BranchInstruction branch -> List.of(branch.target());
      case TableSwitchInstruction table -> cases(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction lookup -> cases(lookup.defaultTarget(), lookup.cases());
      default -> List.of();
    };
  }

  /** Whether control goes on to the next instruction after this one. */
  static boolean fallsThrough(CodeElement element) {
    return switch (element) {
      case BranchInstruction branch ->
          branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
      case TableSwitchInstruction table -> false;
      case LookupSwitchInstruction lookup -> false;
      case ReturnInstruction end -> false;
      case ThrowInstruction end -> false;
      default -> true;
    };
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
        return fallsThrough(element) ? i : -1;
      }
    }
    return -1;
  }

  /** The instruction that runs after the one at a position and only after it, or -1. */
  int next(int index) {
    if (!fallsThrough(elements.get(index))) {
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

  private static List<Label> cases(Label otherwise, List<SwitchCase> cases) {
    List<Label> labels = new ArrayList<>(cases.size() + 1);
    labels.add(otherwise);
    for (SwitchCase one : cases) {
      labels.add(one.target());
    }
    return labels;
  }

  /** Marks backwards, until nothing changes, from where a return or an endless loop is reached. */
  private void findAbortPaths() {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = elements.size() - 1; i >= 0; i--) {
        if (!finishes[i] && mayFinish(i)) {
          finishes[i] = true;
          changed = true;
        }
      }
    }
  }

  private boolean mayFinish(int index) {
    CodeElement element = elements.get(index);
    if (element instanceof ReturnInstruction) {
      return true;
    }
    if (element instanceof Instruction) {
      for (Handler handler : handlers) {
        if (handler.from() <= index && index < handler.to() && finishes[handler.at()]) {
          return true;
        }
      }
    }
    for (Label label : jumps(element)) {
      int at = position(label);
      if (at <= index && !fallsThrough(element) || finishes[at]) {
        return true;
      }
    }
    return fallsThrough(element) && finishes[index + 1];
  }
}
