package dev.takt.persist.cycle;

import dev.takt.persist.cycle.Capture.Phase;
import dev.takt.persist.format.Elements;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.graph.Boxes;
import dev.takt.persist.graph.ClassShape;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.graph.JdkValues;
import dev.takt.persist.graph.ObjectAccess;
import dev.takt.persist.graph.StoredField;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the graph of one root, an object or a chunk of an array at a time, breadth first.
 *
 * <p>Objects have the numbers in which they are found, and are written in this order; so the queue
 * of the search is the list of objects by number, and the number of an object need not be stored.
 *
 * <p><b>Each step</b> reads what it needs of one object, sees whether the barrier has saved that
 * object meanwhile, and takes the copy then. Only after that it puts anything into the file or the
 * table; so a step that finds no room leaves nothing behind.
 *
 * <p><b>Thread rule:</b> one thread, that of the cycle.
 */
final class GraphWriter {
  /** What a step has come to. */
  enum Step {
    DONE,
    MORE,
    /** More, and it took as long as several objects. */
    CHUNK,
    /** Both buffers wait to be written. */
    NO_ROOM
  }

  private static final int TAKEN_IN_AT_ONCE = 64;

  /** How many chunks of an array of primitives a step writes: that takes a microsecond or two. */
  private static final int CHUNKS_AT_ONCE = 4;

  /** The tag of a class is one byte below that. */
  private static final int SHORT_TAGS = 1 << 7;

  private final Object root;
  private final String name;
  private final DeclaredClasses declared;
  private final RecordOutput out;
  private final boolean marks;
  private final long baseGeneration;
  final @Nullable IdOutput ids;

  /** Whether the sections of the file say whether there are ids. */
  private final boolean hasIds;

  /** How many objects the base of an incremental cycle has; 0: the cycle is full. */
  private final int base;

  /** What the sink before has listed, how much of it is taken over; null: all of it. */
  private @Nullable ChangeList toTakeOver;

  private int takenOver;

  // Those of the memory.
  private final ObjectTable table;

  /** The objects of the base that have changed. */
  private final ObjectTable changed;

  private final Map<Class<?>, StoredClass> classes;

  final Capture capture;

  /** The one that took turns with it, if this cycle is incremental. */
  private final @Nullable Capture before;

  private final Numbering numbering;
  private final CutReader reader;
  private Stage stage = Stage.CATCHING_UP;

  /** The object at hand: first come the changed ones, then new ones. */
  private int next;

  /** How much of an array or string is done; -1: it is not begun. */
  private int progress = -1;

  private @Nullable StoredClass last;
  private int described;

  private enum Stage {
    CATCHING_UP,
    MARKING,
    BEGINNING,
    WRITING,
    DONE
  }

  GraphWriter(
      CycleMemory.OfRoot memory,
      Object root,
      DeclaredClasses declared,
      RecordOutput out,
      CycleRun.Limits limits,
      @Nullable ObjectIds ids,
      boolean hasIds,
      long baseGeneration) {
    boolean incremental = baseGeneration > 0;
    memory.prepare(declared, limits, incremental, ids);
    this.hasIds = hasIds;
    this.root = root;
    this.name = memory.name;
    this.declared = declared;
    this.out = out;
    this.marks = limits.marks();
    this.table = memory.table;
    this.classes = memory.classes;
    this.capture = memory.capture;
    this.changed = capture.changed;
    this.numbering = new Numbering(name, table, capture, limits.maxObjects());
    this.reader = new CutReader(memory, numbering);
    this.baseGeneration = baseGeneration;
    this.base = incremental ? table.size() : 0;
    this.before = incremental ? memory.other : null;
    this.ids = ids == null ? null : new IdOutput(name, ids, capture, before, numbering);
    this.toTakeOver = before == null ? null : before.changes();
  }

  /** Returns how many objects were found that are written. */
  int objects() {
    return changed.size() + table.size() - base;
  }

  /** Returns the revision that is stored, when it has begun to write; -1: there are no ids. */
  long revision() {
    return ids == null ? -1 : ids.revision();
  }

  /** Returns how many objects there are with those of the base. */
  int allObjects() {
    return table.size();
  }

  private Object object(int index) {
    int news = index - changed.size();
    return news < 0 ? changed.get(index) : table.get(base + news);
  }

  /**
   * Takes all out of the memory, some at a time, when no sink is attached any more.
   *
   * @return whether it is ready for the next cycle
   */
  boolean clear() {
    return capture.clear() && table.clear() && reader.clear();
  }

  /**
   * Does so with what the cycle before has left, when its sink was replaced.
   *
   * @return whether it is ready for the next but one
   */
  boolean clearBefore() {
    return before == null || before.clear();
  }

  /**
   * Does some small pieces of work.
   *
   * @param pieces how many at most; a chunk counts for all of them
   * @throws IllegalArgumentException if the graph has something that cannot be stored
   */
  Step step(int pieces) {
    int left = pieces;
    StoredClass likely = last;
    if (stage == Stage.WRITING && likely != null && likely.isOnlyFields() && progress < 0) {
      int first = next;
      Step step = writeAll(likely, pieces);
      if (step == Step.NO_ROOM) {
        return step;
      }
      left -= next - first;
    }
    Step step = Step.MORE;
    for (; left > 0 && step == Step.MORE; left--) {
      step = step();
    }
    return step;
  }

  /** Writes as many of the next objects as are stable ones of a class, one after the other. */
  private Step writeAll(StoredClass stored, int most) {
    boolean isNew = next >= changed.size();
    ObjectTable from = isNew ? table : changed;
    int first = isNew ? base + next - changed.size() : next;
    if (first == from.size()) {
      return Step.MORE;
    }
    @Nullable Object[] part = from.part(first);
    int begin = ObjectTable.entry(first);
    int number = isNew ? first - begin : Integer.MIN_VALUE; // of the first entry
    int end = runEnd(part, begin, begin + Math.min(most, from.size() - first), stored.type);
    long before = out.bytes();
    int done = begin;
    while (done < end && out.room(maxBytes(stored.shape))) {
      done = writeStable(stored, part, done, end, number);
    }
    if (done == begin) {
      return begin == end ? Step.MORE : Step.NO_ROOM;
    }
    stored.bytes += out.bytes() - before;
    stored.objects += done - begin;
    next += done - begin;
    markWritten();
    return Step.MORE;
  }

  /**
   * Returns where the first object is that is not of a class. It looks at all of them in any case:
   * so the processor fetches them from memory at once, and not one after the other.
   */
  @SuppressWarnings("NullAway") // below the size all places are filled
  private static int runEnd(@Nullable Object[] part, int begin, int most, Class<?> type) {
    int end = Math.min(most, part.length);
    for (int i = end - 1; i >= begin; i--) {
      end = part[i].getClass() == type ? end : i;
    }
    return end;
  }

  /**
   * Puts all fields of stable objects of one class, as far as the block has room, which it has for
   * one; of what was saved meanwhile, those of the copy.
   *
   * @param number of the first object of the part; less than 0: they are changed ones
   * @return the first one that is not put
   */
  @SuppressWarnings("NullAway") // as above
  private int writeStable(
      StoredClass stored, @Nullable Object[] part, int begin, int end, int number) {
    boolean isShort = number >= 0 && ids == null; // nothing but the class before the fields
    ClassShape shape = stored.shape;
    ObjectAccess access = shape.access();
    byte[] to = out.array();
    int last = out.limit() - maxBytes(shape);
    int at = out.position();
    int tag = stored.id + 1;
    int next = begin;
    do {
      Object object = part[next++];
      if (isShort && tag < SHORT_TAGS) {
        to[at++] = (byte) tag;
      } else {
        out.position(at);
        numbering.begin(number + next - 1);
        putBegin(object, shape, stored.id);
        at = out.position();
      }
      int behind = access.put(object, to, at, numbering);
      if (behind < 0) {
        out.position(at);
        reader.read(object, stored);
        putFields(shape);
        behind = out.position();
      }
      at = behind;
    } while (next < end && at <= last);
    out.position(at);
    return next;
  }

  private void markWritten() {
    if (next <= changed.size()) {
      changed.written(next);
    } else {
      table.written(base + next - changed.size());
    }
  }

  private Step step() {
    return switch (stage) {
      case CATCHING_UP -> {
        if (takeOver() && capture.takeIn(TAKEN_IN_AT_ONCE)) {
          numbering.find(root);
          stage = marks ? Stage.MARKING : Stage.BEGINNING;
          if (!marks) {
            capture.enter(Phase.UNWRITTEN);
          }
        }
        yield Step.MORE;
      }
      case MARKING -> {
        mark();
        yield progress < 0 ? Step.MORE : Step.CHUNK;
      }
      case BEGINNING -> begin();
      case WRITING -> write();
      case DONE -> Step.DONE;
    };
  }

  /** Takes over some of what has changed before the cut; returns whether that was all. */
  private boolean takeOver() {
    ChangeList changes = toTakeOver;
    if (changes == null) {
      return true;
    }
    int end = Math.min(changes.size(), takenOver + TAKEN_IN_AT_ONCE);
    for (; takenOver < end; takenOver++) {
      Object object = changes.get(takenOver);
      if (table.contains(object)) {
        changed.add(object);
      }
    }
    if (takenOver == changes.size()) {
      toTakeOver = null;
    }
    return false;
  }

  // ---- marking

  private void mark() {
    if (next == objects()) {
      if (ids != null && !ids.findUnreached(table)) {
        return;
      }
      next = 0;
      capture.enter(Phase.MARKED);
      stage = Stage.BEGINNING;
      return;
    }
    Object object = object(next);
    StoredClass stored = classOf(object);
    ClassShape shape = stored.shape;
    if (shape.hasReferences()) {
      if (progress < 0) {
        reader.begin(object, shape, next >= changed.size());
      }
      int from = Math.max(progress, 0);
      int count = reader.readElements(object, shape, from);
      for (int i = 0; i < count; i++) {
        numbering.find(reader.references[i]);
      }
      progress = from + count;
      if (progress < reader.length(object, shape)) {
        return;
      }
      progress = -1;
    } else {
      reader.read(object, stored);
      for (int i = 0; i < shape.fields().size(); i++) {
        if (!shape.fields().get(i).isPrimitive()) {
          numbering.find(reader.references[i]);
        }
      }
    }
    next++;
  }

  /** Tells how many objects of each class are written. */
  void classes(CycleRun.ClassSink to) {
    for (StoredClass each : classes.values()) {
      if (each.objects > 0) {
        to.add(each.shape.entry().name(), each.objects, each.bytes);
      }
    }
  }

  private StoredClass classOf(Object object) {
    Class<?> type = object.getClass();
    StoredClass found = last;
    if (found == null || found.type != type) {
      found = classes.get(type);
      if (found == null) {
        found = StoredClass.of(type, name, declared, classes.values());
        classes.put(type, found);
      }
      last = found;
    }
    return found;
  }

  // ---- writing

  private Step begin() {
    if (out.isBegun()) {
      out.end();
    }
    if (!out.begin(base == 0 ? Format.ROOT_BLOCK : Format.CHANGES_BLOCK)) {
      return Step.NO_ROOM;
    }
    out.utf8(name);
    if (hasIds) {
      out.varlong(ids == null ? 0 : ids.begin() + 1);
    }
    numbering.named(1);
    if (base > 0) {
      out.varlong(baseGeneration);
      out.varint(base);
      out.varint(changed.size());
      numbering.named(base);
    }
    stage = Stage.WRITING;
    return Step.MORE;
  }

  private Step write() {
    if (next == objects()) {
      if (ids != null && !ids.findUnreached(table)) {
        return Step.MORE;
      }
      capture.enter(Phase.NONE);
      stage = Stage.DONE;
      return Step.DONE;
    }
    numbering.begin(next < changed.size() ? -1 : base + next - changed.size());
    Object object = object(next);
    StoredClass stored = classOf(object);
    ClassShape shape = stored.shape;
    int id = stored.id;
    if (id < 0) {
      byte[] description = shape.encoded();
      if (!out.room(description.length)) {
        return Step.NO_ROOM;
      }
      out.encoded(description);
      stored.id = described++;
      return Step.MORE;
    }
    long before = out.bytes();
    boolean done =
        switch (shape.kind()) {
          case STABLE, RECORD -> writeFields(object, stored);
          case ENUM -> writeText(((Enum<?>) object).name(), shape, id);
          case VALUE -> writeText(JdkValues.text(object), shape, id);
          case BOX -> writeBox(object, shape, id);
          case STRING -> writeString((String) object, shape, id);
          case ARRAY, COLLECTION, MUTABLE -> writeArray(object, shape, id);
        };
    if (!done) {
      return Step.NO_ROOM;
    }
    stored.bytes += out.bytes() - before;
    boolean isWhole = progress < 0;
    if (isWhole) {
      stored.objects++;
      next++;
      markWritten();
    }
    return isWhole && !shape.hasElements() ? Step.MORE : Step.CHUNK;
  }

  private boolean writeFields(Object object, StoredClass stored) {
    ClassShape shape = stored.shape;
    if (!out.room(maxBytes(shape))) {
      return false;
    }
    reader.read(object, stored);
    putBegin(object, shape, stored.id);
    putFields(shape);
    return true;
  }

  private int maxBytes(ClassShape shape) {
    return shape.maxBytes() + (ids == null ? 0 : Format.MAX_VARINT);
  }

  private void putFields(ClassShape shape) {
    List<StoredField> fields = shape.fields();
    for (int i = 0; i < fields.size(); i++) {
      char type = fields.get(i).type();
      if (type == 'L') {
        putReference(reader.references[i]);
      } else {
        out.primitive(type, reader.bits[i]);
      }
    }
  }

  private void putBegin(Object object, ClassShape shape, int id) {
    out.varint(id + 1);
    if (next < changed.size()) {
      out.varint(table.number(object));
    }
    if (ids != null && (shape.kind() == Kind.STABLE || shape.kind() == Kind.ARRAY)) {
      ids.put(object, out);
    }
  }

  private void putReference(@Nullable Object value) {
    out.position(numbering.put(out.array(), out.position(), value));
  }

  /** Writes a constant of an enum, or a value. */
  private boolean writeText(String text, ClassShape shape, int id) {
    int wanted = 2 * Format.MAX_VARINT + RecordOutput.utf8Bytes(text);
    if (wanted > Format.MIN_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          "root %s: the name of a constant of %s is too long: bytes=%s, limit=%s"
              .formatted(name, shape.entry().name(), wanted, Format.MIN_BLOCK_BYTES));
    }
    if (!out.room(wanted)) {
      return false;
    }
    out.varint(id + 1);
    out.utf8(text);
    return true;
  }

  private boolean writeBox(Object box, ClassShape shape, int id) {
    if (!out.room(maxBytes(shape))) {
      return false;
    }
    out.varint(id + 1);
    out.primitive(shape.element(), Boxes.bits(box));
    return true;
  }

  /** Begins an array or string. */
  private boolean beginElements(Object object, ClassShape shape, int length, int id) {
    if (!out.room(maxBytes(shape))) {
      return false;
    }
    putBegin(object, shape, id);
    out.varint(length);
    progress = length == 0 ? -1 : 0;
    return true;
  }

  private void advance(int count, int length) {
    progress += count;
    if (progress == length) {
      progress = -1;
    }
  }

  private boolean writeString(String text, ClassShape shape, int id) {
    if (progress < 0) {
      return beginElements(text, shape, text.length(), id);
    }
    int count = Math.min(Format.CHUNK_BYTES / 2, text.length() - progress);
    if (!out.room(2 * Format.MAX_VARINT + 2 * count)) {
      return false;
    }
    out.characters(text, progress, count);
    advance(count, text.length());
    return true;
  }

  private boolean writeArray(Object array, ClassShape shape, int id) {
    if (progress < 0) {
      return beginElements(array, shape, reader.begin(array, shape, next >= changed.size()), id);
    }
    int length = reader.length(array, shape);
    if (shape.hasReferences()) {
      return writeReferences(array, shape, length);
    }
    for (int i = 0; i < CHUNKS_AT_ONCE && progress >= 0; i++) {
      if (!writeChunk(array, shape.elementBytes(), length)) {
        return i > 0;
      }
    }
    return true;
  }

  /** Writes some primitives of an array. */
  private boolean writeChunk(Object array, int size, int length) {
    int count = Math.min(Format.CHUNK_BYTES / size, length - progress);
    if (!out.room(Format.MAX_VARINT + count * size)) {
      return false;
    }
    out.varint(count);
    Elements.copy(array, progress, out.segment(), out.position(), count);
    int saved = numbering.saved(array);
    if (saved >= 0) {
      long from = (long) progress * size;
      capture.copyBytes(saved, from, out.segment(), out.position(), count * size);
    }
    out.advance(count * size);
    advance(count, length);
    return true;
  }

  private boolean writeReferences(Object array, ClassShape shape, int length) {
    if (!out.room(Format.MAX_VARINT * (1 + Format.CHUNK_REFERENCES))) {
      return false;
    }
    int count = reader.readElements(array, shape, progress);
    out.varint(count);
    for (int i = 0; i < count; i++) {
      putReference(reader.references[i]);
    }
    advance(count, length);
    return true;
  }
}
