package dev.takt.safety.bytecode;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The basic blocks of a method, and which of them are abort blocks: every path from them, within
 * the method, ends in a throw that no handler of the method stops.
 *
 * <p>A block that an exception handler covers has the handler among its successors, so code whose
 * exception is caught in the same method is no abort block unless the handler is one. (Compilers
 * let the handler that leaves a monitor cover itself: that is no way back into the method.) A loop
 * without an end is no abort block either: the property is the least fixpoint.
 */
final class Flow {
  /** Beyond this many edges from blocks to handlers, nothing is taken for an abort path. */
  private static final int MAX_HANDLER_EDGES = 1_000_000;

  final List<Instruction> instructions = new ArrayList<>();
  final List<ExceptionCatch> handlers;

  private final List<Integer> lines = new ArrayList<>();
  private final Map<Label, Integer> labels = new HashMap<>();
  private final BitSet leaders = new BitSet();
  private final Predicate<InvokeInstruction> neverReturns;
  private final List<Integer> starts = new ArrayList<>();
  private final BitSet abortBlocks = new BitSet();
  private int[] blockOf = {};

  /**
   * Finds the blocks.
   *
   * @param neverReturns tells the calls after which nothing runs
   */
  Flow(CodeModel code, Predicate<InvokeInstruction> neverReturns) {
    this.neverReturns = neverReturns;
    this.handlers = code.exceptionHandlers();
    int line = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LabelTarget target -> {
          labels.put(target.label(), instructions.size());
          leaders.set(instructions.size());
        }
        case LineNumber number -> line = number.line();
        case Instruction instruction -> {
          instructions.add(instruction);
          lines.add(line);
          if (ends(instruction)) {
            leaders.set(instructions.size());
          }
        }
        default -> {}
      }
    }
    split();
    findAbortBlocks();
  }

  int line(int instruction) {
    return instruction < lines.size() ? lines.get(instruction) : 0;
  }

  int firstLine() {
    for (int line : lines) {
      if (line != 0) {
        return line;
      }
    }
    return 0;
  }

  /** Returns the instruction that a label stands before. */
  int at(Label label) {
    return labels.getOrDefault(label, instructions.size());
  }

  /** Returns whether every path from an instruction ends in a throw out of the method. */
  boolean isAbort(int instruction) {
    return abortBlocks.get(blockOf[instruction]);
  }

  /**
   * Returns where control goes on after an instruction that throws nothing; perhaps past the end.
   */
  List<Integer> next(int instruction) {
    return switch (instructions.get(instruction)) {
      case ReturnInstruction _, ThrowInstruction _ -> List.of();
      case BranchInstruction branch when isUnconditional(branch) -> List.of(at(branch.target()));
      case BranchInstruction branch -> List.of(at(branch.target()), instruction + 1);
      case TableSwitchInstruction table -> cases(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction lookup -> cases(lookup.defaultTarget(), lookup.cases());
      case InvokeInstruction call when neverReturns.test(call) -> List.of();
      case Instruction other when ends(other) -> List.of(instructions.size()); // ret
      default -> List.of(instruction + 1);
    };
  }

  private List<Integer> cases(Label byDefault, List<SwitchCase> cases) {
    List<Integer> all = new ArrayList<>();
    all.add(at(byDefault));
    for (SwitchCase one : cases) {
      all.add(at(one.target()));
    }
    return all;
  }

  /** Returns whether no path through the method returns, or runs for ever. */
  boolean alwaysThrows() {
    return !instructions.isEmpty() && abortBlocks.get(0);
  }

  private boolean ends(Instruction instruction) {
    return switch (instruction) {
      case BranchInstruction _,
          ReturnInstruction _,
          ThrowInstruction _,
          TableSwitchInstruction _,
          LookupSwitchInstruction _ ->
          true;
      case InvokeInstruction call -> neverReturns.test(call);
      default -> instruction.opcode().kind() == Opcode.Kind.DISCONTINUED_RET;
    };
  }

  private void split() {
    leaders.set(0);
    blockOf = new int[instructions.size()];
    for (int i = 0; i < instructions.size(); i++) {
      if (leaders.get(i)) {
        starts.add(i);
      }
      blockOf[i] = starts.size() - 1;
    }
  }

  private void findAbortBlocks() {
    int blocks = starts.size();
    if ((long) blocks * handlers.size() > MAX_HANDLER_EDGES) {
      return;
    }
    List<List<Integer>> predecessors = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      predecessors.add(new ArrayList<>());
    }
    int[] open = new int[blocks];
    List<Integer> found = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      BitSet successors = new BitSet();
      boolean leaves = successors(block, successors);
      open[block] = leaves ? Integer.MAX_VALUE : successors.cardinality();
      for (int next = successors.nextSetBit(0); next >= 0; next = successors.nextSetBit(next + 1)) {
        predecessors.get(next).add(block);
      }
      if (open[block] == 0) {
        found.add(block);
      }
    }
    while (!found.isEmpty()) {
      int block = found.removeLast();
      abortBlocks.set(block);
      for (int before : predecessors.get(block)) {
        if (--open[before] == 0) {
          found.add(before);
        }
      }
    }
  }

  /** Collects where a block can go on; returns whether it can return, or leave the code. */
  private boolean successors(int block, BitSet into) {
    int start = starts.get(block);
    int end = block + 1 < starts.size() ? starts.get(block + 1) : instructions.size();
    for (ExceptionCatch handler : handlers) {
      int from = at(handler.handler());
      boolean covered = at(handler.tryStart()) < end && start < at(handler.tryEnd());
      boolean itself =
          from <= start && at(handler.tryStart()) <= from && from < at(handler.tryEnd());
      if (covered && !itself) {
        add(from, into);
      }
    }
    Instruction last = instructions.get(end - 1);
    switch (last) {
      case ReturnInstruction _ -> {
        return true;
      }
      case ThrowInstruction _ -> {
        return false;
      }
      case BranchInstruction branch -> {
        add(at(branch.target()), into);
        if (isUnconditional(branch)) {
          return false;
        }
      }
      case TableSwitchInstruction table -> {
        addCases(table.defaultTarget(), table.cases(), into);
        return false;
      }
      case LookupSwitchInstruction lookup -> {
        addCases(lookup.defaultTarget(), lookup.cases(), into);
        return false;
      }
      case InvokeInstruction call -> {
        if (neverReturns.test(call)) {
          return false;
        }
      }
      default -> {
        if (ends(last)) {
          return true; // ret: who knows where to
        }
      }
    }
    add(end, into);
    return end >= instructions.size();
  }

  static boolean isUnconditional(BranchInstruction branch) {
    return switch (branch.opcode()) {
      case GOTO, GOTO_W -> true;
      default -> false;
    };
  }

  private void addCases(Label byDefault, List<SwitchCase> cases, BitSet into) {
    cases(byDefault, cases).forEach(each -> add(each, into));
  }

  private void add(int instruction, BitSet into) {
    if (instruction < blockOf.length) {
      into.set(blockOf[instruction]);
    }
  }
}
