package dev.takt.safety.weave;

import java.util.List;
import java.util.Map;

/** A runtime as small as it can be, in source text: what woven code calls, with simple pools. */
final class StandIn {
  private StandIn() {}

  static final List<String> SOURCES =
      List.of(
          """
          package dev.takt.space;
          public interface Stable {}
          """,
          """
          package dev.takt.space;
          public final class Abort extends Error {
            public Abort() { super("abort", null, false, false); }
          }
          """,
          """
          package dev.takt.space;
          import java.util.*;
          public class Event {
            public final Map<String, Object> values = new TreeMap<>();
            public final List<String> calls = new ArrayList<>();
            public Event() {}
            public Event(String key, Object value) { values.put(key, value); }
            public Event add(String k, Object v) { calls.add("Object"); values.put(k, v); return this; }
            public Event add(String k, long v) { calls.add("long"); values.put(k, v); return this; }
            public Event add(String k, double v) { calls.add("double"); values.put(k, v); return this; }
            public Event add(String k, boolean v) { calls.add("boolean"); values.put(k, v); return this; }
            public Event add(String k, char v) { calls.add("char"); values.put(k, v); return this; }
            public final Object get(String k) { calls.add("get"); return values.get(k); }
          }
          """,
          """
          package dev.takt.reflex;
          import dev.takt.space.*;
          public abstract class ReflexTask implements Stable, dev.takt.reflex.woven.Guarded {
            public void initialize() {}
            public abstract void execute();
            protected static double asDouble(Object v) { return ((Number) v).doubleValue(); }
            protected static long asLong(Object v) { return ((Number) v).longValue(); }
            protected static boolean asBoolean(Object v) { return (Boolean) v; }
          }
          """,
          """
          package dev.takt.reflex;
          import java.lang.annotation.*;
          @Retention(RetentionPolicy.RUNTIME) public @interface Atomic {}
          """,
          """
          package dev.takt.reflex;
          import java.lang.annotation.*;
          @Retention(RetentionPolicy.RUNTIME) public @interface MaxLength { int value(); }
          """,
          """
          package dev.takt.reflex.limit;
          public abstract class ReleaseError extends Error {}
          """,
          """
          package dev.takt.reflex.woven;
          import java.lang.annotation.*;
          @Retention(RetentionPolicy.RUNTIME) public @interface Woven {
            int abi();
            boolean verified() default false;
            Class<?>[] transients() default {};
            String[] fields() default {};
            String[] arrays() default {};
            Class<?>[] stables() default {};
            String[] live() default {};
            boolean noAlloc() default false;
          }
          """,
          """
          package dev.takt.reflex.woven;
          public final class ZeroedConstructorMarker { private ZeroedConstructorMarker() {} }
          """,
          """
          package dev.takt.reflex.woven;
          public interface Guarded {}
          """,
          """
          package dev.takt.reflex.woven;
          public interface Pooled { Object $takt$fresh(); }
          """,
          """
          package dev.takt.reflex.woven;
          public interface Undoable {
            void $takt$save(TaskMemory memory);
            long $takt$stamp();
            int $takt$number();
            void $takt$number(int number);
            void $takt$restore(TaskMemory memory);
            void $takt$apply(int field, long bits, Object ref);
          }
          """,
          """
          package dev.takt.persist.annotation;
          import java.lang.annotation.*;
          @Inherited @Retention(RetentionPolicy.RUNTIME) public @interface Persistent {}
          """,
          """
          package dev.takt.persist.annotation;
          import java.lang.annotation.*;
          @Retention(RetentionPolicy.RUNTIME) public @interface PersistentField {}
          """,
          """
          package dev.takt.persist.annotation;
          import java.lang.annotation.*;
          @Retention(RetentionPolicy.RUNTIME) public @interface PersistentUpdate {}
          """,
          """
          package dev.takt.reflex.woven;
          import java.util.*;
          public final class PlainBarrier {
            public static long epoch;
            public static final List<Object> saved = new ArrayList<>();
            public static void save(Undoable object) { UpdateGate.log("save"); saved.add(object); }
            public static void saveArray(Object array) { UpdateGate.log("array"); saved.add(array); }
            public static void saveCollection(Object object) { UpdateGate.log("collection"); saved.add(object); }
          }
          """,
          """
          package dev.takt.reflex.woven;
          public final class UpdateGate {
            public static final StringBuilder events = new StringBuilder();
            static void log(String event) { events.append(event).append(' '); }
            public static final class Slot {}
            private static final Slot SLOT = new Slot();
            public static Slot enter() { log("enter"); return SLOT; }
            public static void exit(Slot slot) { log(slot == SLOT ? "exit" : "other"); }
          }
          """,
          """
          package dev.takt.reflex.woven;
          import dev.takt.space.Event;
          public final class EventValues {
            public static Event newEvent() { if (TaskMemory.running != null) TaskMemory.running.events++; return new Event(); }
            public static Object boxed(Event e, String key) { e.calls.add("boxed"); return e.values.get(key); }
            public static double unboxDouble(Event e, String key) { e.calls.add("unboxDouble"); return (Double) e.values.get(key); }
            public static long unboxLong(Event e, String key) { e.calls.add("unboxLong"); return (Long) e.values.get(key); }
            public static boolean unboxBoolean(Event e, String key) { e.calls.add("unboxBoolean"); return (Boolean) e.values.get(key); }
            public static double asDouble(Event e, String key) { e.calls.add("asDouble"); return ((Number) e.values.get(key)).doubleValue(); }
          }
          """,
          """
          package dev.takt.reflex.woven;
          import java.util.*;
          public final class Pools {
            static final List<Pooled> PROTOTYPES = new ArrayList<>();
            public static int register(Pooled p) { PROTOTYPES.add(p); return PROTOTYPES.size() - 1; }
          }
          """,
          """
          package dev.takt.reflex.woven;
          import java.util.*;
          public final class ArrayPools {
            record Spec(Class<?> element, int max, boolean exact) {}
            static final List<Spec> SPECS = new ArrayList<>();
            public static int slot(Class<?> element, int max, boolean exact) {
              SPECS.add(new Spec(element, max, exact));
              return SPECS.size() - 1;
            }
          }
          """,
          """
          package dev.takt.realtime.stop;
          public final class RunAborted extends Error {
            public RunAborted() { super("run aborted", null, false, false); }
          }
          """,
          """
          package dev.takt.realtime.stop;
          public @interface Stoppable {}
          """,
          """
          package dev.takt.realtime.stop;
          import java.lang.invoke.*;
          public final class StopSwitch {
            public static boolean stopping;
            public static void stop() {
              if (stopping) throw new RunAborted();
            }
            public static void pass(Throwable thrown) {
              if (thrown instanceof RunAborted aborted) throw aborted;
            }
            static final java.util.Map<Class<?>, MutableCallSite> SITES = new java.util.HashMap<>();
            public static CallSite bootstrap(MethodHandles.Lookup lookup, String name, MethodType type) {
              return SITES.computeIfAbsent(lookup.lookupClass(),
                  c -> new MutableCallSite(MethodHandles.constant(boolean.class, false)));
            }
            public static void flip(Class<?> type) {
              SITES.get(type).setTarget(MethodHandles.constant(boolean.class, true));
            }
          }
          """,
          """
          package dev.takt.reflex.woven;
          import java.util.*;
          public final class Debug {
            record Made(long epoch, String place) {}
            static final Map<Object, Made> MADE = new IdentityHashMap<>();
            public static void made(Object o, String place) {
              TaskMemory m = TaskMemory.current();
              if (m != null) MADE.put(o, new Made(m.epoch, place));
            }
            public static void used(Object o) {
              TaskMemory m = TaskMemory.current();
              Made made = m == null ? null : MADE.get(o);
              if (made != null && made.epoch() != m.epoch) {
                throw new IllegalStateException(
                    "stale " + o.getClass().getName() + " made at " + made.place());
              }
            }
          }
          """,
          """
          package dev.takt.reflex.woven;
          import dev.takt.space.*;
          import java.util.*;
          public final class TaskMemory {
            public static TaskMemory running;
            public static boolean stopping;
            public long epoch = 1;
            public final Deque<Object> log = new ArrayDeque<>();
            public final List<Object> saved = new ArrayList<>();
            public final Map<Integer, List<Object>> pools = new HashMap<>();
            public final Map<Integer, Integer> used = new HashMap<>();
            public int events;
            public int arrays;
            public int stableArrays;
            static final Object NULL = new Object();
            public static TaskMemory current() { return running; }
            public Object next(int slot) {
              List<Object> pool = pools.computeIfAbsent(slot, s -> new ArrayList<>());
              int at = used.merge(slot, 1, Integer::sum) - 1;
              if (at == pool.size()) pool.add(Pools.PROTOTYPES.get(slot).$takt$fresh());
              return pool.get(at);
            }
            record Given(int slot, Object object) {}
            final List<Given> free = new ArrayList<>();
            final List<Given> given = new ArrayList<>();
            public Object nextStable(int slot) {
              for (Given g : free) {
                if (g.slot == slot) { free.remove(g); given.add(g); return g.object; }
              }
              given.add(new Given(slot, Pools.PROTOTYPES.get(slot).$takt$fresh()));
              return given.getLast().object;
            }
            public void saveInt(int v) { log.push(v); }
            public void saveLong(long v) { log.push(v); }
            public void saveFloat(float v) { log.push(v); }
            public void saveDouble(double v) { log.push(v); }
            public void saveRef(Object v) { log.push(v == null ? NULL : v); }
            public int restoreInt() { return (Integer) log.pop(); }
            public long restoreLong() { return (Long) log.pop(); }
            public float restoreFloat() { return (Float) log.pop(); }
            public double restoreDouble() { return (Double) log.pop(); }
            public Object restoreRef() { Object v = log.pop(); return v == NULL ? null : v; }
            public void saved(Undoable o) { saved.add(o); }
            public void saveArray(Object a, Object s, int n) { saved.add(new Object[] {a, s, n}); }
            public static Object shadow(Object a, Object old) {
              int n = java.lang.reflect.Array.getLength(a);
              return old != null && java.lang.reflect.Array.getLength(old) >= n
                  ? old
                  : java.lang.reflect.Array.newInstance(a.getClass().getComponentType(), n);
            }
            public static Object newArray(int slot, int length) {
              ArrayPools.Spec s = ArrayPools.SPECS.get(slot);
              if (length > s.max() || s.exact() && length != s.max()) throw new IllegalStateException("length " + length);
              if (running != null) running.arrays++;
              return java.lang.reflect.Array.newInstance(s.element(), length);
            }
            public static Object newStableArray(int slot, int length) {
              if (running != null) running.stableArrays++;
              return java.lang.reflect.Array.newInstance(ArrayPools.SPECS.get(slot).element(), length);
            }
            public static void passAbort(Throwable t) { if (t instanceof Abort a) throw a; }
            public static Error stop() { if (stopping) throw new Abort(); return null; }
            public void begin() { epoch++; running = this; }
            public void commit() { running = null; used.clear(); given.clear(); saved.clear(); log.clear(); }
            public void rollback() {
              running = null;
              for (Object o : saved.reversed()) {
                if (o instanceof Undoable s) s.$takt$restore(this);
                else {
                  Object[] a = (Object[]) o;
                  System.arraycopy(a[1], 0, a[0], 0, (Integer) a[2]);
                }
              }
              if (!log.isEmpty()) throw new IllegalStateException("log not empty: " + log);
              used.clear();
              saved.clear();
              free.addAll(given);
              given.clear();
            }
          }
          """,
          """
          package dev.takt.reflex.woven;
          import dev.takt.reflex.ReflexTask;
          import java.util.*;
          /** Writes go to a map, which the commit applies; it fails as often as is asked for. */
          public final class AtomicCall {
            record SourceLocation(Object object, int index) {
              public int hashCode() { return System.identityHashCode(object) + index; }
              public boolean equals(Object o) {
                return o instanceof SourceLocation p && p.object == object && p.index == index;
              }
            }
            public static int failures;
            public static int starts;
            public static AtomicCall last;
            public final Map<SourceLocation, Object> log = new LinkedHashMap<>();
            public final List<Object> made = new ArrayList<>();
            final Set<Object> fresh = Collections.newSetFromMap(new IdentityHashMap<>());
            public static AtomicCall begin(Guarded task) {
              return TaskMemory.running != null ? null : (last = new AtomicCall());
            }
            public void start() { starts++; log.clear(); made.clear(); }
            public boolean commit() {
              if (failures > 0) { failures--; return false; }
              log.forEach((p, v) -> {
                if (p.object instanceof Undoable s) {
                  long bits = v instanceof Double d ? Double.doubleToRawLongBits(d)
                      : v instanceof Float f ? Float.floatToRawIntBits(f)
                      : v instanceof Integer n ? n : v instanceof Long n ? n : 0L;
                  s.$takt$apply(p.index, bits, v instanceof Number ? null : v);
                } else {
                  java.lang.reflect.Array.set(p.object, p.index,
                      p.object instanceof byte[] ? ((Integer) v).byteValue()
                      : p.object instanceof boolean[] ? (Object) (((Integer) v) != 0) : v);
                }
              });
              return true;
            }
            public void failed(Throwable t) { throw AtomicCall.<RuntimeException>sneaky(t); }
            @SuppressWarnings("unchecked")
            static <T extends Throwable> T sneaky(Throwable t) throws T { throw (T) t; }
            public Object fresh(Object a) { fresh.add(a); return a; }
            public void made(Object o) { made.add(o); }
            Object at(Object o, int id, Object memory) {
              SourceLocation p = new SourceLocation(o, id);
              return log.containsKey(p) ? log.get(p) : memory;
            }
            void log(Object o, int id, Object v) { log.put(new SourceLocation(o, id), v); }
            public int readInt(Object o, int id, int m) { return (int) at(o, id, m); }
            public void writeInt(Object o, int id, int v) { log(o, id, v); }
            public long readLong(Object o, int id, long m) { return (long) at(o, id, m); }
            public void writeLong(Object o, int id, long v) { log(o, id, v); }
            public float readFloat(Object o, int id, float m) { return (float) at(o, id, m); }
            public void writeFloat(Object o, int id, float v) { log(o, id, v); }
            public double readDouble(Object o, int id, double m) { return (double) at(o, id, m); }
            public void writeDouble(Object o, int id, double v) { log(o, id, v); }
            public Object readRef(Object o, int id, Object m) { return at(o, id, m); }
            public void writeRef(Object o, int id, Object v) { log(o, id, v); }
          }
          """,
          """
          package dev.takt.reflex.woven;
          public final class AtomicArrays {
            public static int loadInt(int[] a, int i, AtomicCall c) { return (int) c.at(a, i, a[i]); }
            public static void storeInt(int[] a, int i, int v, AtomicCall c) { if (i >= a.length) throw new ArrayIndexOutOfBoundsException(i); c.log(a, i, v); }
            public static long loadLong(long[] a, int i, AtomicCall c) { return (long) c.at(a, i, a[i]); }
            public static void storeLong(long[] a, int i, long v, AtomicCall c) { if (i >= a.length) throw new ArrayIndexOutOfBoundsException(i); c.log(a, i, v); }
            public static float loadFloat(float[] a, int i, AtomicCall c) { return (float) c.at(a, i, a[i]); }
            public static void storeFloat(float[] a, int i, float v, AtomicCall c) { if (i >= a.length) throw new ArrayIndexOutOfBoundsException(i); c.log(a, i, v); }
            public static double loadDouble(double[] a, int i, AtomicCall c) { return (double) c.at(a, i, a[i]); }
            public static void storeDouble(double[] a, int i, double v, AtomicCall c) { if (i >= a.length) throw new ArrayIndexOutOfBoundsException(i); c.log(a, i, v); }
            public static short loadShort(short[] a, int i, AtomicCall c) { return (short) c.at(a, i, a[i]); }
            public static void storeShort(short[] a, int i, short v, AtomicCall c) { if (i >= a.length) throw new ArrayIndexOutOfBoundsException(i); c.log(a, i, v); }
            public static char loadChar(char[] a, int i, AtomicCall c) { return (char) c.at(a, i, a[i]); }
            public static void storeChar(char[] a, int i, char v, AtomicCall c) { if (i >= a.length) throw new ArrayIndexOutOfBoundsException(i); c.log(a, i, v); }
            public static Object loadRef(Object[] a, int i, AtomicCall c) { return c.at(a, i, a[i]); }
            public static void storeRef(Object[] a, int i, Object v, AtomicCall c) { c.log(a, i, v); }
            public static int loadByteOrBoolean(Object a, int i, AtomicCall c) {
              return (Integer) c.at(a, i, a instanceof byte[] b ? (Object) (int) b[i] : (Object) (((boolean[]) a)[i] ? 1 : 0));
            }
            public static void storeByteOrBoolean(Object a, int i, int v, AtomicCall c) { c.log(a, i, v); }
            public static void arraycopy(Object a, int i, Object b, int j, int n, AtomicCall c) {
              for (int k = 0; k < n; k++) c.log(b, j + k, c.at(a, i + k, java.lang.reflect.Array.get(a, i + k)));
            }
            public static void fill(Object a, Object v, AtomicCall c) {
              for (int i = 0; i < java.lang.reflect.Array.getLength(a); i++) {
                c.log(a, i, v instanceof Byte b ? (Object) b.intValue() : v);
              }
            }
          }
          """);

  static final Map<String, byte[]> CLASSES = Compiled.compile(SOURCES, Map.of());
}
