package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ObjectAccess;
import dev.takt.reflex.woven.Undoable;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of stable and persistent objects.
 *
 * <p><b>Early instances.</b> Where a field of a final class refers to the next new object, there is
 * no doubt of what that is: it is made at once, and the field is set. An object all of whose
 * references can be set so, or refer to what is there, is settled and needs no fix-up. If the
 * record that comes is of another class, the file does not fit.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class StableReader {
  private final ReferenceInput from;
  private final ReadObjects objects;
  private final Set<Object> inPlace = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Values of one object, by the numbers of its fields. */
  private long[] bits = new long[16];

  private @Nullable Object[] references = new Object[16];

  /** What is there for the references of one object. */
  private int[] codes = new int[16];

  private boolean settled;

  StableReader(ReferenceInput from, ReadObjects objects) {
    this.from = from;
    this.objects = objects;
  }

  /** Makes room for the values of an object. */
  void requireRoom(int fields) {
    if (fields > bits.length) {
      bits = new long[fields];
      references = new Object[fields];
      codes = new int[fields];
    }
  }

  /** Returns how many fields there is room for. */
  int room() {
    return bits.length;
  }

  /** Returns whether the references of the object that was read last are set. */
  boolean isSettled() {
    return settled;
  }

  /** Returns what stands in the place of the next object, if it is of a class and not taken yet. */
  @Nullable Object takeCandidate(Class<?> type) {
    Object candidate = objects.candidate();
    return candidate != null && candidate.getClass() == type && inPlace.add(candidate)
        ? candidate
        : null;
  }

  /** Whether what a constructor has made may stay, and take in what was stored. */
  static boolean canBeTaken(@Nullable Object object) {
    return object instanceof Undoable || GraphReader.isArray(object);
  }

  /**
   * Reads an object.
   *
   * @param changed the one that is read once more, or null: it is new
   */
  Object read(ClassPlan plan, @Nullable Object changed) throws IOException {
    settled = false;
    ClassShape shape = plan.shape();
    if (shape == null) {
      readFields(plan, null, null);
      return new Unknown(plan.entry().name());
    }
    Object early = changed == null ? objects.early() : null;
    Object present = changed == null && early == null ? takeCandidate(shape.type()) : changed;
    Object object = early == null ? present : early;
    if (object == null) {
      object = shape.access().make(bits, references);
    }
    if (present != null || !plan.isSame() || !takeAll(object, plan, shape)) {
      if (present != null || plan.isPartial()) {
        shape.access().read(object, bits, references);
      }
      readFields(plan, present, object);
    }
    return object;
  }

  /** Reads field by field, as the file has them. */
  private void readFields(ClassPlan plan, @Nullable Object present, @Nullable Object object)
      throws IOException {
    RecordInput in = from.in();
    int[] targets = plan.targets();
    for (int i = 0; i < targets.length; i++) {
      FieldEntry field = plan.entry().fields().get(i);
      int target = targets[i];
      if (field.isPrimitive()) {
        long value = in.primitive(field.type());
        if (target >= 0) {
          bits[target] = plan.widened(i, value);
        }
      } else {
        Object there = present == null || target < 0 ? null : references[target];
        objects.addNumber(from.reference(canBeTaken(there) ? there : null));
      }
    }
    ClassShape shape = plan.shape();
    if (shape != null && object != null) {
      shape.access().writePrimitives(object, bits);
    }
  }

  /** Takes all fields of a new object at once, if they are as most are; else takes nothing. */
  private boolean takeAll(Object object, ClassPlan plan, ClassShape shape) throws IOException {
    RecordInput in = from.in();
    int end =
        in.has(shape.maxBytes())
            ? shape.access().take(object, in.array(), in.position(), codes)
            : -1;
    int named = objects.named();
    for (int i = 0; end >= 0 && i < shape.references(); i++) {
      end = codes[i] > named + 1 ? -1 : end;
      named += codes[i] == Format.NEXT ? 1 : 0;
    }
    if (end < 0) {
      return false;
    }
    in.position(end);
    settled = settle(object, plan, shape);
    for (int i = 0; !settled && i < shape.references(); i++) {
      objects.addNumber(codes[i]);
    }
    return true;
  }

  /**
   * Makes numbers of the codes, and sets the references of a new object, if all that it refers to
   * is there, or can be made already.
   *
   * @return whether they are set
   */
  private boolean settle(Object object, ClassPlan plan, ClassShape shape) {
    boolean all = objects.canSettle();
    for (int i = 0; i < plan.references().length; i++) {
      ClassPlan.Reference reference = plan.references()[i];
      int code = codes[i];
      Object value = null;
      if (code == Format.NEXT) {
        ObjectAccess maker = objects.canSettle() ? reference.maker() : null;
        value = maker == null ? null : maker.make(bits, references);
        codes[i] = value == null ? objects.name(null) : objects.nameEarly(value);
        all &= value != null;
      } else {
        codes[i] = from.known(code);
        if (all && codes[i] >= 0) {
          value = objects.settled(codes[i]);
          all = isWhole(value);
        }
      }
      references[reference.field()] = value;
    }
    if (all && plan.references().length > 0) {
      shape.access().writeReferences(object, references);
    }
    return all;
  }

  /** Whether an object stays the one that it is. */
  private static boolean isWhole(@Nullable Object object) {
    return object != null && !(object instanceof Records.Pending) && !(object instanceof Unknown);
  }
}
