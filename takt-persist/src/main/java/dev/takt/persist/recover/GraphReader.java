package dev.takt.persist.recover;

import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordInput;
import dev.takt.persist.graph.Boxes;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.DeclaredClasses;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one section into its root: the paper's deserialization in two phases (Persistence 4).
 *
 * <p><b>Construction.</b> Records come in the order of their numbers. A stable object or array that
 * the root's constructor has made is taken for the stored one that stands in the same place, if it
 * is of the same class (and length); so final fields keep what they refer to, and only what is in
 * it changes. For others an instance is made, all its fields zero, without running constructors.
 *
 * <p><b>Fix-up.</b> When all objects are there, records are made, those that others refer to first,
 * and the references are set that could not be set before ({@link StableReader}). What this program
 * does not have may be there, if only fields lead to it that are gone ({@link Reach}).
 *
 * <p><b>Changes.</b> An incremental file has objects that are there already: their values and
 * references take the place of those that were read before. So an object is made once and fixed up
 * once, however many files there are.
 *
 * <p><b>Bounds.</b> What is allocated is at most some 120 times the bytes that are read, and the
 * instances of declared classes, of which each takes a byte of the file at least; no array is
 * longer than the bytes that are left of the file. Nothing recurses.
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class GraphReader {
  /** What is not begun yet: those that have changes. */
  private final ArrayDeque<RecordInput> more;

  private final DeclaredClasses declared;

  /** The classes of all files, and the number of the first one of the present file. */
  private final List<ClassPlan> classes = new ArrayList<>();

  private final ReadObjects objects;

  /** What the present file has, and what takes references out of it. */
  private RecordInput in;

  private final ReferenceInput from;
  private final StableReader stables;

  private int firstClass;

  /** The number of the class of the stable object that was read last; -1: none was. */
  private int likely = -1;

  /** How many changed objects are to come, and which one is at hand; -1: a new one. */
  private int changes;

  private int changing = -1;

  private Stage stage = Stage.CONSTRUCTION;

  /** The array whose elements come next, its class and how many of them are read; null: none. */
  private @Nullable Object array;

  private int arrayClass;
  private int arrayDone;

  private @Nullable Records records;

  /** Whether some objects can be made only when all others are there. */
  private boolean hasPending;

  private @Nullable FixUp fixUp;
  private @Nullable Reach reach;

  private enum Stage {
    CONSTRUCTION,
    RECORDS,
    FIX_UP,
    REACH,
    DONE
  }

  /**
   * Makes one, which has read nothing yet.
   *
   * @param all what is in each file of the snapshot, the full one first
   * @param root as its constructor has made it
   */
  public GraphReader(List<RecordInput> all, Object root, DeclaredClasses declared) {
    this.more = new ArrayDeque<>(all);
    this.in = more.remove();
    this.declared = declared;
    this.objects = new ReadObjects(root, !more.isEmpty());
    this.from = new ReferenceInput(in, objects);
    this.stables = new StableReader(from, objects);
  }

  /**
   * Sets the fields of a root, and what hangs together with them.
   *
   * @return how many objects were read
   * @throws DamagedFileException if the section is not as a writer writes it
   * @throws IllegalArgumentException if it does not fit the classes of this program, or the root as
   *     its constructor has made it; then the root may be changed in part, and is not to be used
   */
  public static int read(RecordInput in, Object root, DeclaredClasses declared) throws IOException {
    GraphReader reader = new GraphReader(List.of(in), root, declared);
    boolean done = false;
    while (!done) {
      done = reader.step(Integer.MAX_VALUE);
    }
    return reader.objects();
  }

  /**
   * Reads on; the root is not to be used before all is read.
   *
   * @param pieces how much to do at most: an object is a piece in each phase, and so is a chunk of
   *     an array; but a string is one piece, however long it is
   * @return whether all is read
   * @throws DamagedFileException as {@link #read}
   * @throws IllegalArgumentException as {@link #read}
   */
  public boolean step(int pieces) throws IOException {
    switch (stage) {
      case CONSTRUCTION -> {
        if (construct(pieces)) {
          records = hasPending ? new Records(objects) : null;
          stage = Stage.RECORDS;
        }
      }
      case RECORDS -> {
        if (records == null || records.make(pieces)) {
          records = null;
          fixUp = new FixUp(objects, classes, stables.room());
          stage = Stage.FIX_UP;
        }
      }
      case FIX_UP -> {
        if (fixUp == null || fixUp.run(pieces)) {
          reach = fixUp == null ? null : Reach.of(objects.get(0), fixUp.broken(), classes);
          fixUp = null;
          stage = reach == null ? Stage.DONE : Stage.REACH;
        }
      }
      case REACH -> {
        if (reach == null || reach.run(pieces)) {
          reach = null;
          stage = Stage.DONE;
        }
      }
      case DONE -> {}
    }
    return stage == Stage.DONE;
  }

  /** Returns how many objects were read so far. */
  public int objects() {
    return objects.made();
  }

  /** Returns the last commit that the newest file has; -1: its objects have no ids. */
  public long revision() {
    return (more.isEmpty() ? in : more.getLast()).revision();
  }

  /** Returns the stable objects and arrays that have ids, when all is read. */
  public ObjectsById objectsById() {
    return objects.byId();
  }

  // ---- construction

  /** Returns whether all objects are made. */
  private boolean construct(int pieces) throws IOException {
    for (int i = 0; i < pieces; i++) {
      if (!in.hasNext()) {
        requireAll();
        if (more.isEmpty()) {
          return true;
        }
        beginNext();
        continue;
      }
      if (array != null) {
        readChunk(array);
        continue;
      }
      int run = readRun(pieces - i);
      if (run > 0) {
        i += run - 1;
        continue;
      }
      int tag = in.varint("class", classes.size() - firstClass);
      if (tag == Format.CLASS_TAG) {
        addClass(ClassPlan.of(in.classEntry(), declared));
      } else {
        take(firstClass + tag - 1);
      }
    }
    return false;
  }

  /** Reads some of the next objects, if they are of the class of the one before; else none. */
  private int readRun(int most) {
    return likely >= 0 && in.revision() < 0 && objects.canSettle()
        ? stables.readRun(classes.get(likely), likely, likely - firstClass + 1, most)
        : 0;
  }

  private void take(int classNumber) throws IOException {
    ClassPlan plan = classes.get(classNumber);
    Kind kind = plan.entry().kind();
    likely = kind == Kind.STABLE ? classNumber : likely;
    if (changes > 0) {
      changes--;
      beginChange(plan);
    } else if (objects.made() == objects.named()) {
      nameUnreached(kind);
    } else if (objects.made() == 0) {
      requireRoot(plan);
    }
    Object early = changing < 0 ? objects.early() : null;
    if (early != null) {
      requireType(plan, early.getClass());
    }
    if (kind == Kind.STABLE || kind == Kind.ARRAY) {
      objects.id(changing < 0 ? objects.made() : changing, in.id());
    }
    if (kind == Kind.ARRAY && plan.shape() != null) {
      beginArray(plan.shape(), classNumber);
    } else {
      end(object(plan), classNumber, kind == Kind.STABLE && stables.isSettled());
    }
  }

  /** Nothing refers to the next object; what the journal has may do so. */
  private void nameUnreached(Kind kind) throws IOException {
    if (!in.mayBeUnreached(kind)) {
      throw in.damaged(
          "object %s has no reference to it, limit=%s".formatted(objects.made(), objects.made()));
    }
    objects.name(null);
  }

  private void requireType(ClassPlan plan, Class<?> type) {
    ClassShape shape = plan.shape();
    if (shape == null) {
      throw Unknown.of(plan).refusal(FixUp.holders(type, classes));
    }
    if (shape.type() != type) {
      throw new IllegalArgumentException(
          "an object of class %s was stored in %s, of type %s; give the field another name, and what it led to is skipped"
              .formatted(plan.entry().name(), FixUp.holders(type, classes), type.getName()));
    }
  }

  /** Goes on to the next file: what has changed since the one before. */
  private void beginNext() throws IOException {
    in = more.remove();
    from.next(in);
    if (in.baseObjects() != objects.made()) {
      throw in.damaged(
          "objects of the base of root %s=%s, expected: %s"
              .formatted(in.root(), in.baseObjects(), objects.made()));
    }
    changes = in.changed();
    firstClass = classes.size();
  }

  /** An object that is there comes once more, of the same class and length. */
  private void beginChange(ClassPlan plan) throws IOException {
    changing = in.varint("changed object", in.baseObjects() - 1);
    Kind kind = plan.entry().kind();
    ClassPlan before = classes.get(objects.classNumber(changing));
    boolean canChange = kind == Kind.STABLE || kind == Kind.ARRAY || kind == Kind.MUTABLE;
    if (!canChange || !plan.entry().equals(before.entry())) {
      throw in.damaged(
          "changed object %s is of %s, expected: %s, stable, an array or a collection that changes"
              .formatted(changing, plan.entry().name(), before.entry().name()));
    }
    objects.beginAgain(changing);
  }

  /** An object is read. */
  private void end(Object object, int classNumber, boolean settled) {
    if (changing < 0) {
      objects.add(object, classNumber, settled);
    } else {
      objects.set(changing, object); // of a collection, other elements
      objects.endAgain();
      changing = -1;
    }
  }

  private void requireAll() throws IOException {
    if (changes > 0) {
      throw in.damaged("changed objects missing=" + changes);
    }
    if (array != null) {
      throw in.damaged("an array ends early: elements=" + arrayDone);
    }
    if (objects.made() != objects.named()) {
      throw in.damaged(
          "objects of root %s=%s, expected: %s"
              .formatted(in.root(), objects.made(), objects.named()));
    }
  }

  private void addClass(ClassPlan plan) {
    classes.add(plan);
    ClassShape shape = plan.shape();
    if (shape != null) {
      stables.requireRoom(shape.fields().size());
    }
  }

  private void requireRoot(ClassPlan plan) {
    Object root = objects.candidate();
    if (plan.misfit() != null) {
      throw new IllegalArgumentException(plan.misfit());
    }
    if (plan.shape() == null || root == null || plan.shape().type() != root.getClass()) {
      throw new IllegalArgumentException(
          "it was stored as %s, the task is of %s; register the class that was stored, or under another name; or if it is that class, annotate it with @FormerName(\"%s\")"
              .formatted(
                  plan.entry().name(),
                  root == null ? "null" : root.getClass().getName(),
                  plan.entry().name()));
    }
  }

  private Object object(ClassPlan plan) throws IOException {
    return switch (plan.entry().kind()) {
      case STABLE -> stables.read(plan, changing < 0 ? null : objects.get(changing));
      case RECORD -> record(plan);
      case ENUM -> constant(plan);
      case BOX -> box(plan);
      case VALUE -> value(plan);
      case COLLECTION, MUTABLE -> collection(plan);
      case STRING -> from.string();
      case ARRAY -> unknownArray(plan);
    };
  }

  static boolean isArray(@Nullable Object object) {
    return object != null && object.getClass().isArray();
  }

  private Object record(ClassPlan plan) throws IOException {
    int count = plan.targets().length;
    long[] bits = new long[count];
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      FieldEntry stored = plan.entry().fields().get(i);
      if (stored.isPrimitive()) {
        bits[i] = plan.widened(i, in.primitive(stored.type()));
      } else {
        numbers[i] = from.reference(null);
      }
    }
    return pending(plan, bits, numbers);
  }

  private Object pending(ClassPlan plan, long[] bits, int[] numbers) {
    if (plan.shape() == null) {
      return Unknown.of(plan);
    }
    hasPending = true;
    return new Records.Pending(plan, bits, numbers);
  }

  private Object constant(ClassPlan plan) throws IOException {
    String name = in.utf8();
    Object found = plan.shape() == null ? null : plan.constantOrNull(name);
    if (found != null) {
      return found;
    }
    return plan.shape() == null ? Unknown.of(plan) : new Unknown(plan.entry().name(), name, null);
  }

  private Object box(ClassPlan plan) throws IOException {
    ClassShape shape = plan.shape();
    if (shape == null) {
      throw in.damaged("class " + plan.entry().name() + " is no box");
    }
    return Boxes.box(shape.element(), in.primitive(shape.element()));
  }

  private Object collection(ClassPlan plan) throws IOException {
    return pending(plan, new long[0], from.elements());
  }

  private Object value(ClassPlan plan) throws IOException {
    String text = in.utf8();
    try {
      return plan.shape() == null ? Unknown.of(plan) : plan.value(text);
    } catch (IllegalArgumentException e) {
      throw in.damaged("a value cannot be read: " + e.getMessage());
    }
  }

  private Object unknownArray(ClassPlan plan) throws IOException {
    String name = plan.entry().name();
    if (!name.startsWith("[L") && !name.startsWith("[[")) {
      throw in.damaged("class " + name + " is no array");
    }
    int length = from.length("length of an array", 1);
    for (int done = 0; done < length; ) {
      int count = from.chunk(length - done, Format.CHUNK_REFERENCES);
      for (int i = 0; i < count; i++) {
        from.reference(null);
      }
      done += count;
    }
    return Unknown.of(plan);
  }

  /** Begins an array, whose chunks come next. */
  private void beginArray(ClassShape shape, int classNumber) throws IOException {
    int length =
        from.length("length of an array", shape.element() == 'L' ? 1 : shape.elementBytes());
    Object begun = changing < 0 ? candidateOf(shape.type(), length) : objects.get(changing);
    if (changing >= 0 && Array.getLength(begun) != length) {
      throw in.damaged(
          "length of changed array %s=%s, expected: %s"
              .formatted(changing, length, Array.getLength(begun)));
    }
    if (begun == null) {
      begun = Array.newInstance(shape.type().getComponentType(), length);
    }
    if (length == 0) {
      end(begun, classNumber, false);
    } else {
      array = begun;
      arrayClass = classNumber;
      arrayDone = 0;
    }
  }

  private @Nullable Object candidateOf(Class<?> type, int length) {
    Object candidate = objects.candidate();
    return isArray(candidate) && Array.getLength(candidate) == length
        ? stables.takeCandidate(type)
        : null;
  }

  private void readChunk(Object begun) throws IOException {
    int length;
    if (begun instanceof Object[] elements) {
      length = elements.length;
      int count = from.chunk(length - arrayDone, Format.CHUNK_REFERENCES);
      for (int i = arrayDone; i < arrayDone + count; i++) {
        objects.addNumber(
            from.reference(StableReader.canBeTaken(elements[i]) ? elements[i] : null));
      }
      arrayDone += count;
    } else {
      length = Array.getLength(begun);
      int elementBytes = ClassShape.elementBytes(classes.get(arrayClass).entry().name().charAt(1));
      int count = from.chunk(length - arrayDone, Format.CHUNK_BYTES / elementBytes);
      in.elements(begun, arrayDone, count, elementBytes);
      arrayDone += count;
    }
    if (arrayDone == length) {
      end(begun, arrayClass, false);
      array = null;
    }
  }
}
