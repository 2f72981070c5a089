package dev.takt.mutation;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Says which faults can be put in the place of one instruction. */
final class Faults {
  /**
   * One fault.
   *
   * @param text what becomes of what, in the words of the source
   * @param code what stands there instead of the instruction
   */
  record Fault(String text, Consumer<CodeBuilder> code) {}

  /** By opcode: its boundary moved, and its negation. */
  private static final Map<Opcode, Branch> BRANCHES =
      Map.ofEntries(
          Map.entry(Opcode.IFEQ, new Branch("==", Opcode.IFNE, "!=", null, null)),
          Map.entry(Opcode.IFNE, new Branch("!=", Opcode.IFEQ, "==", null, null)),
          Map.entry(Opcode.IFLT, new Branch("<", Opcode.IFGE, ">=", Opcode.IFLE, "<=")),
          Map.entry(Opcode.IFLE, new Branch("<=", Opcode.IFGT, ">", Opcode.IFLT, "<")),
          Map.entry(Opcode.IFGT, new Branch(">", Opcode.IFLE, "<=", Opcode.IFGE, ">=")),
          Map.entry(Opcode.IFGE, new Branch(">=", Opcode.IFLT, "<", Opcode.IFGT, ">")),
          Map.entry(Opcode.IF_ICMPEQ, new Branch("==", Opcode.IF_ICMPNE, "!=", null, null)),
          Map.entry(Opcode.IF_ICMPNE, new Branch("!=", Opcode.IF_ICMPEQ, "==", null, null)),
          Map.entry(
              Opcode.IF_ICMPLT, new Branch("<", Opcode.IF_ICMPGE, ">=", Opcode.IF_ICMPLE, "<=")),
          Map.entry(
              Opcode.IF_ICMPLE, new Branch("<=", Opcode.IF_ICMPGT, ">", Opcode.IF_ICMPLT, "<")),
          Map.entry(
              Opcode.IF_ICMPGT, new Branch(">", Opcode.IF_ICMPLE, "<=", Opcode.IF_ICMPGE, ">=")),
          Map.entry(
              Opcode.IF_ICMPGE, new Branch(">=", Opcode.IF_ICMPLT, "<", Opcode.IF_ICMPGT, ">")),
          Map.entry(Opcode.IF_ACMPEQ, new Branch("same", Opcode.IF_ACMPNE, "other", null, null)),
          Map.entry(Opcode.IF_ACMPNE, new Branch("other", Opcode.IF_ACMPEQ, "same", null, null)),
          Map.entry(Opcode.IFNULL, new Branch("null", Opcode.IFNONNULL, "not null", null, null)),
          Map.entry(Opcode.IFNONNULL, new Branch("not null", Opcode.IFNULL, "null", null, null)));

  /** Of an operator's name without its type: what it becomes. */
  private static final Map<String, String> OPERATORS =
      Map.ofEntries(
          Map.entry("ADD", "SUB"),
          Map.entry("SUB", "ADD"),
          Map.entry("MUL", "DIV"),
          Map.entry("DIV", "MUL"),
          Map.entry("REM", "MUL"),
          Map.entry("SHL", "SHR"),
          Map.entry("SHR", "SHL"),
          Map.entry("USHR", "SHL"),
          Map.entry("AND", "OR"),
          Map.entry("OR", "AND"),
          Map.entry("XOR", "AND"));

  /** What only other threads, the processor or the collector can notice. */
  private static final Set<String> UNSEEN =
      Set.of(
          "onSpinWait",
          "fullFence",
          "acquireFence",
          "releaseFence",
          "loadLoadFence",
          "storeStoreFence",
          "reachabilityFence",
          "addSuppressed");

  private Faults() {}

  private record Branch(
      String text, Opcode negated, String negatedText, Opcode moved, String movedText) {}

  /**
   * Returns the faults for the instruction at some index of a method's code.
   *
   * @param result the type that the method returns
   */
  static List<Fault> at(List<Instruction> code, int index, ClassDesc result) {
    List<Fault> faults = new ArrayList<>();
    switch (code.get(index)) {
      case BranchInstruction branch -> branches(branch, faults);
      case OperatorInstruction operator -> operator(operator, faults);
      case IncrementInstruction step ->
          faults.add(
              new Fault(
                  "step " + step.constant() + " is turned round",
                  code2 -> code2.iinc(step.slot(), -step.constant())));
      case ConstantInstruction constant -> {
        if (!isBuilding(code, index)) {
          constant(constant, faults);
        }
      }
      case InvokeInstruction call -> call(call, faults);
      case ReturnInstruction ret -> {
        if (index > 0 && code.get(index - 1).opcode() != Opcode.ACONST_NULL) {
          answer(ret, result, faults);
        }
      }
      default -> {}
    }
    return faults;
  }

  private static void branches(BranchInstruction branch, List<Fault> faults) {
    Branch known = BRANCHES.get(branch.opcode());
    if (known == null) {
      return;
    }
    // The compiler jumps over what is to be done, so the source has the negation.
    String source = known.negatedText;
    faults.add(
        new Fault(
            source + " becomes " + known.text,
            code -> code.branch(known.negated, branch.target())));
    if (known.moved != null) {
      String moved = BRANCHES.get(known.moved).negatedText;
      faults.add(
          new Fault(
              source + " becomes " + moved, code -> code.branch(known.moved, branch.target())));
    }
  }

  private static void operator(OperatorInstruction operator, List<Fault> faults) {
    String name = operator.opcode().name();
    String kind = name.substring(1);
    if (kind.equals("NEG")) {
      faults.add(new Fault("minus is left out", code -> {}));
    }
    String other = OPERATORS.get(kind);
    if (other != null) {
      Opcode opcode = Opcode.valueOf(name.charAt(0) + other);
      faults.add(
          new Fault(
              kind.toLowerCase(java.util.Locale.ROOT)
                  + " becomes "
                  + other.toLowerCase(java.util.Locale.ROOT),
              code -> code.with(OperatorInstruction.of(opcode))));
    }
  }

  /**
   * Whether a constant only builds an array of arguments, or is one half of a condition as a value;
   * the condition has faults of its own.
   */
  private static boolean isBuilding(List<Instruction> code, int index) {
    Instruction next = index + 1 < code.size() ? code.get(index + 1) : null;
    Instruction previous = index > 0 ? code.get(index - 1) : null;
    return next instanceof NewReferenceArrayInstruction
        || next instanceof NewPrimitiveArrayInstruction
        || next instanceof ReturnInstruction
        || next instanceof BranchInstruction go && go.opcode() == Opcode.GOTO
        || previous instanceof BranchInstruction gone && gone.opcode() == Opcode.GOTO
        || previous instanceof StackInstruction twice && twice.opcode() == Opcode.DUP;
  }

  private static void constant(ConstantInstruction constant, List<Fault> faults) {
    switch (constant.constantValue()) {
      case Integer value -> {
        int other = value == 1 ? 0 : value + 1;
        faults.add(new Fault(value + " becomes " + other, code -> code.loadConstant(other)));
      }
      case Long value -> {
        long other = value == 1 ? 0 : value + 1;
        faults.add(new Fault(value + "L becomes " + other, code -> code.loadConstant(other)));
      }
      case Double value ->
          faults.add(
              new Fault(value + " becomes " + (value + 1), code -> code.loadConstant(value + 1)));
      default -> {}
    }
  }

  private static void call(InvokeInstruction call, List<Fault> faults) {
    MethodTypeDesc type = call.typeSymbol();
    String name = call.name().stringValue();
    if (!type.returnType().equals(ConstantDescs.CD_void)
        || name.equals(ConstantDescs.INIT_NAME)
        || UNSEEN.contains(name)) {
      return;
    }
    faults.add(
        new Fault(
            name + " is not called",
            code -> {
              for (int i = type.parameterCount() - 1; i >= 0; i--) {
                pop(code, TypeKind.from(type.parameterType(i)));
              }
              if (call.opcode() != Opcode.INVOKESTATIC) {
                code.pop();
              }
            }));
  }

  private static void pop(CodeBuilder code, TypeKind kind) {
    if (kind.slotSize() == 2) {
      code.pop2();
    } else {
      code.pop();
    }
  }

  private static void answer(ReturnInstruction ret, ClassDesc result, List<Fault> faults) {
    if (result.equals(ConstantDescs.CD_boolean)) {
      faults.add(new Fault("the opposite is returned", code -> code.iconst_1().ixor().ireturn()));
      return;
    }
    switch (ret.typeKind()) {
      case INT -> faults.add(oneMore(code -> code.iconst_1().iadd().ireturn()));
      case LONG -> faults.add(oneMore(code -> code.lconst_1().ladd().lreturn()));
      case DOUBLE -> faults.add(oneMore(code -> code.dconst_1().dadd().dreturn()));
      case REFERENCE ->
          faults.add(new Fault("null is returned", code -> code.pop().aconst_null().areturn()));
      default -> {}
    }
  }

  private static Fault oneMore(Consumer<CodeBuilder> code) {
    return new Fault("one more is returned", code);
  }
}
