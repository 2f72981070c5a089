package dev.takt.safety.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is known of local variables and stack before an instruction; long values take two slots. */
final class Frame {
  private final Value[] locals;
  private final List<Value> stack;

  Frame(int maxLocals, List<Value> arguments) {
    locals = new Value[maxLocals];
    Arrays.fill(locals, Value.TOP);
    stack = new ArrayList<>();
    int slot = 0;
    for (Value argument : arguments) {
      locals[slot] = argument;
      slot += argument.isWide() ? 2 : 1;
    }
  }

  private Frame(Frame other) {
    locals = other.locals.clone();
    stack = new ArrayList<>(other.stack);
  }

  Frame copy() {
    return new Frame(this);
  }

  Value local(int slot) {
    return locals[slot];
  }

  void setLocal(int slot, Value value) {
    locals[slot] = value;
    if (value.isWide()) {
      locals[slot + 1] = Value.TOP;
    }
  }

  void push(Value value) {
    stack.add(value);
    if (value.isWide()) {
      stack.add(Value.TOP);
    }
  }

  Value pop() {
    Value value = stack.removeLast();
    return value == Value.TOP ? stack.removeLast() : value;
  }

  /** Returns a slot of the stack, the top being 0. */
  Value peek(int depth) {
    return stack.get(stack.size() - 1 - depth);
  }

  /** Takes slots off the stack, whatever is in them; the topmost is the last. */
  List<Value> popSlots(int count) {
    List<Value> top = stack.subList(stack.size() - count, stack.size());
    List<Value> slots = new ArrayList<>(top);
    top.clear();
    return slots;
  }

  void pushSlots(List<Value> slots) {
    stack.addAll(slots);
  }

  void clearStack() {
    stack.clear();
  }

  /** Adds what another path knows; returns whether that is news. */
  boolean merge(Frame other) {
    boolean changed = false;
    for (int i = 0; i < locals.length; i++) {
      Value joined = locals[i].join(other.locals[i]);
      changed |= !joined.equals(locals[i]);
      locals[i] = joined;
    }
    if (stack.size() != other.stack.size()) {
      throw new IllegalStateException("stacks of different depth meet");
    }
    for (int i = 0; i < stack.size(); i++) {
      Value joined = stack.get(i).join(other.stack.get(i));
      changed |= !joined.equals(stack.get(i));
      stack.set(i, joined);
    }
    return changed;
  }
}
