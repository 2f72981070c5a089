package dev.takt.bench.rtj;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The cases by name, and the main program of the JVM that measures one of them. Its arguments: the
 * case, the frames, the frames in a block, the nanoseconds of a frame, the milliseconds of warm-up,
 * the floor's program or {@code -}, and {@value #FLOOR_ONLY} if only that is to be measured. It
 * prints {@link Samples}.
 */
public final class RtjCases {
  private static final String FLOOR_ONLY = "floor-only";

  /** A small heap that is not collected, and native calls. */
  private static final List<String> JVM_FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UseSerialGC",
          "-Xms128m",
          "-Xmx128m",
          "-XX:-UsePerfData");

  /** All compiled code side by side, there from the start, in large pages as the heap is. */
  private static final List<String> LARGE_PAGES =
      List.of(
          "-XX:+UseTransparentHugePages",
          "-XX:-SegmentedCodeCache",
          "-XX:InitialCodeCacheSize=32m",
          "-XX:ReservedCodeCacheSize=32m");

  private static final Path PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

  private static final Map<String, Supplier<Case>> CASES = new LinkedHashMap<>();

  static {
    CASES.put("3.1.1", ThroughputCase::new);
    CASES.put("3.2.1", () -> new FrameCase(false));
    CASES.put("3.2.2", () -> new FrameCase(true)); // and 3.1.2
    CASES.put("3.2.3", () -> new EventCase(true));
    CASES.put("3.3.1", ContextSwitchCase::new);
    CASES.put("3.3.2", InheritanceCase::new);
    CASES.put("3.3.3", SynchronizationCase::new);
    CASES.put("3.3.4", () -> new EventCase(false));
    CASES.put("3.4", MemoryCase::new); // 3.4.1 to 3.4.3
    CASES.put("creation", CreationCase::new);
    CASES.put("timer", TimerCase::new);
    CASES.put("yield", YieldCase::new);
    CASES.put("loading", LoadingCase::new);
  }

  private RtjCases() {}

  /**
   * Returns the flags of the measuring JVMs. Where the system has large pages for those who ask,
   * they do, as the doctor advises: what is done at 20 Hz finds the processor's caches cold, also
   * those of page addresses, and a program in Java is spread over many more pages than one in C.
   */
  public static List<String> jvmFlags() {
    List<String> flags = new ArrayList<>(JVM_FLAGS);
    try {
      if (!Files.readString(PAGES).contains("[never]")) {
        flags.addAll(LARGE_PAGES);
      }
    } catch (IOException e) {
      return flags; // another system, or one without them
    }
    return flags;
  }

  /** Returns the names, in the order in which they are measured. */
  public static List<String> names() {
    return List.copyOf(CASES.keySet());
  }

  /** Returns the arguments of {@link #main}. */
  public static List<String> arguments(
      String name, int frames, int block, long periodNs, int warmupMs, String floor) {
    return List.of(
        name,
        Integer.toString(frames),
        Integer.toString(block),
        Long.toString(periodNs),
        Integer.toString(warmupMs),
        floor);
  }

  /** Returns the arguments with which {@link #main} measures only the floor of a case. */
  public static List<String> floorOnly(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.add(FLOOR_ONLY);
    return all;
  }

  /** Measures a case in this JVM. */
  public static Samples measure(List<String> arguments) throws Exception {
    return measure(arguments, false);
  }

  private static Samples measure(List<String> arguments, boolean own) throws Exception {
    Supplier<Case> maker = CASES.get(arguments.get(0));
    if (maker == null) {
      throw new IllegalArgumentException("no case " + arguments.get(0) + " among " + names());
    }
    CaseRunner.FramePlan profile =
        new CaseRunner.FramePlan(
            Integer.parseInt(arguments.get(1)),
            Integer.parseInt(arguments.get(2)),
            Long.parseLong(arguments.get(3)),
            Integer.parseInt(arguments.get(4)));
    String program = arguments.get(5);
    boolean floorOnly = arguments.contains(FLOOR_ONLY);
    CaseRunner runner =
        new CaseRunner(
            profile, program.equals("-") ? null : CBaseline.at(Path.of(program)), floorOnly);
    if (own) {
      runner.claimMachine();
    }
    maker.get().measure(runner);
    return runner.samples();
  }

  /** Measures a case and prints what it found. */
  public static void main(String[] arguments) throws Exception {
    List<String> lines = new ArrayList<>(measure(List.of(arguments), true).toLines());
    lines.forEach(System.out::println);
    System.out.flush();
    System.exit(0); // threads that a case could not stop must not keep this JVM alive
  }
}
