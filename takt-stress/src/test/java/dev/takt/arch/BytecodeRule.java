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
import java.util.regex.Pattern;

/**
 * What compiled classes may not refer to. Bytecode cannot hide a call behind an import or a
 * comment.
 */
final class BytecodeRule {
  /** What time, chance and threads are asked for through instead: they are injected. */
  private static final Map<String, String> INJECTED =
      Map.ofEntries(
          Map.entry("java/lang/System.nanoTime", "NanoClock"),
          Map.entry("java/lang/System.currentTimeMillis", "NanoClock"),
          Map.entry("java/time/Instant.now", "NanoClock"),
          Map.entry("java/lang/Thread.sleep", "ReleaseTimer"),
          Map.entry("java/lang/Math.random", "a generator with a seed, handed in"),
          Map.entry("java/util/Random.<init>", "a generator with a seed, handed in"),
          Map.entry(
              "java/util/concurrent/ThreadLocalRandom.current",
              "a generator with a seed, handed in"),
          Map.entry("java/lang/Thread.<init>", "a ThreadFactory, handed in"),
          Map.entry("java/lang/Thread.startVirtualThread", "a ThreadFactory, handed in"),
          Map.entry("java/lang/Thread.ofVirtual", "a ThreadFactory, handed in"),
          Map.entry("java/lang/Thread.ofPlatform", "a ThreadFactory, handed in"));

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
   * Who may call them all the same: the module of clocks and timers itself; ordinary threads that
   * wait with a time-out, which are people's and not the tasks' time; the runtime, which owns the
   * threads of tasks; and the secret of a space's hashes, which no test can know and a property
   * fixes. The list may only shrink.
   */
  private static final Map<String, Set<String>> MAY_CALL =
      Map.of(
          "dev/takt/realtime/",
          INJECTED.keySet(),
          "dev/takt/space/EventSpace",
          Set.of("java/lang/System.nanoTime"),
          // its timeouts are those of ordinary threads
          "dev/takt/reflex/ReflexRuntime",
          Set.of("java/lang/System.nanoTime"),
          "dev/takt/reflex/Waits",
          Set.of("java/lang/System.nanoTime"),
          "dev/takt/space/Values",
          Set.of("java/util/concurrent/ThreadLocalRandom.current"));

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

  /** Calls for time, chance and threads outside the places that provide them. */
  static List<String> checkInjection(byte[] bytecode) {
    ClassModel model = ClassFile.of().parse(bytecode);
    String name = model.thisClass().asInternalName();
    List<String> wrong = new ArrayList<>();
    Set<String> mayCall =
        MAY_CALL.entrySet().stream()
            .filter(each -> name.startsWith(each.getKey()))
            .findFirst()
            .map(Map.Entry::getValue)
            .orElse(Set.of());
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry call) {
        String called = call.owner().asInternalName() + "." + call.name().stringValue();
        // A subclass of Thread calls Thread's constructor: that is a thread class, not a new
        // thread.
        boolean superCall =
            called.equals("java/lang/Thread.<init>")
                && model
                    .superclass()
                    .map(each -> each.asInternalName().equals("java/lang/Thread"))
                    .orElse(false);
        if (INJECTED.containsKey(called) && !mayCall.contains(called) && !superCall) {
          wrong.add(name + " calls " + called + "; use " + INJECTED.get(called));
        }
      }
    }
    return wrong;
  }
}
