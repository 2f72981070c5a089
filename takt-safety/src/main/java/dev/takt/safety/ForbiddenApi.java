package dev.takt.safety;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Library API that no task can use, and why.
 *
 * <p>The table is a short cut, not the proof: the bytecode verifier follows what is not in it down
 * to natives and monitors. It is here because one finding at the call says more than many about
 * what lies behind it.
 *
 * <p>Immutable; any thread.
 *
 * @param rule the rule that a call breaks
 * @param why what is behind it and what to do instead, as the end of a sentence: "a call of X,
 *     which ..."
 */
public record ForbiddenApi(Rule rule, String why) {
  private static final Set<String> ANY = Set.of();
  private static final List<Entry> TABLE = new ArrayList<>();

  private static final String NO_THREAD =
      "makes or steers a thread: register a second task, or write an event that ordinary code"
          + " takes";
  private static final String NO_LOOK_UP =
      ": call the method directly, or switch over an enum; look things up in ordinary code, before"
          + " the task is registered";
  private static final String NO_BARRIER =
      "writes past the barrier: assign the field or the element plainly";
  private static final String NO_REFERENCE =
      "ties the life of an object to the collector: keep it in a field of the task as long as it is"
          + " needed";
  private static final String NO_EFFECT =
      "changes the whole process and cannot be undone: write an event, and let ordinary code do it";
  private static final String NO_STREAM =
      "is a stream, with monitors and the common pool behind it: write a for loop";

  /**
   * One line of the table.
   *
   * @param name a class, a package that ends in {@code .*}, or a class with its nested ones that
   *     ends in {@code $}
   * @param methods the methods; empty for all of them
   */
  private record Entry(String name, Set<String> methods, ForbiddenApi api) {
    boolean matches(String className, String method) {
      return isIn(className) && (methods.isEmpty() || methods.contains(method));
    }

    private boolean isIn(String className) {
      if (name.endsWith(".*")) {
        int end = name.length() - 1;
        return className.startsWith(name.substring(0, end));
      }
      if (name.endsWith("$")) {
        return className.startsWith(name) || className.equals(name.substring(0, name.length() - 1));
      }
      return className.equals(name);
    }
  }

  static {
    reflection();
    threads();
    locks();
    inputAndOutput();
    machinery();
    numbers();
    effects();
  }

  private static void add(Rule rule, String why, Set<String> methods, String... names) {
    for (String each : names) {
      TABLE.add(new Entry(each, methods, new ForbiddenApi(rule, why)));
    }
  }

  private static void reflection() {
    add(
        Rule.R3,
        "finds classes and members by name" + NO_LOOK_UP,
        Set.of(
            "forName",
            "newInstance",
            "getMethod",
            "getMethods",
            "getDeclaredMethod",
            "getDeclaredMethods",
            "getField",
            "getFields",
            "getDeclaredField",
            "getDeclaredFields",
            "getConstructor",
            "getConstructors",
            "getDeclaredConstructor",
            "getDeclaredConstructors",
            "getDeclaredClasses",
            "getClasses",
            "getRecordComponents",
            "getAnnotation",
            "getAnnotations",
            "getClassLoader",
            "getResource",
            "getResourceAsStream"),
        "java.lang.Class");
    add(Rule.R3, "is reflection" + NO_LOOK_UP, ANY, "java.lang.reflect.*");
    add(
        Rule.R29,
        NO_BARRIER,
        ANY,
        "java.util.concurrent.atomic.AtomicIntegerFieldUpdater",
        "java.util.concurrent.atomic.AtomicLongFieldUpdater",
        "java.util.concurrent.atomic.AtomicReferenceFieldUpdater");
    add(
        Rule.R29,
        NO_BARRIER,
        Set.of(
            "set",
            "setVolatile",
            "setOpaque",
            "setRelease",
            "compareAndSet",
            "compareAndExchange",
            "compareAndExchangeAcquire",
            "compareAndExchangeRelease",
            "weakCompareAndSet",
            "weakCompareAndSetPlain",
            "weakCompareAndSetAcquire",
            "weakCompareAndSetRelease",
            "getAndSet",
            "getAndSetAcquire",
            "getAndSetRelease",
            "getAndAdd",
            "getAndAddAcquire",
            "getAndAddRelease",
            "getAndBitwiseOr",
            "getAndBitwiseAnd",
            "getAndBitwiseXor",
            "get",
            "getVolatile",
            "getOpaque",
            "getAcquire"),
        "java.lang.invoke.VarHandle");
    add(
        Rule.R3,
        "is linked by name while the task runs" + NO_LOOK_UP,
        ANY,
        "java.lang.invoke.MethodHandles$",
        "java.lang.invoke.MethodHandle",
        "java.lang.invoke.MethodHandleProxies",
        "java.lang.invoke.MethodType",
        "java.lang.invoke.VarHandle");
    add(
        Rule.R3,
        "loads classes" + NO_LOOK_UP,
        ANY,
        "java.lang.ClassLoader",
        "java.util.ServiceLoader");
    add(Rule.R3, "loads classes" + NO_LOOK_UP, ANY, "java.net.URLClassLoader");
    add(
        Rule.R3,
        "is serialization, which finds fields by reflection: write an event with the values, and let"
            + " ordinary code serialize them",
        ANY,
        "java.io.ObjectInputStream",
        "java.io.ObjectOutputStream");
    add(
        Rule.R3,
        "bypasses every check: use the public classes of the JDK",
        ANY,
        "sun.misc.*",
        "jdk.internal.*");
  }

  private static void threads() {
    add(
        Rule.R5,
        "blocks the thread: return, and let a period, or an event that a timer writes, release the"
            + " task again",
        Set.of("sleep", "yield"),
        "java.lang.Thread");
    add(
        Rule.R5,
        "blocks the thread: let the other thread write an event when it is done, and subscribe to"
            + " that",
        Set.of("join"),
        "java.lang.Thread");
    add(
        Rule.R4,
        NO_THREAD,
        Set.of(
            "<init>",
            "start",
            "run",
            "ofPlatform",
            "ofVirtual",
            "startVirtualThread",
            "interrupt",
            "setPriority",
            "setDaemon",
            "setName",
            "setContextClassLoader",
            "setUncaughtExceptionHandler",
            "setDefaultUncaughtExceptionHandler"),
        "java.lang.Thread");
    add(
        Rule.R4,
        NO_THREAD,
        ANY,
        "java.lang.Thread$Builder$",
        "java.lang.ThreadGroup",
        "java.util.Timer",
        "java.util.TimerTask",
        "java.util.concurrent.Executors",
        "java.util.concurrent.Executor",
        "java.util.concurrent.ExecutorService",
        "java.util.concurrent.ScheduledExecutorService",
        "java.util.concurrent.ForkJoinPool",
        "java.util.concurrent.ForkJoinTask",
        "java.util.concurrent.CompletableFuture",
        "java.util.concurrent.CompletionStage",
        "java.util.concurrent.StructuredTaskScope",
        "java.util.concurrent.ThreadFactory");
    add(
        Rule.R4,
        "ties state to a thread: keep it in a field of the task",
        ANY,
        "java.lang.ThreadLocal",
        "java.lang.InheritableThreadLocal",
        "java.lang.ScopedValue$");
    add(Rule.R4, NO_REFERENCE, ANY, "java.lang.ref.*");
    add(Rule.R4, NO_REFERENCE, ANY, "java.util.WeakHashMap");
    add(
        Rule.R4,
        "is finalization: write an event when ordinary code is to free something",
        Set.of("finalize"),
        "java.lang.Object");
  }

  private static void locks() {
    add(
        Rule.R5,
        "takes part in a monitor: subscribe to an event that says what has changed",
        Set.of("wait", "notify", "notifyAll"),
        "java.lang.Object");
    add(
        Rule.R5,
        "can block: leave locks out, for a task runs on one thread at a time; to pass data on or to"
            + " wait for something, use events",
        ANY,
        "java.util.concurrent.locks.*",
        "java.util.concurrent.Semaphore",
        "java.util.concurrent.CountDownLatch",
        "java.util.concurrent.CyclicBarrier",
        "java.util.concurrent.Phaser",
        "java.util.concurrent.Exchanger",
        "java.util.concurrent.Future",
        "java.util.concurrent.FutureTask",
        "java.util.concurrent.BlockingQueue",
        "java.util.concurrent.BlockingDeque",
        "java.util.concurrent.TransferQueue");
    add(
        Rule.R5,
        "takes a monitor in each method: use StringBuilder",
        ANY,
        "java.lang.StringBuffer");
    add(
        Rule.R5,
        "takes a monitor in each method: use StableList or StableMap for what stays, ArrayList or"
            + " an array for one release",
        ANY,
        "java.util.Vector",
        "java.util.Stack",
        "java.util.Hashtable",
        "java.util.Properties");
    add(
        Rule.R5,
        "wraps a collection into monitors: take it without, for the memory of a task is its own",
        Set.of(
            "synchronizedCollection",
            "synchronizedList",
            "synchronizedMap",
            "synchronizedSet",
            "synchronizedSortedMap",
            "synchronizedSortedSet",
            "synchronizedNavigableMap",
            "synchronizedNavigableSet"),
        "java.util.Collections");
    add(
        Rule.R5,
        "takes a monitor to change the collection: use StableMap or StableList, for the memory of a"
            + " task is its own",
        Set.of(
            "add",
            "addAll",
            "addIfAbsent",
            "clear",
            "compute",
            "computeIfAbsent",
            "computeIfPresent",
            "merge",
            "put",
            "putAll",
            "putIfAbsent",
            "remove",
            "removeAll",
            "removeIf",
            "replace",
            "replaceAll",
            "retainAll",
            "set",
            "sort"),
        "java.util.concurrent.ConcurrentHashMap",
        "java.util.concurrent.CopyOnWriteArrayList",
        "java.util.concurrent.CopyOnWriteArraySet");
  }

  private static void inputAndOutput() {
    add(
        Rule.R28,
        "prints what cannot be taken back, and can block: write an event, and let ordinary code"
            + " print it",
        ANY,
        "java.io.PrintStream",
        "java.io.PrintWriter",
        "java.io.Console",
        "java.lang.IO",
        "java.io.IO");
    add(
        Rule.R5,
        "is input or output, which can block: let ordinary code read or write, and pass the data by"
            + " events",
        ANY,
        "java.io.InputStream",
        "java.io.OutputStream",
        "java.io.Reader",
        "java.io.Writer",
        "java.io.File",
        "java.io.FileInputStream",
        "java.io.FileOutputStream",
        "java.io.FileReader",
        "java.io.FileWriter",
        "java.io.RandomAccessFile",
        "java.nio.file.*",
        "java.nio.channels.*",
        "java.net.Socket",
        "java.net.ServerSocket",
        "java.net.DatagramSocket",
        "java.net.URL",
        "java.net.URLConnection",
        "java.net.InetAddress",
        "java.net.NetworkInterface",
        "java.net.http.*",
        "java.util.Scanner",
        "java.util.logging.*",
        "java.lang.System$Logger",
        "java.sql.*",
        "javax.net.*",
        "javax.sql.*",
        "javax.naming.*",
        "java.rmi.*",
        "java.awt.*");
    add(
        Rule.R5,
        "waits for a process: let ordinary code wait, and write an event when it is done",
        ANY,
        "java.lang.Process",
        "java.lang.ProcessHandle");
  }

  private static void machinery() {
    add(Rule.R5, NO_STREAM, ANY, "java.util.stream.*");
    add(
        Rule.R5,
        NO_STREAM,
        Set.of("stream", "parallelStream"),
        "java.util.Collection",
        "java.util.Arrays",
        "java.util.Optional",
        "java.util.BitSet");
    add(
        Rule.R5,
        NO_STREAM,
        Set.of("chars", "codePoints", "lines"),
        "java.lang.String",
        "java.lang.CharSequence");
    add(
        Rule.R5,
        "parses a format and looks up the locale, behind monitors: write an event with the values,"
            + " and let ordinary code format them",
        Set.of("format", "formatted"),
        "java.lang.String");
    add(
        Rule.R5,
        "looks up the locale, behind monitors: write an event with the values, and let ordinary"
            + " code format them",
        ANY,
        "java.util.Formatter",
        "java.text.*",
        "java.util.ResourceBundle",
        "java.util.Calendar",
        "java.util.TimeZone",
        "java.time.format.*");
    add(
        Rule.R5,
        "runs in the common pool: use the method without parallel in its name",
        Set.of("parallelSort", "parallelPrefix", "parallelSetAll"),
        "java.util.Arrays");
  }

  private static void numbers() {
    add(
        Rule.R5,
        "takes a monitor, and no rollback undoes what it counts: keep a long in a field of the task,"
            + " and step it by shifts: x ^= x << 13; x ^= x >>> 7; x ^= x << 17",
        Set.of("<init>", "setSeed"),
        "java.util.Random");
    add(
        Rule.R5,
        "multiplies large numbers in the common pool and waits for it: use long, with"
            + " Math.multiplyExact or Math.multiplyHigh, or let ordinary code compute",
        Set.of(
            "divide",
            "divideAndRemainder",
            "mod",
            "modPow",
            "multiply",
            "parallelMultiply",
            "pow",
            "remainder",
            "sqrt"),
        "java.math.BigInteger");
  }

  private static void effects() {
    add(
        Rule.R28,
        NO_EFFECT,
        Set.of(
            "exit",
            "gc",
            "runFinalization",
            "setProperty",
            "setProperties",
            "clearProperty",
            "setIn",
            "setOut",
            "setErr",
            "load",
            "loadLibrary"),
        "java.lang.System");
    add(
        Rule.R28,
        NO_EFFECT,
        Set.of("exit", "halt", "exec", "gc", "addShutdownHook", "removeShutdownHook", "load"),
        "java.lang.Runtime");
    add(
        Rule.R28,
        "starts a process: write an event, and let ordinary code start it",
        ANY,
        "java.lang.ProcessBuilder");
    add(
        Rule.R5,
        "looks up the environment, behind monitors: read it in ordinary code and give it to the"
            + " task's constructor",
        Set.of("getProperty", "getProperties", "getenv", "getLogger", "console"),
        "java.lang.System");
    add(
        Rule.R2,
        "is native: ask in ordinary code, and send the number as an event",
        Set.of("freeMemory", "totalMemory", "maxMemory", "availableProcessors"),
        "java.lang.Runtime");
    add(Rule.R2, "is native: compare strings by equals", Set.of("intern"), "java.lang.String");
    add(
        Rule.R2,
        "is native: let ordinary code compress or check, and pass the data by events",
        ANY,
        "java.util.zip.*");
  }

  /** Returns all that is in the table. */
  static List<ForbiddenApi> all() {
    return TABLE.stream().map(Entry::api).toList();
  }

  /**
   * Returns what speaks against a call, or null if nothing in the table does.
   *
   * <p>The table knows the class that declares a method; ask for the static type of the call too,
   * and for its supertypes. Of takt's own classes {@link TaskApi} knows what is allowed.
   *
   * @param className the class, as in {@code java.util.Map$Entry}
   * @param method the name of the method; {@code <init>} for {@code new}
   */
  public static @Nullable ForbiddenApi find(String className, String method) {
    for (Entry each : TABLE) {
      if (each.matches(className, method)) {
        return each.api();
      }
    }
    return null;
  }
}
