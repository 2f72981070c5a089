package dev.takt.safety.bytecode;

import dev.takt.safety.flow.ControlFlow;
import java.lang.classfile.CodeModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method on what is known of its values instead of the values, until nothing new is learnt;
 * then once more over each instruction, telling a listener what happens.
 */
final class Interpreter {
  /** Beyond this many values to remember, a method is too large to be looked at. */
  private static final long MAX_VALUES = 20_000_000;

  /** Hears what a method does with its values. */
  interface Listener {
    /** A store into a field; the object is null if the field is static. */
    default void put(
        String owner, String field, String type, @Nullable Value object, Value value, int line) {}

    default void arrayStore(Value array, Value value, int line) {}

    /**
     * A store of a primitive, into a field of an object, or into an array.
     *
     * @param owner the class that is named with the field; null for an array
     * @param field null for an array
     */
    default void change(Value object, @Nullable String owner, @Nullable String field, int line) {}

    default void returned(Value value, int line) {}

    default void thrown(Value value, int line) {}

    /** A call; of one that is not static, the first argument is the receiver. */
    void call(Op.Call call, List<Value> arguments, int line);

    /** A lambda, or another site that is given values. */
    default void captured(List<Value> arguments, int line) {}
  }

  /** Knows more of values that come from elsewhere than their types tell. */
  interface Source {
    /** A field that is read; the object is null if the field is static. */
    default Value field(String owner, String field, @Nullable Value object, Value value) {
      return value;
    }

    /** What a call returns. */
    default Value result(Op.Call call, List<Value> arguments, Value value) {
      return value;
    }

    /** What is cast. */
    default Value cast(Value value, Value result) {
      return other(result);
    }

    /** An element of an array, or what is caught: nobody has seen where it comes from. */
    default Value other(Value value) {
      return value;
    }
  }

  private static final Source NOTHING = new Source() {};

  private final MethodInfo method;
  private final Source source;
  private final ControlFlow flow;
  private final @Nullable Frame[] frames;
  private final Deque<Integer> work = new ArrayDeque<>();

  private Interpreter(MethodInfo method, CodeModel code, Source source) {
    this.method = method;
    this.source = source;
    this.flow = new ControlFlow(code, _ -> false);
    this.frames = new Frame[flow.instructions().size()];
  }

  /**
   * Runs a method.
   *
   * @param arguments its receiver and parameters
   * @throws UnreadableClassException if the code is damaged, or too large
   */
  static void run(MethodInfo method, List<Value> arguments, Listener listener) {
    run(method, arguments, NOTHING, listener);
  }

  /**
   * Runs a method.
   *
   * @param arguments its receiver and parameters
   * @param source what is known of values from elsewhere
   * @throws UnreadableClassException if the code is damaged, or too large
   */
  static void run(MethodInfo method, List<Value> arguments, Source source, Listener listener) {
    CodeModel code = method.model.code().orElse(null);
    if (!(code instanceof CodeAttribute attribute)) {
      return;
    }
    long values = (long) attribute.codeLength() * (attribute.maxLocals() + 1L);
    if (values > MAX_VALUES) {
      throw new UnreadableClassException(
          method.owner.name, method.selector + " is too large to follow its values");
    }
    try {
      Interpreter interpreter = new Interpreter(method, code, source);
      interpreter.learn(new Frame(attribute.maxLocals(), arguments));
      interpreter.tell(listener);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new UnreadableClassException(
          method.owner.name, "the code of " + method.selector + " is damaged", e);
    }
  }

  private void learn(Frame first) {
    if (frames.length == 0) {
      return;
    }
    merge(0, first);
    Integer at;
    while ((at = work.poll()) != null) {
      Frame frame = frameAt(at).copy();
      passToHandlers(at, frame);
      new TransferFunction(method, flow, at, frame, source, null).run(flow.instructions().get(at));
      passToHandlers(at, frame);
      passOn(at, frame);
    }
  }

  private void tell(Listener listener) {
    for (int at = 0; at < frames.length; at++) {
      if (frames[at] != null) {
        new TransferFunction(method, flow, at, frameAt(at).copy(), source, listener)
            .run(flow.instructions().get(at));
      }
    }
  }

  private Frame frameAt(int at) {
    Frame frame = frames[at];
    if (frame == null) {
      throw new IllegalStateException("no frame at instruction " + at);
    }
    return frame;
  }

  private void merge(int at, Frame incoming) {
    Frame known = frames[at];
    if (known == null) {
      frames[at] = incoming.copy();
      work.add(at);
    } else if (known.merge(incoming)) {
      work.add(at);
    }
  }

  private void passToHandlers(int at, Frame frame) {
    for (ExceptionCatch handler : flow.handlers()) {
      if (flow.covers(handler, at)) {
        String type =
            handler.catchType().map(ClassEntry::asInternalName).orElse("java/lang/Throwable");
        Frame caught = frame.copy();
        caught.clearStack();
        caught.push(source.other(Value.foreign("L" + type + ";")));
        merge(flow.at(handler.handler()), caught);
      }
    }
  }

  private void passOn(int at, Frame frame) {
    for (int next : flow.next(at)) {
      if (next < frames.length) {
        merge(next, frame);
      }
    }
  }
}
