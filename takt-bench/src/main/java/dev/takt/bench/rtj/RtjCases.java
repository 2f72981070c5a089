package dev.takt.bench.rtj;

import dev.takt.bench.measure.ChildRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The cases by name, and the measurement of one of them.
 *
 * @param name of the case
 * @param plan how much is measured
 * @param floor the floor's program, or {@link BaselineProgram#NONE}
 * @param floorOnly whether only that is measured
 * @param ownMachine whether this JVM is the suite's own, so that the machine is prepared for it
 */
public record RtjCases(
    String name, FramePlan plan, String floor, boolean floorOnly, boolean ownMachine)
    implements ChildRun.Body<Samples> {
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

  /**
   * Returns the flags of the measuring JVMs. Where the system gives large pages on request, they
   * request them, as the doctor advises: what is done at 20 Hz finds the processor's caches cold,
   * also those of page addresses, and a program in Java is spread over many more pages than one in
   * C.
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

  /** Returns this with only the floor. */
  public RtjCases ofFloor() {
    return new RtjCases(name, plan, floor, true, ownMachine);
  }

  @Override
  public Samples run() throws Exception {
    Supplier<Case> maker = CASES.get(name);
    if (maker == null) {
      throw new IllegalArgumentException("no case " + name + " among " + names());
    }
    BaselineProgram beside = floor.equals(BaselineProgram.NONE) ? null : BaselineProgram.at(floor);
    CaseRunner runner = new CaseRunner(plan, beside, floorOnly);
    if (ownMachine) {
      runner.claimMachine();
    }
    maker.get().measure(runner);
    return runner.samples();
  }
}
