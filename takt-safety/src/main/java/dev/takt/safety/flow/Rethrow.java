package dev.takt.safety.flow;

import java.lang.classfile.Instruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out whether a handler throws on what it has caught: on all ways from its first instruction
 * that end, whatever loops they pass, and whatever catches it then.
 *
 * <p>What handlers within the handler catch is followed; what the calls of the handler throw is
 * not, unless such a handler catches it.
 */
public final class Rethrow {
  private static final int NONE = -1;

  private final ControlFlow flow;

  /** Looks at the handlers of a method. */
  public Rethrow(ControlFlow flow) {
    this.flow = flow;
  }

  /** Returns whether the handler that begins with an instruction rethrows on all its ways out. */
  public boolean rethrows(int handler) {
    Set<Integer> around = handlersAround(handler);
    Set<Integer> caught = new HashSet<>();
    BitSet reached = new BitSet();
    Deque<Integer> work = new ArrayDeque<>();
    enter(handler, caught, reached, work);
    BitSet exits = new BitSet();
    while (!work.isEmpty()) {
      int at = work.removeLast();
      Instruction instruction = flow.instructions().get(at);
      if (instruction instanceof ReturnInstruction) {
        return false;
      }
      if (instruction instanceof ThrowInstruction) {
        exits.set(at);
      }
      for (int next : flow.next(at)) {
        if (next >= flow.instructions().size()) {
          return false;
        }
        if (!reached.get(next)) {
          reached.set(next);
          work.add(next);
        }
      }
      for (ExceptionCatch inner : flow.handlers()) {
        int entry = flow.at(inner.handler());
        if (flow.covers(inner, at) && !around.contains(entry) && !reached.get(entry)) {
          enter(entry, caught, reached, work);
        }
      }
    }
    return exits.stream().allMatch(at -> flow.isAbort(at) || throwsOneOf(caught, at, reached));
  }

  /** The handlers to which goes what a handler throws, and itself. */
  private Set<Integer> handlersAround(int handler) {
    Set<Integer> around = new HashSet<>();
    around.add(handler);
    flow.handlers().stream()
        .filter(outer -> flow.covers(outer, handler))
        .forEach(outer -> around.add(flow.at(outer.handler())));
    return around;
  }

  private void enter(int entry, Set<Integer> caught, BitSet reached, Deque<Integer> work) {
    if (flow.instructions().get(entry) instanceof StoreInstruction store) {
      caught.add(store.slot());
    }
    reached.set(entry);
    work.add(entry);
  }

  /** Whether an instruction throws a variable that nothing but a handler's entry stores into. */
  private boolean throwsOneOf(Set<Integer> caught, int thrown, BitSet reached) {
    int slot =
        thrown > 0 && flow.instructions().get(thrown - 1) instanceof LoadInstruction load
            ? load.slot()
            : NONE;
    if (!caught.contains(slot)) {
      return false;
    }
    for (int i = reached.nextSetBit(0); i >= 0; i = reached.nextSetBit(i + 1)) {
      if (flow.instructions().get(i) instanceof StoreInstruction store
          && store.slot() == slot
          && !isEntry(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isEntry(int instruction) {
    return flow.handlers().stream().anyMatch(handler -> flow.at(handler.handler()) == instruction);
  }
}
