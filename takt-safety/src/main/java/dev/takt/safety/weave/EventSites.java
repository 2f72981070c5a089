package dev.takt.safety.weave;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_char;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes events from the release's pool, and numbers in and out of them without boxing.
 *
 * <p>A value that is boxed only to be added goes to the overload for its primitive type; one that
 * is unboxed right after it was got comes out as a primitive, and fails as the box would; other
 * values come out in boxes that are kept for the next time.
 */
final class EventSites implements SiteWeaver {
  private static final Map<String, Abi.Method> GETTERS =
      Map.of(
          "asDouble", Abi.AS_DOUBLE,
          "asLong", Abi.UNBOX_LONG,
          "asBoolean", Abi.UNBOX_BOOLEAN,
          "doubleValue", Abi.UNBOX_DOUBLE,
          "longValue", Abi.UNBOX_LONG,
          "booleanValue", Abi.UNBOX_BOOLEAN);

  private final TypeTable types;

  EventSites(TypeTable types) {
    this.types = types;
  }

  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (!method.isLive(index)) {
      return false;
    }
    return switch (element) {
      case NewObjectInstruction made when isEvent(made.className().asInternalName()) -> {
        Abi.NEW_EVENT.call(code);
        yield true;
      }
      case InvokeInstruction call when boxed(index, method) != null -> true;
      case InvokeInstruction call when isEvent(call.owner().asInternalName()) ->
          weaveCall(code, call, index, method);
      case InvokeInstruction call -> isUnboxingOfGet(index, method);
      case TypeCheckInstruction cast -> isUnboxingOfGet(index, method);
      default -> false;
    };
  }

  private boolean weaveCall(
      CodeBuilder code, InvokeInstruction call, int index, MethodCode method) {
    if (PoolSites.isConstruction(call, index, method)) {
      if (call.typeSymbol().parameterCount() == 0) {
        code.pop();
      } else {
        add(code, index, method);
        code.pop();
      }
      return true;
    }
    if (isCall(call, Abi.EVENT_ADD)) {
      add(code, index, method);
      return true;
    }
    if (isCall(call, Abi.EVENT_GET)) {
      Abi.Method getter = getter(index, method);
      (getter == null ? Abi.BOXED : getter).call(code);
      return true;
    }
    return false;
  }

  /** Writes the addition of a value, boxed or not. */
  private void add(CodeBuilder code, int index, MethodCode method) {
    int before = method.flow().previous(index);
    TypeKind kind = before < 0 ? null : boxed(before, method);
    if (kind == null) {
      Abi.EVENT_ADD.call(code);
      return;
    }
    ClassDesc type =
        switch (kind) {
          case BOOLEAN -> CD_boolean;
          case CHAR -> CD_char;
          case FLOAT, DOUBLE -> CD_double;
          default -> CD_long;
        };
    Conversions.convert(code, kind.upperBound(), type);
    code.invokevirtual(Abi.CD_EVENT, "add", MethodTypeDesc.of(Abi.CD_EVENT, CD_String, type));
  }

  /** The kind of the value that an instruction boxes only to add it to an event, or null. */
  private @Nullable TypeKind boxed(int index, MethodCode method) {
    if (!(method.element(index) instanceof InvokeInstruction box)
        || box.opcode() != Opcode.INVOKESTATIC
        || !box.name().equalsString("valueOf")
        || box.typeSymbol().parameterCount() != 1) {
      return null;
    }
    ClassDesc primitive = Conversions.primitive(box.owner().asSymbol());
    if (primitive == null || !box.typeSymbol().parameterType(0).equals(primitive)) {
      return null;
    }
    int next = method.flow().following(index);
    return next >= 0
            && method.element(next) instanceof InvokeInstruction call
            && isEvent(call.owner().asInternalName())
            && (isCall(call, Abi.EVENT_ADD)
                || PoolSites.isConstruction(call, next, method)
                    && call.typeSymbol().parameterCount() == 2)
        ? TypeKind.from(primitive)
        : null;
  }

  /** What does the same as a {@code get} and what follows it, or null. */
  private Abi.@Nullable Method getter(int get, MethodCode method) {
    int next = method.flow().following(get);
    if (next < 0) {
      return null;
    }
    if (method.element(next) instanceof InvokeInstruction call
        && call.opcode() == Opcode.INVOKESTATIC
        && call.name().stringValue().startsWith("as")) {
      Abi.Method getter = GETTERS.get(call.name().stringValue());
      return getter != null
              && call.typeSymbol().equals(MethodTypeDesc.of(getter.type().returnType(), CD_Object))
              && isOfTask(call)
          ? getter
          : null;
    }
    int after = method.flow().following(next);
    if (after >= 0
        && method.element(next) instanceof TypeCheckInstruction cast
        && cast.opcode() == Opcode.CHECKCAST
        && method.element(after) instanceof InvokeInstruction unbox
        && unbox.owner().asInternalName().equals(cast.type().asInternalName())
        && unbox.typeSymbol().parameterCount() == 0) {
      Abi.Method getter = GETTERS.get(unbox.name().stringValue());
      ClassDesc primitive = Conversions.primitive(cast.type().asSymbol());
      return getter != null && getter.type().returnType().equals(primitive) ? getter : null;
    }
    return null;
  }

  /** Whether a call means the task class's own method, not one that hides it. */
  private boolean isOfTask(InvokeInstruction call) {
    String name = call.name().stringValue();
    String descriptor = call.type().stringValue();
    for (String at = call.owner().asInternalName(); at != null; at = types.superName(at)) {
      ClassModel model = types.find(at);
      if (model != null && TypeTable.method(model, name, descriptor) != null) {
        return at.equals(Abi.TASK);
      }
    }
    return false;
  }

  /** Whether an instruction belongs to what a getter does already. */
  private boolean isUnboxingOfGet(int index, MethodCode method) {
    int at = method.flow().previous(index);
    if (at < 0) {
      return false;
    }
    if (isGet(at, method)) {
      return getter(at, method) != null;
    }
    if (!(method.element(at) instanceof TypeCheckInstruction)) {
      return false;
    }
    int before = method.flow().previous(at);
    return before >= 0 && isGet(before, method) && getter(before, method) != null;
  }

  private boolean isGet(int index, MethodCode method) {
    return method.element(index) instanceof InvokeInstruction call
        && isEvent(call.owner().asInternalName())
        && isCall(call, Abi.EVENT_GET)
        && method.isLive(index);
  }

  private static boolean isEvent(String name) {
    return name.equals(Abi.EVENT);
  }

  private static boolean isCall(InvokeInstruction call, Abi.Method method) {
    return call.opcode() == Opcode.INVOKEVIRTUAL
        && call.name().equalsString(method.name())
        && call.typeSymbol().equals(method.type());
  }
}
