package dev.takt.safety.flow;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The basic blocks of a method, and which of them are abort blocks: every path from them, within
 * the method, ends in a throw that no handler of the method stops.
 *
 * <p>A block that an exception handler covers has the handler among its successors, so code whose
 * exception is caught in the same method is no abort block unless the handler is one. (Compilers
 * let the handler that leaves a monitor cover itself: that is no way back into the method.) A loop
 * without an end is no abort block either: the property is the least fixpoint.
 */
public final class ControlFlow {
  /** Beyond this many edges from blocks to handlers, nothing is taken for an abort path. */
  private static final int MAX_HANDLER_EDGES = 1_000_000;

  private final List<Instruction> instructions = new ArrayList<>();
  private final List<Instruction> readOnly = Collections.unmodifiableList(instructions);
  private final List<ExceptionCatch> handlers;

  private final List<Integer> lines = new ArrayList<>();
  private final Map<Label, Integer> labels = new HashMap<>();
  private final BitSet leaders = new BitSet();
  private final Predicate<InvokeInstruction> neverReturns;
  private final List<Integer> starts = new ArrayList<>();
  private final BitSet abortBlocks = new BitSet();
  private int[] blockOf = {};

  /** The instructions to which control comes from elsewhere than from the one before. */
  private @Nullable BitSet entered;

  /**
   * Finds the blocks.
   *
   * @param neverReturns the calls after which nothing runs; see {@link ThrowingHelpers}
   */
  public ControlFlow(CodeModel code, Predicate<InvokeInstruction> neverReturns) {
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
          if (endsBlock(instruction)) {
            leaders.set(instructions.size());
          }
        }
        default -> {}
      }
    }
    split();
    findAbortBlocks();
  }

  /** Returns the instructions, in the order of the code. */
  public List<Instruction> instructions() {
    return readOnly;
  }

  /** Returns the exception handlers, in the order in which the JVM asks them. */
  public List<ExceptionCatch> handlers() {
    return handlers;
  }

  /** Returns the source line of an instruction, 0 if unknown. */
  public int line(int instruction) {
    return instruction < lines.size() ? lines.get(instruction) : 0;
  }

  /** Returns the first source line, 0 if unknown. */
  public int firstLine() {
    for (int line : lines) {
      if (line != 0) {
        return line;
      }
    }
    return 0;
  }

  /** Returns the instruction that a label stands before. */
  public int at(Label label) {
    return labels.getOrDefault(label, instructions.size());
  }

  /** Returns whether an instruction is in the range of a handler. */
  public boolean covers(ExceptionCatch handler, int instruction) {
    return at(handler.tryStart()) <= instruction && instruction < at(handler.tryEnd());
  }

  /** Returns whether every path from an instruction ends in a throw out of the method. */
  public boolean isAbort(int instruction) {
    return abortBlocks.get(blockOf[instruction]);
  }

  /** Returns whether no path through the method returns, or runs for ever. */
  public boolean alwaysThrows() {
    return !instructions.isEmpty() && abortBlocks.get(0);
  }

  /**
   * Returns where control goes on after an instruction that throws nothing; perhaps past the end.
   */
  public List<Integer> next(int instruction) {
    Instruction from = instructions.get(instruction);
    List<Integer> next = new ArrayList<>();
    for (Label target : targets(from)) {
      next.add(at(target));
    }
    if (isRet(from)) {
      next.add(instructions.size()); // nobody knows where to
    } else if (goesOn(from)) {
      next.add(instruction + 1);
    }
    return next;
  }

  /** Returns whether an instruction jumps to itself or to what stands before it. */
  public boolean isBackward(int instruction) {
    return targets(instructions.get(instruction)).stream()
        .anyMatch(target -> at(target) <= instruction);
  }

  /**
   * Returns the instruction that runs before another, or -1 if control may also come from
   * elsewhere.
   */
  public int previous(int instruction) {
    int before = instruction - 1;
    return before >= 0 && !isEntered(instruction) && fallsThrough(instructions.get(before))
        ? before
        : -1;
  }

  /** Returns the instruction that runs after another and only after it, or -1. */
  public int following(int instruction) {
    int after = instruction + 1;
    return after < instructions.size() && previous(after) == instruction ? after : -1;
  }

  private boolean isEntered(int instruction) {
    BitSet known = entered;
    if (known == null) {
      known = new BitSet();
      for (Instruction each : instructions) {
        for (Label target : targets(each)) {
          known.set(at(target));
        }
      }
      for (ExceptionCatch handler : handlers) {
        known.set(at(handler.handler()));
      }
      entered = known;
    }
    return known.get(instruction);
  }

  /**
   * Returns the integer constants that are pushed right before an instruction, as many as asked
   * for, with null for each that is not known to be one.
   */
  public @Nullable Integer[] constantsBefore(int instruction, int count) {
    Integer[] constants = new Integer[count];
    int at = instruction;
    for (int i = count - 1; i >= 0; i--) {
      at = previous(at);
      if (at < 0
          || !(instructions.get(at) instanceof ConstantInstruction constant
              && constant.constantValue() instanceof Integer value)) {
        break;
      }
      constants[i] = value;
    }
    return constants;
  }

  /** Returns where an instruction may jump to, other than to the next. */
  public static List<Label> targets(CodeElement element) {
    return switch (element) {
      case BranchInstruction branch -> List.of(branch.target());
      case TableSwitchInstruction table -> cases(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction lookup -> cases(lookup.defaultTarget(), lookup.cases());
      default -> List.of();
    };
  }

  /** Returns whether control may go on to the next instruction after this one. */
  public static boolean fallsThrough(CodeElement element) {
    return switch (element) {
      case BranchInstruction branch ->
          branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
      case TableSwitchInstruction _,
          LookupSwitchInstruction _,
          ReturnInstruction _,
          ThrowInstruction _ ->
          false;
      default -> true;
    };
  }

  private static List<Label> cases(Label byDefault, List<SwitchCase> cases) {
    return Stream.concat(Stream.of(byDefault), cases.stream().map(SwitchCase::target)).toList();
  }

  private boolean goesOn(Instruction instruction) {
    return fallsThrough(instruction)
        && !(instruction instanceof InvokeInstruction call && neverReturns.test(call));
  }

  private static boolean isRet(Instruction instruction) {
    return instruction.opcode().kind() == Opcode.Kind.DISCONTINUED_RET;
  }

  private boolean endsBlock(Instruction instruction) {
    return instruction instanceof BranchInstruction || !goesOn(instruction) || isRet(instruction);
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
      boolean itself = from <= start && covers(handler, from);
      if (covered && !itself) {
        add(from, into);
      }
    }
    boolean leaves = instructions.get(end - 1) instanceof ReturnInstruction;
    for (int next : next(end - 1)) {
      leaves |= next >= instructions.size();
      add(next, into);
    }
    return leaves;
  }

  private void add(int instruction, BitSet into) {
    if (instruction < blockOf.length) {
      into.set(blockOf[instruction]);
    }
  }
}
