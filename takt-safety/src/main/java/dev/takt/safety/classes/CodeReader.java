package dev.takt.safety.classes;

import dev.takt.safety.flow.ControlFlow;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Rethrow;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads what a method does from its code. */
final class CodeReader {
  private final MethodInfo method;
  private final ControlFlow flow;
  private final List<Op> ops = new ArrayList<>();
  private boolean abortText;
  private int dynamics;

  private CodeReader(MethodInfo method, CodeModel code) {
    this.method = method;
    this.flow = method.owner.world.helpers().flowOf(method.model, code);
  }

  /**
   * Reads a method.
   *
   * @throws UnreadableClassException if its class is damaged
   */
  static MethodOps read(MethodInfo method) {
    try {
      CodeModel code = method.model.code().orElse(null);
      return code == null ? MethodOps.NONE : new CodeReader(method, code).read();
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new UnreadableClassException(
          method.owner.name, "the code of " + method.selector + " is damaged", e);
    }
  }

  private MethodOps read() {
    Map<Integer, List<ExceptionCatch>> handlers = new HashMap<>();
    for (ExceptionCatch handler : flow.handlers()) {
      handlers.computeIfAbsent(flow.at(handler.handler()), _ -> new ArrayList<>()).add(handler);
    }
    for (int i = 0; i < flow.instructions().size(); i++) {
      boolean abort = flow.isAbort(i);
      for (ExceptionCatch handler : handlers.getOrDefault(i, List.of())) {
        String type = handler.catchType().map(ClassEntry::asInternalName).orElse(null);
        keep(
            new Op.Handler(
                type == null ? "java/lang/Throwable" : type,
                type == null,
                new Rethrow(flow).rethrows(i),
                flow.line(i),
                abort));
      }
      read(i, flow.line(i), abort);
    }
    return new MethodOps(List.copyOf(ops), flow.alwaysThrows(), abortText, flow.firstLine());
  }

  /** Keeps what a rule may ask for: of the JDK, nothing on abort paths, which are trusted. */
  private void keep(Op op) {
    if (op.abort() && method.owner.isJdk()) {
      abortText |= makesText(op);
    } else {
      ops.add(op);
    }
  }

  private static boolean makesText(Op op) {
    return switch (op) {
      case Op.Call call -> TrustedMethods.makesTextOfAnything(call);
      case Op.Dynamic dynamic ->
          dynamic.site().typeSymbol().parameterList().stream().anyMatch(CodeReader::isOpen);
      default -> false;
    };
  }

  private static boolean isOpen(ClassDesc type) {
    return !type.isPrimitive() && !type.descriptorString().equals("Ljava/lang/String;");
  }

  private void read(int index, int line, boolean abort) {
    Instruction instruction = flow.instructions().get(index);
    switch (instruction) {
      case InvokeInstruction call -> keep(Op.call(call, line, abort));
      case InvokeDynamicInstruction site -> keep(new Op.Dynamic(site, dynamics++, line, abort));
      case NewObjectInstruction object ->
          keep(new Op.New(object.className().asInternalName(), line, abort));
      case FieldInstruction field -> keep(field(field, line, abort));
      case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER ->
          keep(new Op.MonitorEnter(line, abort));
      case TypeCheckInstruction check ->
          keep(new Op.Cast(check.type().asInternalName(), line, abort));
      case ConstantInstruction.LoadConstantInstruction constant ->
          keep(new Op.Constant(constant.constantEntry(), line, abort));
      case ArrayStoreInstruction store ->
          keep(new Op.ArrayStore(store.typeKind() == TypeKind.REFERENCE, line, abort));
      default -> {
        ClassDesc array = Op.arrayType(instruction);
        if (array != null) {
          keep(new Op.NewArray(array.descriptorString(), length(index), line, abort));
        }
      }
    }
  }

  /** The length of the outermost array, if all lengths are constants; else -1. */
  private int length(int index) {
    @Nullable Integer[] lengths =
        flow.constantsBefore(index, Op.dimensions(flow.instructions().get(index)));
    for (Integer length : lengths) {
      if (length == null || length < 0) {
        return -1;
      }
    }
    return Objects.requireNonNull(lengths[0]);
  }

  private static Op field(FieldInstruction field, int line, boolean abort) {
    String owner = field.owner().asInternalName();
    String name = field.name().stringValue();
    String type = field.type().stringValue();
    return switch (field.opcode()) {
      case GETSTATIC -> new Op.StaticField(false, owner, name, type, line, abort);
      case PUTSTATIC -> new Op.StaticField(true, owner, name, type, line, abort);
      case GETFIELD -> new Op.Field(false, owner, name, type, line, abort);
      default -> new Op.Field(true, owner, name, type, line, abort);
    };
  }
}
