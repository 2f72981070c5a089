package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ObjectAccess;
import dev.takt.persist.graph.ReferenceTaker;
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
final class StableReader extends ReferenceTaker {
  /** How many objects are looked at before they are read, at most. */
  private static final int LONGEST_RUN = 32;

  private final ReferenceInput from;
  private final ReadObjects objects;
  private final Set<Object> inPlace = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Values of one object, by the numbers of its fields. */
  private long[] bits = new long[16];

  private @Nullable Object[] references = new Object[16];

  /**
   * What makes the references of the class at hand, and the numbers of what those of one object
   * mean.
   */
  private @Nullable ObjectAccess[] makers = {};

  private int[] numbers = new int[16];
  private boolean settled;

  /** Whether one of them means what nothing has named. */
  private boolean misfits;

  /** How many objects of one class are expected to come one after the other. */
  private int expectedRun = 1;

  StableReader(ReferenceInput from, ReadObjects objects) {
    this.from = from;
    this.objects = objects;
  }

  /** Makes room for the values of an object. */
  void requireRoom(int fields) {
    if (fields > bits.length) {
      bits = new long[fields];
      references = new Object[fields];
      numbers = new int[fields];
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
      return Unknown.of(plan);
    }
    Object early = changed == null ? objects.early() : null;
    Object present = changed == null && early == null ? takeCandidate(shape.type()) : changed;
    Object object = early == null ? present : early;
    if (object == null) {
      object = shape.access().make(bits, references);
    }
    RecordInput in = from.in();
    boolean canTakeAll = present == null && plan.isSame() && in.has(shape.maxBytes());
    if (!canTakeAll || !takeAll(object, plan, shape, in.position())) {
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

  /**
   * Reads as many of the next objects as were made early, are of one class, and are as most are; of
   * a section without ids.
   *
   * @param classNumber of the class
   * @param tag what their records begin with
   * @param most how many at most
   * @return how many; 0: the next one is to be read by itself
   */
  int readRun(ClassPlan plan, int classNumber, int tag, int most) {
    RecordInput in = from.in();
    ClassShape shape = plan.shape();
    int wanted = shape == null || !plan.isSame() ? Integer.MAX_VALUE : 1 + shape.maxBytes();
    if (shape == null || !begins(in, wanted, tag)) {
      return 0;
    }
    int length = Math.min(expectedRun, most);
    int run = objects.earlyRun(shape.type(), length);
    expectedRun = run == expectedRun ? Math.min(2 * run, LONGEST_RUN) : Math.max(1, run);
    int done = 0;
    while (done < run && begins(in, wanted, tag)) {
      if (!takeAll(objects.get(objects.made()), plan, shape, in.position() + 1)) {
        return done;
      }
      objects.addEarly(classNumber, settled);
      done++;
    }
    return done;
  }

  /** Whether a record of a tag comes next, with all of it in the block, however long it is. */
  private static boolean begins(RecordInput in, int bytes, int tag) {
    return in.has(bytes) && in.array()[in.position()] == tag;
  }

  /** Takes all fields of a new object at once, if they are as most are; else takes nothing. */
  private boolean takeAll(Object object, ClassPlan plan, ClassShape shape, int at) {
    RecordInput in = from.in();
    int named = objects.named();
    settled = objects.canSettle();
    makers = plan.makers();
    misfits = false;
    int end = shape.access().take(object, in.array(), at, this);
    if (end < 0 || misfits) {
      settled = false;
      objects.forget(named);
      return false;
    }
    in.position(end);
    for (int i = 0; !settled && i < makers.length; i++) {
      objects.addNumber(numbers[i]);
    }
    return true;
  }

  /** Finds what a reference of a new object means, if that is there or can be made already. */
  @Override
  protected @Nullable Object take(int code, int reference) {
    if (code == Format.NULL) {
      numbers[reference] = -1;
      return null;
    }
    if (code == Format.NEXT) {
      ObjectAccess maker = objects.canSettle() ? makers[reference] : null;
      Object made = maker == null ? null : maker.make(bits, references);
      settled &= made != null;
      numbers[reference] = made == null ? objects.name(null) : objects.nameEarly(made);
      return made;
    }
    int number = from.known(code);
    numbers[reference] = number;
    misfits |= number < 0;
    Object there = number < 0 || !settled ? null : objects.settled(number);
    settled &= isWhole(there);
    return settled ? there : null;
  }

  /** Whether an object stays the one that it is. */
  private static boolean isWhole(@Nullable Object object) {
    return object != null && !(object instanceof Records.Pending) && !(object instanceof Unknown);
  }
}
