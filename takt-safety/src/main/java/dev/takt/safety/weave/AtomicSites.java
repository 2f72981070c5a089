package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.takt.safety.flow.Op;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;

/**
 * Turns a method into its clone for atomic calls: reads and writes of stable fields and of arrays
 * go through the call's log, and calls of methods that have a clone go to the clone.
 *
 * <p>The call is the last parameter of the clone; so the operands of an access stay where they are,
 * and it is pushed on top of them.
 */
final class AtomicSites implements SiteWeaver {
  private final TypeTable types;
  private final WeavePlan plan;
  private final AtomicHelpers helpers;

  AtomicSites(TypeTable types, WeavePlan plan, AtomicHelpers helpers) {
    this.types = types;
    this.plan = plan;
    this.helpers = helpers;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    return switch (element) {
      case FieldInstruction access -> weaveField(code, access, index, method);
      case ArrayLoadInstruction load -> weaveLoad(code, load, index, method);
      case ArrayStoreInstruction store -> {
        String name = "store" + elementName(store.typeKind());
        ClassDesc value = valueType(store.typeKind());
        code.aload(callSlot(method));
        Abi.atomicArrays(name, CD_void, arrayType(store.typeKind()), CD_int, value).call(code);
        yield true;
      }
      case NewObjectInstruction made when plan.isPooled(made.className().asInternalName()) -> {
        ClassDesc type = made.className().asSymbol();
        code.invokestatic(type, Abi.NEW, MethodTypeDesc.of(type));
        yield true;
      }
      case InvokeInstruction call -> weaveCall(code, call, index, method);
      case InvokeDynamicInstruction lambda -> helpers.callFactory(code, lambda, callSlot(method));
      default -> weaveArray(code, element, index, method);
    };
  }

  /** Where the call is among the locals of the clone. */
  static int callSlot(MethodCode method) {
    int words = MethodCode.words(method.method().methodTypeSymbol());
    return method.method().flags().has(AccessFlag.STATIC) ? words : words + 1;
  }

  private boolean weaveField(
      CodeBuilder code, FieldInstruction access, int index, MethodCode method) {
    boolean isRead = access.opcode() == Opcode.GETFIELD;
    if (!isRead && access.opcode() != Opcode.PUTFIELD) {
      return false;
    }
    ClassDesc type = access.typeSymbol();
    String field = access.name().stringValue();
    TypeTable.Declared declared =
        types.field(access.owner().asInternalName(), field, type.descriptorString());
    if (declared == null) {
      return false;
    }
    String owner = TypeTable.name(declared.owner());
    int depth = isRead ? 0 : TypeKind.from(type).slotSize();
    boolean isFresh = method.isConstructor() && method.operand(index, depth).isThis();
    if (isFresh || !isLogged(declared, isRead)) {
      if (!isRead && plan.isBarred(owner)) {
        BarrierWeaver.checkInterface(code, type, types);
      }
      return false;
    }
    code.aload(callSlot(method));
    if (isRead) {
      code.invokevirtual(
          access.owner().asSymbol(),
          Abi.atomicGetter(field, owner),
          MethodTypeDesc.of(type, Abi.CD_CALL));
    } else {
      code.invokevirtual(
          access.owner().asSymbol(),
          Abi.atomicSetter(field, owner),
          MethodTypeDesc.of(CD_void, type, Abi.CD_CALL));
    }
    return true;
  }

  /** Whether accesses to a field go through the log of the call. */
  private boolean isLogged(TypeTable.Declared declared, boolean isRead) {
    String owner = TypeTable.name(declared.owner());
    if (!plan.isBarred(owner)) {
      return false;
    }
    String field = declared.field().fieldName().stringValue();
    if (!types.isWeavable(owner)) {
      return TypeTable.declares(
          declared.owner(),
          isRead ? Abi.atomicGetter(field, owner) : Abi.atomicSetter(field, owner));
    }
    boolean isFinal = declared.field().flags().has(AccessFlag.FINAL);
    return !isFinal || isRead && declared.field().fieldType().stringValue().startsWith("[");
  }

  private boolean weaveLoad(
      CodeBuilder code, ArrayLoadInstruction load, int index, MethodCode method) {
    TypeKind kind = load.typeKind();
    String array = method.operand(index, 1).type();
    if (kind == TypeKind.REFERENCE && !array.startsWith("[")) {
      helpers.complain(
          method, "an array whose type is not known is read past the log of an atomic call");
      return false;
    }
    code.aload(callSlot(method));
    Abi.atomicArrays("load" + elementName(kind), valueType(kind), arrayType(kind), CD_int)
        .call(code);
    if (kind == TypeKind.REFERENCE) {
      code.checkcast(ClassDesc.ofDescriptor(array.substring(1)));
    }
    return true;
  }

  private static String elementName(TypeKind kind) {
    return kind == TypeKind.BYTE
        ? "ByteOrBoolean"
        : kind == TypeKind.SHORT ? "Short" : kind == TypeKind.CHAR ? "Char" : Abi.suffix(kind);
  }

  private static ClassDesc valueType(TypeKind kind) {
    return kind == TypeKind.BYTE
        ? CD_int
        : kind == TypeKind.REFERENCE ? CD_Object : kind.upperBound();
  }

  private static ClassDesc arrayType(TypeKind kind) {
    return kind == TypeKind.BYTE ? CD_Object : valueType(kind).arrayType();
  }

  /** New arrays belong to the call until it commits. */
  private boolean weaveArray(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    ClassDesc type = Op.arrayType(element);
    if (type == null) {
      return false;
    }
    code.with(element);
    if (plan.fates().isStable(method, index, type)) {
      announce(code, method);
    } else {
      code.aload(callSlot(method)).swap();
      Abi.CALL_FRESH.call(code);
      code.checkcast(type);
    }
    return true;
  }

  /** Tells the call of a stable object or array that it has made; the object stays on the stack. */
  private static void announce(CodeBuilder code, MethodCode method) {
    code.dup().aload(callSlot(method)).swap();
    Abi.CALL_MADE.call(code);
  }

  private boolean weaveCall(
      CodeBuilder code, InvokeInstruction call, int index, MethodCode method) {
    if (call.opcode() == Opcode.INVOKESPECIAL && call.name().equalsString("<init>")) {
      return weaveConstruction(code, call, index, method);
    }
    return weaveBulk(code, call, callSlot(method)) || helpers.callClone(code, call, method);
  }

  /** What stands in for the methods of the JDK that store into arrays. */
  private static boolean weaveBulk(CodeBuilder code, InvokeInstruction call, int callSlot) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    MethodTypeDesc type = call.typeSymbol();
    if (owner.equals("java/util/Arrays") && name.equals("fill")) {
      int last = type.parameterCount() - 1;
      Conversions.convert(code, type.parameterType(last), CD_Object);
      type = type.changeParameterType(0, CD_Object).changeParameterType(last, CD_Object);
    } else if (!owner.equals("java/lang/System") || !name.equals("arraycopy")) {
      return false;
    }
    code.aload(callSlot);
    Abi.atomicArrays(name, CD_void, type.parameterArray()).call(code);
    return true;
  }

  private boolean weaveConstruction(
      CodeBuilder code, InvokeInstruction call, int index, MethodCode method) {
    String owner = call.owner().asInternalName();
    boolean isDelegation = PoolSites.isDelegation(call, index, method);
    if (isDelegation && WeavePlan.isRoot(owner)) {
      code.pop();
      return true;
    }
    if (!isDelegation && !plan.isPooled(owner)) {
      return false;
    }
    MethodTypeDesc type = call.typeSymbol();
    String init = Abi.init(owner);
    if (helpers.hasClone(owner, "<init>", type.descriptorString())) {
      init = init + Abi.CLONE;
      type = type.insertParameterTypes(type.parameterCount(), Abi.CD_CALL);
      code.aload(callSlot(method));
    }
    code.invokevirtual(call.owner().asSymbol(), init, type);
    if (!isDelegation && types.isStable(owner)) {
      announce(code, method);
    }
    return true;
  }
}
