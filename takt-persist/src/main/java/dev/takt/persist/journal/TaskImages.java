package dev.takt.persist.journal;

import dev.takt.persist.cycle.ObjectIds;
import dev.takt.persist.cycle.ObjectTable;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.Boxes;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.Immutables;
import dev.takt.persist.graph.JdkValues;
import dev.takt.persist.graph.StoredField;
import dev.takt.persist.recover.ObjectsById;
import dev.takt.reflex.woven.ChangeSink;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.space.CommitJournal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the units of one task: finds what a release has changed, gives ids to what is new, and
 * copies both into a buffer. The package description has the protocol.
 *
 * <p><b>Guarantees:</b> a commit waits for nothing here, and allocates nothing when the largest
 * unit has been seen; but for immutable collections and values of the JDK, as a cycle does.
 *
 * <p><b>Thread rule:</b> the thread that runs the task, or registers it; {@link #id} and {@link
 * #revision} that of a cycle, too.
 *
 * <p><b>Memory:</b> see the package, and the buffer.
 */
final class TaskImages implements ChangeSink, ObjectIds {
  private static final VarHandle REVISION;

  /** The revision of a task of which there is the whole unit of its cold start alone. */
  static final long COLD = 1;

  private static final int MAX_NAME_BYTES = 4_096;

  /** After so many ids the next start of the program gives them anew. */
  static final int FRESH_AFTER = 1 << 30;

  /** From how many bytes on a part of a whole unit is handed over. */
  private static final int PART_BYTES = 32_768;

  static {
    try {
      REVISION = MethodHandles.lookup().findVarHandle(TaskImages.class, "revision", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Takes a part of a whole unit; waits until there is room. */
  interface Parts {
    void put(ImageBuffer part);
  }

  private final String name;
  private final TaskMemory memory;
  private final DeclaredClasses declared;
  private final ImageBuffer buffer = new ImageBuffer();
  private final ImageIds ids = new ImageIds();
  private final int maxId;
  private int firstGiven;

  /** What atomic calls have changed since the last commit. */
  private final ObjectTable applied = new ObjectTable();

  /** What a whole unit has found; null: this is none. */
  private @Nullable ObjectTable seen;

  /** Accessed through {@link #REVISION} by the cycle. */
  private long revision;

  /** Where a cycle looks for objects with ids; for its thread. */
  private ImageIds.@Nullable Tables looked;

  private boolean prepared;

  /** Whether atomic calls have changed something since the last commit. */
  private volatile boolean pending;

  private final Map<Class<?>, ClassShape> shapes = new IdentityHashMap<>();

  /** What is read of an object, and of records in it, by their depth. */
  private final long[][] bits = new long[Tag.MAX_DEPTH][];

  private final @Nullable Object[][] references = new Object[Tag.MAX_DEPTH][];

  TaskImages(String name, TaskMemory memory, DeclaredClasses declared, long revision) {
    this(name, memory, declared, revision, ImageIds.MAX_ID);
  }

  /**
   * Makes one that gives few ids.
   *
   * @param maxId the last one
   */
  TaskImages(String name, TaskMemory memory, DeclaredClasses declared, long revision, int maxId) {
    if (RecordOutput.utf8Bytes(name) > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "the name of a task takes %s bytes, limit=%s with a journal; give it a shorter one"
              .formatted(RecordOutput.utf8Bytes(name), MAX_NAME_BYTES));
    }
    this.name = name;
    this.memory = memory;
    this.declared = declared;
    this.revision = revision;
    this.maxId = maxId;
  }

  String name() {
    return name;
  }

  /**
   * Takes over ids that a recovery has found; before anything else. Where many were given before,
   * it takes over none: then a whole unit gives all of them anew.
   */
  void recovered(ObjectsById objects) {
    int[] last = new int[1];
    objects.forEach((id, object) -> last[0] = Math.max(last[0], id));
    if (last[0] <= FRESH_AFTER) {
      objects.forEach((id, object) -> ids.put(object, id));
    }
  }

  // ---- of the cycle, too

  @Override
  public int id(Object object) {
    return ids.find(object);
  }

  @Override
  public int found(Object object) {
    return ids.found(object);
  }

  @Override
  public void beginSearch() {
    ids.beginSearch();
  }

  @Override
  public void endSearch() {
    ids.endSearch();
  }

  @Override
  public int forgettings() {
    return ids.forgettings();
  }

  @Override
  public boolean hold(int forgettings) {
    return ids.hold(forgettings);
  }

  @Override
  public void release() {
    ids.release();
  }

  @Override
  public void beginSince() {
    ids.beginSince();
  }

  @Override
  public long revision() {
    return (long) REVISION.getAcquire(this);
  }

  @Override
  public boolean hasPending() {
    return pending;
  }

  @Override
  public int nextId() {
    return ids.keptId();
  }

  private ImageIds.Tables looked() {
    return Objects.requireNonNull(looked);
  }

  @Override
  public void beginLooking() {
    looked = ids.tables();
  }

  @Override
  public int places() {
    return ImageIds.places(looked());
  }

  @Override
  public Object object(int place) {
    return ImageIds.object(looked(), place);
  }

  @Override
  public int idAt(int place) {
    return ImageIds.id(looked(), place);
  }

  // ---- what becomes of a commit

  @Override
  public void applied(Object changed) {
    applied.add(changed);
    pending = true;
  }

  @Override
  public void committed() {
    if (ids.givenCount() > 0) {
      ids.keep();
    }
    if (prepared) {
      REVISION.setRelease(this, revision + 1);
      prepared = false;
    }
    if (pending) {
      pending = false;
    }
    boolean isClear = applied.size() == 0;
    while (!isClear) {
      isClear = applied.clear();
    }
  }

  @Override
  public void undone() {
    prepared = false;
    ids.takeBack();
  }

  /**
   * Makes the unit of the commit that is about to be decided.
   *
   * @param limitBytes how much its encoding may take
   * @return whether there is any image, or it is the first commit, that of {@code initialize()}
   * @throws dev.takt.space.Abort if it takes more, or something cannot be kept
   */
  boolean prepare(long limitBytes) {
    firstGiven = ids.nextId();
    trace();
    buffer.clear(name);
    for (int i = 0; i < memory.savedObjects(); i++) {
      changed(memory.savedObject(i));
    }
    for (int i = 0; i < memory.savedArrays(); i++) {
      Object array = memory.savedArray(i);
      int id = ids.id(array);
      if (id > 0 && id < firstGiven) {
        difference(array, memory.arrayBefore(i), id);
      }
    }
    for (int i = 0; i < applied.size(); i++) {
      changed(applied.get(i));
    }
    for (int i = 0; i < ids.givenCount(); i++) {
      Object object = ids.given(i);
      image(object, ids.id(object));
    }
    if (buffer.maxBytes() > limitBytes) {
      throw CommitJournal.refused(
          ("task %s: what a release has changed takes up to %s bytes in the journal, limit=%s;"
                  + " change less at once, or raise JournalSettings.blockBytes")
              .formatted(name, buffer.maxBytes(), limitBytes));
    }
    buffer.end(revision + 1, ImageBuffer.FIRST | ImageBuffer.LAST);
    prepared = buffer.images() > 0 || revision == COLD;
    return prepared;
  }

  ImageBuffer buffer() {
    return buffer;
  }

  /** Finds what can be reached from what was linked again; the images made for that are dropped. */
  private void trace() {
    ids.beginUnit();
    Object linked = ids.nextLinked();
    while (linked != null) {
      buffer.clear(name);
      if (linked instanceof Undoable || linked instanceof Object[]) {
        image(linked, 0);
      }
      linked = ids.nextLinked();
    }
  }

  private void changed(Object object) {
    int id = ids.id(object);
    if (id > 0 && id < firstGiven) {
      image(object, id);
    }
  }

  // ---- whole units

  /**
   * Makes a whole unit, if there is an object without an id: always at a cold start.
   *
   * @param parts takes it
   */
  void register(Object root, Parts parts) {
    firstGiven = ids.nextId();
    ObjectTable found = new ObjectTable();
    seen = found;
    boolean isComplete = ids.id(root) > 0;
    if (isComplete) {
      whole(root, found, part -> {});
      isComplete = ids.givenCount() == 0;
    }
    if (!isComplete) {
      whole(root, found, parts);
    }
    ids.keep();
    ids.retain(found);
    ids.keep();
    if (!isComplete) {
      REVISION.setRelease(this, revision + 1);
    }
    seen = null;
  }

  private void whole(Object root, ObjectTable found, Parts parts) {
    buffer.clear(name);
    int flags = ImageBuffer.FIRST | ImageBuffer.WHOLE;
    reach(root);
    for (int i = 0; i < found.size(); i++) {
      Object object = found.get(i);
      int length = object instanceof Undoable ? 0 : Array.getLength(object);
      int done = 0;
      do {
        if (buffer.maxBytes() > PART_BYTES) {
          buffer.end(revision + 1, flags);
          parts.put(buffer);
          flags = ImageBuffer.WHOLE;
          buffer.clear(name);
        }
        int count = Math.min(length - done, Format.CHUNK_BYTES / Long.BYTES);
        if (object instanceof Undoable) {
          fields(object, ids.id(object));
        } else {
          elements(object, ids.id(object), done, count);
        }
        done += count;
      } while (done < length);
    }
    buffer.end(revision + 1, flags | ImageBuffer.LAST);
    parts.put(buffer);
  }

  // ---- images

  private void image(Object object, int id) {
    if (object instanceof Undoable) {
      fields(object, id);
    } else {
      elements(object, id, 0, Array.getLength(object));
    }
  }

  private void fields(Object object, int id) {
    ClassShape shape = shape(object);
    buffer.image(3L * Format.MAX_VARLONG);
    buffer.word(2L * id);
    buffer.reference(shape);
    values(object, shape, 0);
  }

  private void values(Object object, ClassShape shape, int depth) {
    int count = shape.fields().size();
    @Nullable Object[] read = scratch(depth, count);
    long[] primitives = bits[depth];
    shape.access().read(object, primitives, read);
    for (int i = 0; i < count; i++) {
      StoredField field = shape.fields().get(i);
      if (field.isPrimitive()) {
        buffer.word(primitives[i]);
        buffer.bytes(Format.MAX_VARLONG);
      } else {
        reference(read[i], field.isFinal() && shape.kind() == Kind.STABLE, depth);
        read[i] = null;
      }
    }
  }

  private @Nullable Object[] scratch(int depth, int length) {
    if (depth == Tag.MAX_DEPTH) {
      throw CommitJournal.refused(
          "task %s: records are nested too deep for the journal: limit=%s; nest them less"
              .formatted(name, Tag.MAX_DEPTH));
    }
    @Nullable Object[] present = references[depth];
    if (present == null || present.length < length) {
      present = new Object[Math.max(16, length)];
      references[depth] = present;
      bits[depth] = new long[present.length];
    }
    return present;
  }

  private void difference(Object array, Object before, int id) {
    int length = Array.getLength(array);
    int from = ArrayChanges.first(array, before);
    if (from < length) {
      elements(array, id, from, ArrayChanges.last(array, before) + 1 - from);
    }
  }

  private void elements(Object array, int id, int from, int count) {
    ClassShape shape = shape(array);
    buffer.image(6L * Format.MAX_VARLONG);
    buffer.word(2L * id + 1);
    buffer.reference(shape);
    buffer.word(Array.getLength(array));
    buffer.word(from);
    buffer.word(count);
    if (array instanceof Object[] elements) {
      for (int i = from; i < from + count; i++) {
        reference(elements[i], false, 0);
      }
    } else {
      int size = shape.elementBytes();
      buffer.bytes((long) count * size);
      buffer.elements(array, from, count, size);
    }
  }

  /** Puts a reference; what it leads to gets an id, if it can change and has none. */
  private void reference(@Nullable Object value, boolean isFinal, int depth) {
    buffer.bytes(Format.MAX_VARLONG);
    if (value == null) {
      buffer.word(Tag.NO_REFERENCE);
    } else if (value instanceof Undoable || value.getClass().isArray()) {
      buffer.word((long) reach(value) << ImageCursor.ID_SHIFT | Tag.ID);
    } else if (value instanceof String text) {
      buffer.word(Tag.STRING);
      buffer.reference(text);
      buffer.bytes(2L * text.length());
    } else if (isFinal && ClassShapes.of(value.getClass()) == null) {
      buffer.word(Tag.NO_REFERENCE); // what a constructor has put there is left to it
    } else {
      value(value, shape(value), depth);
    }
  }

  private void value(Object value, ClassShape shape, int depth) {
    buffer.bytes(Format.MAX_VARLONG);
    switch (shape.kind()) {
      case ENUM -> text(Tag.CONSTANT, shape, ((Enum<?>) value).name());
      case VALUE -> text(Tag.JDK_VALUE, shape, JdkValues.text(value));
      case BOX -> {
        buffer.word(Tag.BOX);
        buffer.reference(shape);
        buffer.word(Boxes.bits(value));
        buffer.bytes(Format.MAX_VARLONG);
      }
      case RECORD -> {
        buffer.word(Tag.RECORD_VALUE);
        buffer.reference(shape);
        values(value, shape, depth + 1);
      }
      default -> collection(value, shape, depth + 1);
    }
  }

  private void text(int tag, ClassShape shape, String text) {
    buffer.word(tag);
    buffer.reference(shape);
    buffer.reference(text);
    buffer.bytes(3L * text.length());
  }

  private void collection(Object value, ClassShape shape, int depth) {
    int size = Immutables.size(value);
    buffer.word(Tag.COLLECTION);
    buffer.reference(shape);
    buffer.word(size);
    Iterator<?> rest = Immutables.iterator(value);
    int done = 0;
    while (done < size) {
      int count = Math.min(Format.CHUNK_REFERENCES, size - done);
      @Nullable Object[] read = scratch(depth, count);
      Immutables.read(value, rest, read, count);
      for (int i = 0; i < count; i++) {
        reference(read[i], false, depth);
        read[i] = null;
      }
      done += count;
    }
  }

  /** Returns the id of an object that can change; it gets one if it has none. */
  private int reach(Object object) {
    ObjectTable found = seen;
    if (found != null) {
      found.add(object);
    }
    int id = ids.refer(object);
    if (id == 0) {
      shape(object);
      if (ids.nextId() > maxId) {
        throw CommitJournal.refused(
            "task %s: all ids of objects are given: limit=%s; start the program again, then they are given anew"
                .formatted(name, maxId));
      }
      id = ids.give(object);
    }
    return id;
  }

  private ClassShape shape(Object object) {
    Class<?> type = object.getClass();
    ClassShape known = shapes.get(type);
    if (known == null) {
      known = ClassShapes.of(type);
      if (known != null && known.kind() == Kind.MUTABLE) {
        known = null; // which tasks have no barrier for
      }
      if (known == null || !declared.contains(known.type())) {
        throw CommitJournal.refused(
            ("task %s: an object of %s cannot be journaled: it %s; make the field transient, or"
                    + " keep its values in a record")
                .formatted(
                    name,
                    type.getTypeName(),
                    known == null
                        ? "is neither woven as stable nor of a kind that can be stored"
                        : "is not declared (Persistence.declare)"));
      }
      shapes.put(type, known);
    }
    return known;
  }
}
