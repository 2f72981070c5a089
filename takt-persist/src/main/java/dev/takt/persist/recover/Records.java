package dev.takt.persist.recover;

import dev.takt.persist.format.Kind;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.Immutables;
import dev.takt.persist.graph.KeyCosts;
import dev.takt.persist.graph.Mutables;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes records and collections, which cannot be made before what they refer to: those that others
 * need first, with a stack on the heap. What would refer to something {@link Unknown} is not made:
 * that stands in its place, too.
 */
final class Records {
  /**
   * A record that is not made yet.
   *
   * @param bits the primitives, by the fields of the file
   * @param numbers the references, by the fields of the file; -1 for null
   */
  record Pending(ClassPlan plan, long[] bits, int[] numbers) {
    boolean isReference(int place) {
      Kind kind = plan.entry().kind();
      return kind == Kind.COLLECTION
          || kind == Kind.MUTABLE
          || !plan.entry().fields().get(place).isPrimitive();
    }
  }

  private final ReadObjects objects;
  private final KeyCosts costs = new KeyCosts();
  private final boolean[] begun;
  private final ArrayDeque<Integer> stack = new ArrayDeque<>();
  private int next;

  Records(ReadObjects objects) {
    this.objects = objects;
    this.begun = new boolean[objects.made()];
  }

  /**
   * Puts records in the places of pending ones.
   *
   * @param pieces how many places to look at, at most
   * @return whether none is pending any more
   */
  boolean make(int pieces) {
    for (int i = 0; i < pieces; i++) {
      if (!stack.isEmpty()) {
        makeFirst();
      } else if (next == begun.length) {
        return true;
      } else {
        if (objects.get(next) instanceof Pending) {
          stack.push(next);
        }
        next++;
      }
    }
    return false;
  }

  private void makeFirst() {
    int number = stack.element();
    if (!(objects.get(number) instanceof Pending pending)) {
      stack.pop();
      return;
    }
    if (begun[number]) {
      objects.set(number, made(pending));
      stack.pop();
      return;
    }
    begun[number] = true;
    for (int i = 0; i < pending.numbers.length; i++) {
      int needed = pending.isReference(i) ? pending.numbers[i] : -1;
      if (needed >= 0 && objects.get(needed) instanceof Pending) {
        if (begun[needed]) {
          throw new IllegalArgumentException(
              "records refer to each other in a circle, which no program makes: class "
                  + pending.plan.entry().name());
        }
        stack.push(needed);
      }
    }
  }

  private Object made(Pending pending) {
    ClassPlan plan = pending.plan;
    ClassShape shape = Objects.requireNonNull(plan.shape());
    if (shape.isCollection()) {
      @Nullable Object[] elements = new Object[pending.numbers.length];
      for (int i = 0; i < elements.length; i++) {
        int number = pending.numbers[i];
        elements[i] = number < 0 ? null : objects.get(number);
        if (elements[i] instanceof Unknown unknown) {
          return unknown;
        }
      }
      costs.add(shape.type(), elements);
      return shape.kind() == Kind.MUTABLE
          ? Mutables.make(shape.type(), elements)
          : Immutables.make(shape.type(), elements);
    }
    // A component that was added since is zero or null.
    long[] bits = new long[shape.fields().size()];
    @Nullable Object[] references = new Object[bits.length];
    for (int i = 0; i < pending.numbers.length; i++) {
      int target = plan.targets()[i];
      if (target >= 0 && plan.entry().fields().get(i).isPrimitive()) {
        bits[target] = pending.bits[i];
      } else if (target >= 0 && pending.numbers[i] >= 0) {
        references[target] = objects.get(pending.numbers[i]);
        if (references[target] instanceof Unknown unknown) {
          return unknown;
        }
      }
    }
    return shape.access().make(bits, references);
  }
}
