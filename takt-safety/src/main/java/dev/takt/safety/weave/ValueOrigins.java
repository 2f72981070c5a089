package dev.takt.safety.weave;

import dev.takt.safety.flow.ControlFlow;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the operands of each instruction come from, and of which type they are: from {@code this},
 * from one of the places in the method that make arrays, or from elsewhere. A value is a set of
 * origins, kept as the bits of a long; a value of two words takes two places on the stack, as in
 * the class file.
 *
 * <p>It is an abstract interpretation up to the fixed point, with union where control joins.
 */
final class ValueOrigins {
  /** The object whose method or constructor runs. */
  static final long THIS = 1;

  /** Anything else. */
  static final long OTHER = 2;

  private static final int FIRST_SITE = 2;

  /** The type of {@code null}, which goes with every other. */
  private static final ClassDesc NULL = ConstantDescs.CD_Void;

  private static final Value UNKNOWN = new Value(OTHER, null);
  private static final Value UNSET = new Value(0, null);
  private static final Value[] UNREACHED = {};

  /**
   * What is known about a value.
   *
   * @param from its origins
   * @param type its type if it is a reference and its type is known
   */
  private record Value(long from, @Nullable ClassDesc type) {
    Value join(Value other) {
      if (equals(other)) {
        return this;
      }
      ClassDesc joined = Objects.equals(type, other.type) || other.type == NULL ? type : null;
      return new Value(from | other.from, type == NULL ? other.type : joined);
    }
  }

  private final CodeFacts facts;
  private final Value[][] stacks;
  private final Map<Integer, Long> sites = new HashMap<>();
  private final Map<Label, State> joins = new HashMap<>();
  private boolean changed;

  ValueOrigins(ClassDesc owner, MethodModel method, CodeAttribute code, CodeFacts facts) {
    this.facts = facts;
    stacks = new Value[facts.elements().size()][];
    Arrays.fill(stacks, UNREACHED);
    State entry = new State(code.maxLocals(), code.maxStack() + 2);
    int slot = 0;
    if (!method.flags().has(AccessFlag.STATIC)) {
      entry.locals[slot++] = new Value(THIS, owner);
    }
    for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
      entry.locals[slot] = new Value(OTHER, parameter);
      slot += TypeKind.from(parameter).slotSize();
    }
    do {
      changed = false;
      sweep(entry.copy());
    } while (changed);
  }

  /** The origins of an operand, counted in words from the top of the stack, 0 being the top. */
  long operand(int index, int depth) {
    return value(index, depth).from();
  }

  /** The static type of an operand, or null if it is not known. */
  @Nullable ClassDesc type(int index, int depth) {
    ClassDesc type = value(index, depth).type();
    return type == NULL ? null : type;
  }

  private Value value(int index, int depth) {
    Value[] stack = stacks[index];
    return stack == UNREACHED ? UNKNOWN : stack[stack.length - 1 - depth];
  }

  /** The bit of the place that makes an array; 0 if there are too many of them. */
  long site(int index) {
    return sites.getOrDefault(index, 0L);
  }

  /** How many words the parameters of a call take. */
  static int words(MethodTypeDesc type) {
    int words = 0;
    for (ClassDesc parameter : type.parameterList()) {
      words += TypeKind.from(parameter).slotSize();
    }
    return words;
  }

  private static final class State {
    final Value[] locals;
    final Value[] stack;
    int size;

    State(int locals, int stack) {
      this.locals = new Value[locals];
      this.stack = new Value[stack];
      Arrays.fill(this.locals, UNSET);
      Arrays.fill(this.stack, UNSET);
    }

    State copy() {
      State copy = new State(locals.length, stack.length);
      System.arraycopy(locals, 0, copy.locals, 0, locals.length);
      System.arraycopy(stack, 0, copy.stack, 0, size);
      copy.size = size;
      return copy;
    }

    void push(Value value) {
      stack[size++] = value;
    }

    void push(ClassDesc type) {
      TypeKind kind = TypeKind.from(type);
      if (kind == TypeKind.REFERENCE) {
        push(new Value(OTHER, type));
      } else {
        push(kind);
      }
    }

    void push(TypeKind kind) {
      for (int i = kind.slotSize(); i > 0; i--) {
        push(UNKNOWN);
      }
    }

    Value pop() {
      return stack[--size];
    }

    void pop(int words) {
      size -= words;
    }

    /** Copies the uppermost words and puts the copy so many words deeper. */
    void duplicate(int words, int below) {
      System.arraycopy(stack, size - words - below, stack, size - below, words + below);
      System.arraycopy(stack, size, stack, size - words - below, words);
      size += words;
    }

    boolean join(State other) {
      boolean grown = join(locals, other.locals, locals.length);
      return join(stack, other.stack, size) || grown;
    }

    private static boolean join(Value[] into, Value[] other, int count) {
      boolean grown = false;
      for (int i = 0; i < count; i++) {
        Value joined = into[i].join(other[i]);
        if (!joined.equals(into[i])) {
          into[i] = joined;
          grown = true;
        }
      }
      return grown;
    }
  }

  private void sweep(@Nullable State state) {
    for (int i = 0; i < facts.elements().size(); i++) {
      CodeElement element = facts.elements().get(i);
      if (element instanceof LabelTarget target) {
        state = atLabel(target.label(), state);
      } else if (element instanceof Instruction instruction && state != null) {
        Value[] before = Arrays.copyOf(state.stack, state.size);
        if (stacks[i] == UNREACHED || !Arrays.equals(stacks[i], before)) {
          stacks[i] = before;
          changed = true;
        }
        flowToHandlers(i, state);
        step(i, instruction, state);
        for (Label label : ControlFlow.targets(instruction)) {
          flow(label, state);
        }
        if (instruction instanceof StoreInstruction) {
          flowToHandlers(i, state);
        }
        if (!ControlFlow.fallsThrough(instruction)) {
          state = null;
        }
      }
    }
  }

  private @Nullable State atLabel(Label label, @Nullable State state) {
    if (state != null && joins.containsKey(label)) {
      flow(label, state);
    }
    State joined = joins.get(label);
    return joined == null ? state : joined.copy();
  }

  private void flow(Label label, State state) {
    State known = joins.get(label);
    if (known == null) {
      joins.put(label, state.copy());
      changed = true;
    } else {
      changed |= known.join(state);
    }
  }

  private void flowToHandlers(int index, State state) {
    for (CodeFacts.Handler handler : facts.handlers()) {
      if (handler.from() <= index && index < handler.to()) {
        State thrown = state.copy();
        thrown.size = 0;
        thrown.push(UNKNOWN);
        flow(handler.entry().handler(), thrown);
      }
    }
  }

  private void step(int index, Instruction instruction, State state) {
    switch (instruction) {
      case LoadInstruction load -> {
        for (int i = 0; i < load.typeKind().slotSize(); i++) {
          state.push(i == 0 ? state.locals[load.slot()] : UNKNOWN);
        }
      }
      case StoreInstruction store -> {
        state.pop(store.typeKind().slotSize() - 1);
        state.locals[store.slot()] = state.pop();
      }
      case ConstantInstruction constant -> stepConstant(constant, state);
      case FieldInstruction field -> stepField(field, state);
      case InvokeInstruction call -> {
        state.pop(words(call.typeSymbol()));
        if (!isStatic(call)) {
          state.pop();
        }
        state.push(call.typeSymbol().returnType());
      }
      case InvokeDynamicInstruction call -> {
        state.pop(words(call.typeSymbol()));
        state.push(call.typeSymbol().returnType());
      }
      case NewObjectInstruction made -> state.push(made.className().asSymbol());
      case NewPrimitiveArrayInstruction made -> stepArray(index, 1, state);
      case NewReferenceArrayInstruction made -> stepArray(index, 1, state);
      case NewMultiArrayInstruction made -> stepArray(index, made.dimensions(), state);
      case ArrayLoadInstruction load -> stepLoad(load, state);
      case ArrayStoreInstruction store -> state.pop(2 + store.typeKind().slotSize());
      case OperatorInstruction operator -> stepOperator(operator, state);
      case ConvertInstruction convert -> {
        state.pop(convert.fromType().slotSize());
        state.push(convert.toType());
      }
      case StackInstruction stack -> stepStack(stack, state);
      case TypeCheckInstruction check -> {
        if (check.opcode() == Opcode.INSTANCEOF) {
          state.pop();
          state.push(UNKNOWN);
        } else {
          state.push(new Value(state.pop().from(), check.type().asSymbol()));
        }
      }
      case BranchInstruction branch -> state.pop(operands(branch));
      case TableSwitchInstruction table -> state.pop();
      case LookupSwitchInstruction lookup -> state.pop();
      case MonitorInstruction monitor -> state.pop();
      case ThrowInstruction thrown -> state.pop();
      case ReturnInstruction end -> state.pop(end.typeKind().slotSize());
      default -> {}
    }
  }

  private static boolean isStatic(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC;
  }

  private void stepArray(int index, int dimensions, State state) {
    state.pop(dimensions);
    int known = sites.size();
    Long bit = sites.get(index);
    if (bit == null && known + FIRST_SITE < Long.SIZE) {
      bit = 1L << (known + FIRST_SITE);
      sites.put(index, bit);
    }
    state.push(
        new Value(bit == null ? OTHER : bit, ArrayPlacement.made(facts.elements().get(index))));
  }

  private static void stepField(FieldInstruction field, State state) {
    TypeKind kind = TypeKind.from(field.typeSymbol());
    switch (field.opcode()) {
      case GETSTATIC -> state.push(field.typeSymbol());
      case PUTSTATIC -> state.pop(kind.slotSize());
      case GETFIELD -> {
        state.pop();
        state.push(field.typeSymbol());
      }
      default -> state.pop(kind.slotSize() + 1);
    }
  }

  private static void stepConstant(ConstantInstruction constant, State state) {
    if (constant.opcode() == Opcode.ACONST_NULL) {
      state.push(new Value(OTHER, NULL));
    } else {
      state.push(constant.typeKind());
    }
  }

  private static void stepLoad(ArrayLoadInstruction load, State state) {
    state.pop();
    ClassDesc array = state.pop().type();
    if (load.typeKind() == TypeKind.REFERENCE) {
      state.push(new Value(OTHER, array == null ? null : array.componentType()));
    } else {
      state.push(load.typeKind());
    }
  }

  private static void stepOperator(OperatorInstruction operator, State state) {
    switch (operator.opcode()) {
      case ARRAYLENGTH -> state.pop();
      case INEG, LNEG, FNEG, DNEG -> state.pop(operator.typeKind().slotSize());
      case LSHL, LSHR, LUSHR -> state.pop(3);
      case LCMP, DCMPG, DCMPL -> state.pop(4);
      case FCMPG, FCMPL -> state.pop(2);
      default -> state.pop(2 * operator.typeKind().slotSize());
    }
    switch (operator.opcode()) {
      case ARRAYLENGTH, LCMP, DCMPG, DCMPL, FCMPG, FCMPL -> state.push(UNKNOWN);
      default -> state.push(operator.typeKind());
    }
  }

  private static void stepStack(StackInstruction stack, State state) {
    switch (stack.opcode()) {
      case POP -> state.pop(1);
      case POP2 -> state.pop(2);
      case DUP -> state.duplicate(1, 0);
      case DUP_X1 -> state.duplicate(1, 1);
      case DUP_X2 -> state.duplicate(1, 2);
      case DUP2 -> state.duplicate(2, 0);
      case DUP2_X1 -> state.duplicate(2, 1);
      case DUP2_X2 -> state.duplicate(2, 2);
      default -> {
        Value top = state.pop();
        Value below = state.pop();
        state.push(top);
        state.push(below);
      }
    }
  }

  private static int operands(BranchInstruction branch) {
    return switch (branch.opcode()) {
      case GOTO, GOTO_W -> 0;
      case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> 1;
      default -> 2;
    };
  }
}
