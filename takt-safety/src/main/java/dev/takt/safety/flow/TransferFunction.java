package dev.takt.safety.flow;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one instruction does to a frame. */
final class TransferFunction {
  /** JDK methods that hand out an array that nobody else has. */
  private static final Set<String> ARRAY_MAKERS = Set.of("copyOf", "copyOfRange");

  private final Interpreter interpreter;
  private final Interpreter.Source source;
  private final int at;
  private final int line;
  private final Frame frame;
  private final Interpreter.@Nullable Listener listener;

  TransferFunction(
      Interpreter interpreter, int at, Frame frame, Interpreter.@Nullable Listener listener) {
    this.interpreter = interpreter;
    this.source = interpreter.source();
    this.at = at;
    this.line = interpreter.flow().line(at);
    this.frame = frame;
    this.listener = listener;
  }

  void run() {
    Instruction instruction = interpreter.flow().instructions().get(at);
    switch (instruction) {
      case LoadInstruction load -> frame.push(frame.local(load.slot()));
      case StoreInstruction store -> frame.setLocal(store.slot(), frame.pop());
      case ConstantInstruction constant -> constant(constant);
      case ArrayLoadInstruction load -> arrayLoad(load);
      case ArrayStoreInstruction _ -> arrayStore();
      case StackInstruction stack -> stack(stack.opcode());
      case OperatorInstruction operator -> operator(operator);
      case ConvertInstruction convert -> {
        frame.pop();
        frame.push(Value.of(descriptor(convert.toType())));
      }
      case BranchInstruction branch -> branch(branch.opcode());
      case TableSwitchInstruction _ -> frame.pop();
      case LookupSwitchInstruction _ -> frame.pop();
      case ThrowInstruction _ -> thrown(frame.pop());
      case MonitorInstruction _ -> frame.pop();
      case ReturnInstruction returned -> returned(returned);
      case FieldInstruction field -> field(field);
      case InvokeInstruction call -> call(call);
      case InvokeDynamicInstruction site -> dynamic(site);
      case NewObjectInstruction made -> made("L" + made.className().asInternalName() + ";");
      case TypeCheckInstruction check -> check(check);
      default -> other(instruction);
    }
  }

  private void other(Instruction instruction) {
    ClassDesc array = Op.arrayType(instruction);
    if (array == null) {
      refuseSubroutine(instruction.opcode());
    } else {
      for (int i = Op.dimensions(instruction); i > 0; i--) {
        frame.pop();
      }
      frame.push(fresh(array.descriptorString()));
    }
  }

  private static void refuseSubroutine(Opcode opcode) {
    if (opcode.kind() == Opcode.Kind.DISCONTINUED_JSR
        || opcode.kind() == Opcode.Kind.DISCONTINUED_RET) {
      throw new IllegalStateException("subroutines are not supported");
    }
  }

  private static String descriptor(TypeKind kind) {
    return kind.upperBound().descriptorString();
  }

  private void made(String type) {
    int marks = source.tracked(type);
    frame.push(new Value(type, marks, null, marks == 0 ? 0 : interpreter.newSite(at)));
  }

  private Value fresh(String type) {
    return new Value(type, 0, null, interpreter.newSite(at));
  }

  private void constant(ConstantInstruction constant) {
    if (constant.opcode() == Opcode.ACONST_NULL) {
      frame.push(Value.NULL);
    } else if (constant instanceof ConstantInstruction.LoadConstantInstruction load) {
      frame.push(Value.of(typeOf(load)));
    } else {
      frame.push(Value.of(descriptor(constant.typeKind())));
    }
  }

  private static String typeOf(ConstantInstruction.LoadConstantInstruction load) {
    return switch (load.constantValue()) {
      case String _ -> "Ljava/lang/String;";
      case Integer _ -> "I";
      case Long _ -> "J";
      case Float _ -> "F";
      case Double _ -> "D";
      default -> load.typeKind() == TypeKind.REFERENCE ? Value.OBJECT : descriptor(load.typeKind());
    };
  }

  private void arrayLoad(ArrayLoadInstruction load) {
    frame.pop();
    Value array = frame.pop();
    if (load.typeKind() != TypeKind.REFERENCE) {
      frame.push(Value.of(descriptor(load.typeKind().asLoadable())));
      return;
    }
    String type = array.type().startsWith("[") ? array.type().substring(1) : Value.OBJECT;
    int marks = Value.FOREIGN | array.marks() & (Value.BORROWED | Value.KEPT | Value.SHARED);
    frame.push(source.other(new Value(type, marks, array.name(), 0)));
  }

  private void arrayStore() {
    Value value = frame.pop();
    frame.pop();
    Value array = frame.pop();
    if (listener != null && value.isReference()) {
      listener.arrayStore(array, value, line);
    } else if (listener != null) {
      listener.change(array, null, null, line);
    }
  }

  private void thrown(Value value) {
    if (listener != null) {
      listener.thrown(value, line);
    }
  }

  private void operator(OperatorInstruction operator) {
    String name = operator.opcode().name();
    if (operator.opcode() == Opcode.ARRAYLENGTH || name.endsWith("NEG")) {
      frame.pop();
    } else {
      frame.pop();
      frame.pop();
    }
    boolean compares = name.contains("CMP") || operator.opcode() == Opcode.ARRAYLENGTH;
    frame.push(Value.of(compares ? "I" : descriptor(operator.typeKind())));
  }

  private void branch(Opcode opcode) {
    switch (opcode) {
      case GOTO, GOTO_W -> {}
      case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE, IFNULL, IFNONNULL -> frame.pop();
      case JSR, JSR_W -> refuseSubroutine(opcode);
      default -> {
        frame.pop();
        frame.pop();
      }
    }
  }

  private void returned(ReturnInstruction returned) {
    if (returned.typeKind() != TypeKind.VOID) {
      Value value = frame.pop();
      if (listener != null && value.isReference()) {
        listener.returned(value, line);
      }
    }
  }

  private void field(FieldInstruction field) {
    String owner = field.owner().asInternalName();
    String name = field.name().stringValue();
    String type = field.type().stringValue();
    switch (field.opcode()) {
      case GETSTATIC -> frame.push(source.field(owner, name, null, Value.foreign(type)));
      case PUTSTATIC -> put(owner, name, type, frame.pop(), null);
      case GETFIELD -> {
        Value object = frame.pop();
        frame.push(source.field(owner, name, object, read(type, object)));
      }
      default -> {
        Value value = frame.pop();
        put(owner, name, type, value, frame.pop());
      }
    }
  }

  private void put(String owner, String name, String type, Value value, @Nullable Value object) {
    if (listener != null && type.length() > 1) {
      listener.put(owner, name, type, object, value, line);
    } else if (listener != null && object != null) {
      listener.change(object, owner, name, line);
    }
  }

  private static Value read(String type, Value object) {
    if (type.length() == 1) {
      return Value.of(type);
    }
    int marks = Value.FOREIGN | object.marks() & (Value.BORROWED | Value.SHARED);
    return new Value(type, marks, object.name(), 0);
  }

  private void call(InvokeInstruction call) {
    boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
    MethodTypeDesc type = call.typeSymbol();
    List<Value> arguments = pop(type, !isStatic);
    Op.Call op = Op.call(call, line, false);
    if (listener != null) {
      listener.call(op, arguments, line);
    }
    pushResult(op, type.returnType(), arguments);
  }

  private void pushResult(Op.Call call, ClassDesc type, List<Value> arguments) {
    String result = type.descriptorString();
    if (result.equals("V")) {
      return;
    }
    boolean copies =
        call.owner().equals("java/util/Arrays") && ARRAY_MAKERS.contains(call.name())
            || call.owner().startsWith("[") && call.name().equals("clone");
    if (copies) {
      frame.push(fresh(arguments.getFirst().type()));
    } else {
      Value value = result.length() == 1 ? Value.of(result) : Value.foreign(result);
      frame.push(source.result(call, arguments, value));
    }
  }

  private void dynamic(InvokeDynamicInstruction site) {
    MethodTypeDesc type = site.typeSymbol();
    List<Value> arguments = pop(type, false);
    boolean captures = Op.isLambda(site);
    if (listener != null && captures) {
      listener.captured(arguments, line);
    }
    String result = type.returnType().descriptorString();
    if (!result.equals("V")) {
      frame.push(captures && !arguments.isEmpty() ? Value.foreign(result) : Value.of(result));
    }
  }

  private List<Value> pop(MethodTypeDesc type, boolean receiver) {
    List<Value> arguments = new ArrayList<>();
    for (int i = type.parameterCount(); i > 0; i--) {
      arguments.add(frame.pop());
    }
    if (receiver) {
      arguments.add(frame.pop());
    }
    return arguments.reversed();
  }

  /** A cast to a class hides as what the object was made; one to an array does not. */
  private void check(TypeCheckInstruction check) {
    Value value = frame.pop();
    String type = check.type().asSymbol().descriptorString();
    if (check.opcode() == Opcode.INSTANCEOF) {
      frame.push(Value.of("I"));
    } else if (type.startsWith("[")) {
      frame.push(source.cast(value, value.as(type)));
    } else {
      frame.push(
          source.cast(
              value, new Value(type, value.marks() | Value.FOREIGN, value.name(), value.sites())));
    }
  }

  private void stack(Opcode opcode) {
    switch (opcode) {
      case POP -> frame.popSlots(1);
      case POP2 -> frame.popSlots(2);
      case DUP -> duplicate(1, 0);
      case DUP_X1 -> duplicate(1, 1);
      case DUP_X2 -> duplicate(1, 2);
      case DUP2 -> duplicate(2, 0);
      case DUP2_X1 -> duplicate(2, 1);
      case DUP2_X2 -> duplicate(2, 2);
      default -> {
        List<Value> pair = frame.popSlots(2);
        frame.pushSlots(pair.reversed());
      }
    }
  }

  /** Copies the topmost slots below some others. */
  private void duplicate(int slots, int below) {
    List<Value> top = frame.popSlots(slots);
    List<Value> between = frame.popSlots(below);
    frame.pushSlots(top);
    frame.pushSlots(between);
    frame.pushSlots(top);
  }
}
