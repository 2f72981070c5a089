package dev.takt.safety.flow;

import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ExceptionCatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs code on what is known of its values instead of the values, until nothing new is learnt; a
 * listener can then hear of what each instruction does.
 */
public final class Interpreter {
  /** Beyond this many values to remember, a method is too large to be looked at. */
  private static final long MAX_VALUES = 20_000_000;

  /** The bit of all sites for which there is no other. */
  private static final int LAST_SITE = Long.SIZE - 1;

  /** Hears what a method does with its values. */
  public interface Listener {
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
  public interface Source {
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

  /** Knows nothing more. */
  public static final Source NOTHING = new Source() {};

  private final Source source;
  private final ControlFlow flow;
  private final @Nullable Frame[] frames;
  private final Deque<Integer> work = new ArrayDeque<>();

  /** The instructions that make arrays, with their numbers. */
  private final Map<Integer, Integer> sites = new HashMap<>();

  private Interpreter(CodeAttribute code, Source source) {
    this.source = source;
    this.flow = new ControlFlow(code, _ -> false);
    this.frames = new Frame[flow.instructions().size()];
  }

  /** Returns whether there are too many values to follow. */
  public static boolean isTooLarge(CodeAttribute code) {
    return (long) code.codeLength() * (code.maxLocals() + 1L) > MAX_VALUES;
  }

  /**
   * Runs code.
   *
   * @param arguments the receiver and the parameters
   * @param source what is known of values from elsewhere
   * @throws IllegalStateException if the code is damaged; so do {@link IllegalArgumentException}
   *     and {@link IndexOutOfBoundsException} say
   */
  public static Interpreter run(CodeAttribute code, List<Value> arguments, Source source) {
    Interpreter interpreter = new Interpreter(code, source);
    interpreter.learn(new Frame(code.maxLocals(), arguments));
    return interpreter;
  }

  /**
   * Returns what is known of a word of the stack before an instruction; null if nothing gets there.
   *
   * @param depth counted in words, the top being 0
   */
  public @Nullable Value operand(int instruction, int depth) {
    Frame frame = frames[instruction];
    return frame == null ? null : frame.peek(depth);
  }

  /** Returns the bit of an instruction in {@link Value#sites()}; 0 if it shares one. */
  public long site(int instruction) {
    Integer number = sites.get(instruction);
    return number == null || number >= LAST_SITE ? 0 : 1L << number;
  }

  /** Returns the bit of an instruction that makes an array. */
  long newSite(int instruction) {
    sites.putIfAbsent(instruction, sites.size());
    return 1L << Math.min(sites.get(instruction), LAST_SITE);
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
      new TransferFunction(this, flow, at, frame, source, null).run(flow.instructions().get(at));
      passToHandlers(at, frame);
      passOn(at, frame);
    }
  }

  /** Runs once more over each instruction that is reached. */
  public void tell(Listener listener) {
    for (int at = 0; at < frames.length; at++) {
      if (frames[at] != null) {
        new TransferFunction(this, flow, at, frameAt(at).copy(), source, listener)
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
