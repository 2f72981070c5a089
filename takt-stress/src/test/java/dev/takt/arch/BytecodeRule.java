package dev.takt.arch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What compiled classes may not refer to. Bytecode cannot hide a call behind an import or a
 * comment.
 */
final class BytecodeRule {
  /** Calls for time, chance, threads and waiting, each with what is handed in instead. */
  static final Map<String, String> INJECTED =
      Map.ofEntries(
          Map.entry("System.nanoTime", "NanoClock"),
          Map.entry("System.currentTimeMillis", "NanoClock"),
          Map.entry("Instant.now", "NanoClock"),
          Map.entry("Thread.sleep", "ReleaseTimer"),
          Map.entry("Thread.yield", "Sleeper"),
          Map.entry("LockSupport.park", "Sleeper"),
          Map.entry("LockSupport.parkNanos", "Sleeper"),
          Map.entry("LockSupport.parkUntil", "Sleeper"),
          Map.entry("LockSupport.unpark", "Sleeper"),
          Map.entry("Math.random", "a generator with a seed"),
          Map.entry("Random.<init>", "a generator with a seed"),
          Map.entry("ThreadLocalRandom.current", "a generator with a seed"),
          Map.entry("Thread.<init>", "a ThreadFactory"),
          Map.entry("Thread.startVirtualThread", "a ThreadFactory"),
          Map.entry("Thread.ofVirtual", "a ThreadFactory"),
          Map.entry("Thread.ofPlatform", "a ThreadFactory"));

  /** Chance without a seed: a test that fails by it cannot be repeated. */
  private static final Set<String> UNSEEDED =
      Set.of(
          "java/util/Random.<init>()V",
          "java/util/SplittableRandom.<init>()V",
          "java/util/concurrent/ThreadLocalRandom.current()Ljava/util/concurrent/ThreadLocalRandom;",
          "java/lang/Math.random()D",
          "java/util/UUID.randomUUID()Ljava/util/UUID;",
          "java/security/SecureRandom.<init>()V",
          "java/util/Collections.shuffle(Ljava/util/List;)V");

  private static final Set<String> INTERNAL = Set.of("sun/", "jdk/internal/");

  /**
   * What the generators of JMH and jcstress make of our benchmarks is theirs, and is never depended
   * upon.
   */
  private static final Pattern GENERATED = Pattern.compile(".*/jmh_generated/.*|.*_jcstress");

  /**
   * The classes that provide them: clocks, and the places where a thread waits. The list may only
   * shrink.
   */
  static final Map<String, Set<String>> MAY_CALL =
      Map.ofEntries(
          Map.entry("AtomicCall", Set.of("Thread.yield")),
          Map.entry("ChannelWatch", Set.of("LockSupport.parkNanos", "System.nanoTime")),
          Map.entry("ConflictResolver", Set.of("LockSupport.parkNanos", "Thread.yield")),
          Map.entry("CpuPartition", Set.of("Thread.ofPlatform")),
          Map.entry("TransactionTable", Set.of("Thread.yield")),
          Map.entry("EventSpace", Set.of("Thread.yield")),
          Map.entry(
              "FutexSleeper",
              Set.of(
                  "LockSupport.park",
                  "LockSupport.parkNanos",
                  "LockSupport.unpark",
                  "System.nanoTime")),
          Map.entry("LinkServer", Set.of("Thread.ofPlatform")),
          Map.entry("LinuxPiFutex", Set.of("System.nanoTime")),
          Map.entry("LinuxPoller", Set.of("System.nanoTime")),
          Map.entry("LinuxSystem", Set.of("System.nanoTime")),
          Map.entry("NanoClock", Set.of("LockSupport.parkNanos")),
          Map.entry("ParkSleeper", Set.of("LockSupport.park", "LockSupport.unpark")),
          Map.entry("OperatingSystems", Set.of("Thread.ofPlatform")),
          Map.entry(
              "PortableSystem", Set.of("Instant.now", "LockSupport.parkNanos", "System.nanoTime")),
          Map.entry("Sessions", Set.of("Thread.ofVirtual")),
          Map.entry("Stage", Set.of("Thread.ofPlatform")),
          Map.entry("StarvationMonitor", Set.of("System.nanoTime", "Thread.ofPlatform")),
          Map.entry("SystemNanoClock", Set.of("System.nanoTime")),
          Map.entry("Suspension", Set.of("Thread.yield")),
          Map.entry("Takt", Set.of("Thread.ofPlatform")),
          Map.entry(
              "SystemWaitClock",
              Set.of("LockSupport.park", "LockSupport.parkNanos", "System.nanoTime")),
          Map.entry("Values", Set.of("ThreadLocalRandom.current")),
          Map.entry("WaitClock", Set.of("LockSupport.unpark")),
          Map.entry("WatchThread", Set.of("Thread.ofPlatform")),
          Map.entry("Waits", Set.of("LockSupport.parkNanos", "System.nanoTime")),
          Map.entry("Worker", Set.of("LockSupport.unpark")),
          Map.entry("WorkerPool", Set.of("LockSupport.parkNanos")));

  private BytecodeRule() {}

  /** Internal JDK classes, wherever they are used. */
  static List<String> checkInternals(byte[] bytecode) {
    ClassModel model = ClassFile.of().parse(bytecode);
    List<String> wrong = new ArrayList<>();
    if (GENERATED.matcher(model.thisClass().asInternalName()).matches()) {
      return wrong;
    }
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry used
          && INTERNAL.stream().anyMatch(used.asInternalName()::startsWith)) {
        wrong.add(
            model.thisClass().asInternalName()
                + " uses "
                + used.asInternalName()
                + ", which is not supported API");
      }
    }
    return wrong;
  }

  /** Chance in tests that {@code -Dtakt.seed} does not replay. */
  static List<String> checkSeeds(byte[] bytecode) {
    ClassModel model = ClassFile.of().parse(bytecode);
    List<String> wrong = new ArrayList<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry call) {
        String called =
            call.owner().asInternalName()
                + "."
                + call.name().stringValue()
                + call.type().stringValue();
        if (UNSEEDED.contains(called)) {
          wrong.add(model.thisClass().asInternalName() + " calls " + called + "; use Seeds");
        }
      }
    }
    return wrong;
  }

  /** Adds the calls for time, chance, threads and waiting by the simple name of the class. */
  static void addInjected(byte[] bytecode, Map<String, Set<String>> calls) {
    ClassModel model = ClassFile.of().parse(bytecode);
    String name = model.thisClass().asInternalName();
    boolean thread =
        model
            .superclass()
            .map(each -> each.asInternalName().equals("java/lang/Thread"))
            .orElse(false);
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry call) {
        String called = simple(call.owner().asInternalName()) + "." + call.name().stringValue();
        boolean superCall = thread && called.equals("Thread.<init>");
        if (INJECTED.containsKey(called) && !superCall) {
          String outermost = simple(name).replaceFirst("\\$.*", "");
          calls.computeIfAbsent(outermost, each -> new TreeSet<>()).add(called);
        }
      }
    }
  }

  private static String simple(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1);
  }
}
