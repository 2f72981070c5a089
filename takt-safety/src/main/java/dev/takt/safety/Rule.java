package dev.takt.safety;

import java.util.Optional;

/**
 * The safety rules: one table for the verifier, the compiler plugin and {@code docs/rules.md}.
 *
 * <p>The words: a class is <i>stable</i> if it is a subtype of {@code dev.takt.space.Stable}, and
 * <i>transient</i> if a task makes instances of it and it is not stable. It is
 * <i>reference-immutable</i> if none of its references can change, whatever they lead to: each
 * field is primitive, or final and of a reference-immutable type; strings, boxed values, enums and
 * primitive arrays are. Code is <i>live</i> if a task can reach it.
 *
 * <p>Source: Reflexes 4.
 */
public enum Rule {
  /** A closed world. */
  R1(
      "Everything a task can reach is resolvable, and no class is loaded while it runs.",
      "A missing class is found in the middle of a release, and loading one blocks the "
          + "task on files and locks for milliseconds.",
      "public void execute() { new com.acme.NotOnTheClassPath().step(); }",
      "Put the missing library beside the application, or name it with the option that "
          + "lists libraries; load what is optional in ordinary code."),

  /** Native methods. */
  R2(
      "No native method is reached, except those of the allow-list.",
      "Native code can block, allocate and keep references, and no check sees what it does.",
      "public void execute() { millis = Runtime.getRuntime().freeMemory(); }",
      "Call it from an ordinary thread and hand the task the result, as an event or "
          + "through an atomic method; System.nanoTime, System.arraycopy and Math are allowed."),

  /** Reflection and its kin. */
  R3(
      "No reflection, method handle lookup, proxy, class loader, serialization or Unsafe.",
      "What is found by name at run time is not in the closure, so nothing about it has "
          + "been checked, woven or loaded.",
      "public void execute() { Class.forName(name).getMethods(); }",
      "Call the method directly, or switch over an enum; look things up in ordinary code "
          + "before the task is registered."),

  /** Threads, finalizers and reference objects. */
  R4(
      "No finalizer, cleaner, reference object, thread local, scoped value or new thread.",
      "They tie the life of a task's object to the collector or to another thread, and "
          + "pooled objects live by releases instead.",
      "private final ThreadLocal<int[]> scratch = new ThreadLocal<>();",
      "Keep state in fields of the task; make threads in ordinary code; write an event to "
          + "have work done elsewhere."),

  /** Blocking. */
  R5(
      "Nothing that can block: no monitor, wait, park, sleep, lock or blocking input and "
          + "output.",
      "A lower-priority thread that holds the lock, or a slow device, would make the task "
          + "miss its deadline.",
      "public synchronized void execute() { count++; }",
      "Drop the lock: a task runs on one thread at a time; let others in by an atomic "
          + "method. For String.split take indexOf, for BigDecimal a long, for toUpperCase "
          + "equalsIgnoreCase, for a logger an event that ordinary code logs."),

  /** Class initialization. */
  R6(
      "Static initializers of live classes run at the start, never inside a release.",
      "An initializer takes a lock, runs once at an unforeseeable moment, and leaves heap "
          + "objects behind that a rollback does not undo.",
      "class Table { static final double[] SINES = fill(); } // first used by execute()",
      "Nothing to do: the runtime initializes the classes that the verifier lists before "
          + "the first release. An initializer must be able to run there."),

  /** Dynamic calls. */
  R7(
      "Dynamic calls are lambdas, record methods and pattern switches only, linked at the "
          + "start.",
      "The first run of any other bootstrap method spins classes inside a release; string "
          + "concatenation allocates at each call.",
      "@NoAlloc class Quoter extends ReflexTask { public void execute() { key = \"bid\" + "
          + "depth; } }",
      "Append to a StringBuilder that is kept, use constants, or drop @NoAlloc where a "
          + "string a release does not matter."),

  /** Fields of stable classes. */
  R8(
      "A field of a stable class is primitive, stable, an encapsulated primitive array, or "
          + "a final reference-immutable value.",
      "A stable object outlives the release. Whatever it refers to that does not is "
          + "reclaimed and used again under its feet.",
      "class Buyer extends ReflexTask { java.util.List<Order> open; }",
      "Make the field's type implement Stable, use a collection of dev.takt.reflex.stable, keep the"
          + " data as primitives, or make it final if its type is reference-immutable. Make an"
          + " event or a template in execute(), where it is used: it is pooled."),

  /** Inherited fields. */
  R9(
      "The fields that a stable class inherits obey the rule for stable fields too.",
      "An inherited field is as much part of the stable object as one of its own.",
      "class Book extends Base implements Stable {} class Base { Object tag; }",
      "Make the superclass obey R8, or hold what it offers in a transient object instead "
          + "of inheriting it."),

  /** Stores that the JVM does not check. */
  R10(
      "A store into a stable field of interface or type-variable type is checked; no "
          + "unchecked conversion in live code.",
      "The JVM's own verifier lets any object into a field of interface type, so an "
          + "unchecked cast would smuggle a transient one into stable memory.",
      "Cell<Level> cell = (Cell<Level>) (Cell<?>) other; // unchecked",
      "Keep the type arguments, so that the compiler inserts the checks; do not use raw "
          + "types or unchecked casts in a task."),

  /** Arrays of stable classes. */
  R11(
      "An array of a stable class is private, made by the class itself, and never leaves " + "it.",
      "The barrier saves an array where its class writes to it. Somebody else who has the "
          + "array could write past the barrier, or keep it.",
      "class Ring implements Stable { private final long[] slots; long[] slots() { return "
          + "slots; } }",
      "Make the array with new in the class, keep it private, and copy elements in and "
          + "out; use StableArray for references."),

  /** Transient to stable. */
  R12(
      "A transient object may refer to a stable one, and may be cast to a stable class.",
      "This is a permission: the stable object lives longer, so the reference cannot "
          + "dangle. The other direction is R8.",
      "record Visit(Node node) {} // Node is stable: allowed",
      "Nothing to do. If you meant to keep the transient object, make its class stable."),

  /** Use after the release. */
  R13(
      "A transient object is not used after its release.",
      "Its memory belongs to the next release by then: it would change under the reader.",
      "static Quote last; public void execute() { last = new Quote(bid, ask); }",
      "Copy what has to last into a stable object; run with the option for debug mode to "
          + "have the use and the place of allocation named."),

  /** Static fields that are read. */
  R14(
      "A static field that a task reads is primitive, or final and reference-immutable.",
      "Through any other static a task would share objects with other tasks and with the "
          + "collector's heap.",
      "static List<Rate> rates; public void execute() { use(rates.get(0)); }",
      "Make it a constant of an immutable type, hand the object to the task's constructor, "
          + "or send the data as an event."),

  /** Static fields that are written. */
  R15(
      "A task writes no static field, and no number in an object or array that a static field "
          + "or an enum constant refers to.",
      "A static reference would let an object of the release escape it; a number would be "
          + "shared by all tasks, neither isolated nor undone.",
      "static Quote last; public void execute() { last = quote; }",
      "Keep the object or the number in a field of the task, and publish it with write() or "
          + "an atomic method that others call; work on a copy of a constant."),

  /** What others may call. */
  R16(
      "What others may call on a task or stable class is an atomic method or a "
          + "constructor; its fields are hidden.",
      "Any other call would run in the middle of a release, on another thread, and see or "
          + "leave half a state.",
      "class Buyer extends ReflexTask { public double limit; public void raise(double by) "
          + "{ limit += by; } }",
      "Annotate the method with @Atomic, or make it private; make fields private and offer "
          + "an atomic method that reads them."),

  /** Signatures of atomic methods. */
  R17(
      "Parameters and results of an atomic method are primitive, primitive arrays "
          + "(parameters only) or reference-immutable.",
      "Other references would lead from the heap into the task's memory, or out of it.",
      "@Atomic void submit(List<Order> orders) { }",
      "Take the data apart: primitives, strings, records and primitive arrays; call the "
          + "method once for each element."),

  /** Parameters of atomic methods. */
  R18(
      "A reference parameter of an atomic method is not kept: not stored, captured or "
          + "returned.",
      "The caller goes on using its object, which the collector may move and others may "
          + "change, while the task would rely on it.",
      "@Atomic void load(double[] prices) { this.prices = prices; }",
      "Copy the elements into an array that the task has made."),

  /** Exceptions that leave. */
  R19(
      "A transient exception does not leave execute() or an atomic method.",
      "It is an object of the release, and whoever catches it outside holds a dead object.",
      "public void execute() { throw new StaleQuote(quote); }",
      "Catch it inside, call abort(), or keep an exception without references in a static "
          + "final field and throw that one."),

  /** Swallowed aborts. */
  R20(
      "No handler swallows an abort.",
      "An abort that somebody catches ends nothing: the release would go on with a doomed "
          + "transaction.",
      "private int step() { try { return next(); } finally { return -1; } }",
      "Leave a finally block by its end alone; handlers of a task's own code let an abort pass, in "
          + "a library catch Exception or something narrower."),

  /** Inner classes of stable classes. */
  R21(
      "A stable inner class is static or captures stable state only; no lambda or local "
          + "class is stable.",
      "The hidden fields of an inner class are fields of a stable object too, and keep "
          + "what they captured alive past the release.",
      "void run(Quote quote) { Node n = new Node() { double bid() { return quote.bid(); } "
          + "}; } // Node is stable",
      "Make it a static nested class and pass what it needs as primitive or stable "
          + "constructor arguments."),

  /** Lambdas. */
  R22(
      "Lambdas are transient; a capturing one is pooled.",
      "A capturing lambda is a new object at each evaluation, of a hidden class that no "
          + "pool can serve unless the weaver makes one.",
      "filter = (Predicate & java.io.Serializable) p -> p > limit;",
      "Use the lambda within the release; do not make it serializable, and do not keep it "
          + "in a stable field."),

  /** Type variables. */
  R23(
      "The erased bound of a type variable decides whether a field of that type is stable.",
      "Type arguments are gone at run time: without a stable bound, anything could be "
          + "stored there.",
      "class Cell<T> implements Stable { T value; }",
      "Bound the variable: class Cell<T extends Stable> implements Stable."),

  /** Capsules. */
  R24(
      "A capsule reference lives in locals and parameters only, and is dead once sent.",
      "A capsule moves from task to task without a copy; whoever kept a reference would "
          + "share it with the receiver.",
      "channel.send(frame); frame.sequence++; // frame is a Capsule",
      "Send it last; copy what you still need into locals before."),

  /** Values of events. */
  R25(
      "A value of an event is a boxed primitive, a string, a primitive array or a "
          + "reference-immutable record.",
      "Values are copied in and out of the space; of anything else, a copy would be "
          + "shallow or impossible.",
      "write(new Event(\"orders\", new java.util.ArrayList<Order>()));",
      "Use one key a value, a primitive array, or a record of such values."),

  /** Identity of pooled objects. */
  R26(
      "A pooled class does not depend on identity: no monitor, weak reference, identity "
          + "hash, clone or foreign superclass.",
      "The same object comes back in later releases as a new one, with the same identity; "
          + "fields of a JDK superclass cannot be reset.",
      "class Window extends java.util.ArrayList<Trade> {} // new Window() in execute()",
      "Hold the JDK object in a field instead of extending its class; compare by value; "
          + "make the class stable if its identity matters."),

  /** No allocation. */
  R27(
      "A task marked @NoAlloc allocates nothing that pools cannot serve.",
      "Each such allocation lands on the heap of the garbage collector, and sooner or "
          + "later the task waits for it.",
      "@NoAlloc class Filter extends ReflexTask { public void execute() { Object last = "
          + "Long.valueOf(ticks); } }",
      "Use the primitive forms (getLong, add(String, long)), give arrays a constant length "
          + "or @MaxLength, use the collections of dev.takt.reflex.stable."),

  /** Effects that cannot be undone. */
  R28(
      "Nothing that cannot be undone, except the operations that end in Now.",
      "A release may be undone and run again; what it has printed, written to a file or "
          + "sent stays.",
      "public void execute() { System.out.println(price); }",
      "Write an event, and let an ordinary thread print or send what has been committed; "
          + "writeNow and takeNow are meant to stay."),

  /** Stores past the barrier. */
  R29(
      "Stable state changes by plain stores and the allow-listed array copies only, so "
          + "that the barrier sees it.",
      "The barrier saves the object before a store that it sees. A store past it would "
          + "survive a rollback.",
      "private static final VarHandle COUNT = ...; void step() { COUNT.setVolatile(this, "
          + "count + 1); }",
      "Assign fields and array elements plainly; System.arraycopy and Arrays.fill are "
          + "allowed."),

  /** Atomic methods run again. */
  R30(
      "An atomic method can be aborted and run again, and calls no other task's atomic "
          + "method.",
      "A call that loses against a release starts over, so it must not leave traces; a "
          + "nested call could wait in a circle.",
      "@Atomic void move(Account to) { to.add(take()); } // Account is another task",
      "Write an event for the other task; change only this task's stable state; compute "
          + "the rest in the caller.");

  private final String text;
  private final String reason;
  private final String example;
  private final String remedy;

  Rule(String text, String reason, String example, String remedy) {
    this.text = text;
    this.reason = reason;
    this.example = example;
    this.remedy = remedy;
  }

  /** Returns what the rule demands, in one sentence. */
  public String text() {
    return text;
  }

  /** Returns what would go wrong without the rule. */
  public String reason() {
    return reason;
  }

  /** Returns a short program fragment that breaks the rule. */
  public String example() {
    return example;
  }

  /** Returns what to do instead. */
  public String remedy() {
    return remedy;
  }

  /** Returns the rule with this name, for example {@code "R8"}. */
  public static Optional<Rule> of(String name) {
    for (Rule rule : values()) {
      if (rule.name().equals(name)) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }
}
