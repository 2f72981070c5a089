package dev.takt.safety.flow;

import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method on what is known of its values instead of the values, until nothing new is learnt.
 * Then it answers where the operands of an instruction come from, and reports to a listener what
 * each instruction does.
 *
 * <p>A call that never returns counts as one that does: code after it is dead, but the JVM's
 * verifier looks at it too.
 */
public final class Interpreter {
  /** Reports what a method does with its values. */
  public interface Listener {
    /** A store into a field; the object is null if the field is static. */
    default void put(
        String owner, String field, String type, @Nullable Value object, Value value, int line) {}

    /** A store of a reference into an array. */
    default void arrayStore(Value array, Value value, int line) {}

    /**
     * A store of a primitive, into a field of an object, or into an array.
     *
     * @param owner the class that is named with the field; null for an array
     * @param field null for an array
     */
    default void change(Value object, @Nullable String owner, @Nullable String field, int line) {}

    /** A reference is returned. */
    default void returned(Value value, int line) {}

    /** An exception is thrown. */
    default void thrown(Value value, int line) {}

    /** A call; of one that is not static, the first argument is the receiver. */
    void call(Op.Call call, List<Value> arguments, int line);

    /** A lambda, or another site that is given values. */
    default void captured(List<Value> arguments, int line) {}
  }

  /** Knows more of values that come from elsewhere than their types. */
  public interface Source {
    /** A field that is read; the object is null if the field is static. */
    default Value field(String owner, String field, @Nullable Value object, Value value) {
      return value;
    }

    /** Returns what marks a new object has whose way is followed by its site; 0: it is not. */
    default int tracked(String descriptor) {
      return 0;
    }

    /** What a call returns. */
    default Value result(Op.Call call, List<Value> arguments, Value value) {
      return value;
    }

    /** What is cast. */
    default Value cast(Value value, Value result) {
      return other(result);
    }

    /** An element of an array, or what is caught: nothing is known of where it comes from. */
    default Value other(Value value) {
      return value;
    }
  }

  private static final int LAST_SITE = Long.SIZE - 1;

  private final Source source;
  private final ControlFlow flow;
  private final @Nullable Frame[] frames;
  private final Deque<Integer> work = new ArrayDeque<>();
  private final Map<Integer, Integer> sites = new HashMap<>();

  /**
   * Runs a method.
   *
   * @param flow its code
   * @param maxLocals how many local variables it has
   * @param arguments its receiver and parameters
   * @param source what is known of values from elsewhere
   * @throws IllegalStateException if the code is damaged; so are {@code IllegalArgumentException}
   *     and {@code IndexOutOfBoundsException}
   */
  public Interpreter(ControlFlow flow, int maxLocals, List<Value> arguments, Source source) {
    this.source = source;
    this.flow = flow;
    this.frames = new Frame[flow.instructions().size()];
    if (frames.length > 0) {
      learn(new Frame(maxLocals, arguments));
    }
  }

  /** Reports what the instructions that are reached do, in the order of the code. */
  public void report(Listener listener) {
    for (int at = 0; at < frames.length; at++) {
      Frame frame = frames[at];
      if (frame != null) {
        new TransferFunction(this, at, frame.copy(), listener).run();
      }
    }
  }

  /**
   * Returns what is known of an operand of an instruction.
   *
   * @param slot counted from the top of the stack, where a long or double takes two
   */
  public Value operand(int at, int slot) {
    Frame frame = frames[at];
    return frame == null ? Value.of("") : frame.peek(slot);
  }

  /** Returns the bit of an instruction in {@link Value#sites()}; 0 if it shares one. */
  public long site(int at) {
    int number = sites.getOrDefault(at, LAST_SITE);
    return number == LAST_SITE ? 0 : 1L << number;
  }

  /** Returns the bit of an instruction that makes an array, or another object that is tracked. */
  long newSite(int at) {
    return 1L << sites.computeIfAbsent(at, _ -> Math.min(sites.size(), LAST_SITE));
  }

  ControlFlow flow() {
    return flow;
  }

  Source source() {
    return source;
  }

  private void learn(Frame first) {
    merge(0, first);
    Integer at;
    while ((at = work.poll()) != null) {
      Frame known = frames[at];
      if (known == null) {
        throw new IllegalStateException("no frame at instruction " + at);
      }
      Frame frame = known.copy();
      passToHandlers(at, frame);
      new TransferFunction(this, at, frame, null).run();
      passToHandlers(at, frame);
      passOn(at, frame);
    }
  }

  private void merge(int at, Frame incoming) {
    if (at < frames.length) {
      Frame known = frames[at];
      if (known == null) {
        frames[at] = incoming.copy();
        work.add(at);
      } else if (known.merge(incoming)) {
        work.add(at);
      }
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
    Instruction instruction = flow.instructions().get(at);
    for (Label target : ControlFlow.targets(instruction)) {
      merge(flow.at(target), frame);
    }
    if (ControlFlow.fallsThrough(instruction)) {
      merge(at + 1, frame);
    }
  }
}
