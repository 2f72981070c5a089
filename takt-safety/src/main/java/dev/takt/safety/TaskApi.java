package dev.takt.safety;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of Takt's own API that a task may call. What is not in the table is refused: Takt's code
 * is not followed by the verifier, so each line here is a promise that the method neither blocks,
 * starts threads, calls the kernel nor reaches past the transaction of the release.
 *
 * <p>A test compares the table with the classes that a task meets, so that a new method of theirs
 * is either added here or left out knowingly. The collections in {@code dev.takt.reflex.stable} are
 * not in it, because they are followed like a task's own code.
 *
 * <p>Immutable; any thread.
 */
public final class TaskApi {
  /** What a task may call: the class that declares it, and the names of its methods. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          entry(
              "dev.takt.space.Event",
              Set.of(
                  "<init>",
                  "add",
                  "arrayLength",
                  "clear",
                  "copy",
                  "copyFrom",
                  "copyInto",
                  "equals",
                  "get",
                  "getBoolean",
                  "getDouble",
                  "getLong",
                  "getString",
                  "has",
                  "hashCode",
                  "isTemplate",
                  "keys",
                  "matches",
                  "size",
                  "toString")),
          entry(
              "dev.takt.space.Template",
              Set.of(
                  "<init>",
                  "add",
                  "atLeast",
                  "atMost",
                  "between",
                  "clear",
                  "copy",
                  "copyFrom",
                  "isTemplate",
                  "matchingDouble",
                  "matchingLong",
                  "matchingString",
                  "not")),
          entry(
              "dev.takt.space.Handle",
              Set.of(
                  "hasNext",
                  "hasNextNow",
                  "isSubscribed",
                  "iterator",
                  "next",
                  "nextNow",
                  "template")),
          entry("dev.takt.space.Abort", Set.of("reason")),
          entry("dev.takt.space.Abort$Reason", Set.of("valueOf", "values")),
          entry(
              "dev.takt.reflex.ReflexTask",
              Set.of(
                  "<init>",
                  "abort",
                  "asBoolean",
                  "asDouble",
                  "asLong",
                  "event",
                  "execute",
                  "initialize",
                  "isWarmingUp",
                  "subscribe",
                  "take",
                  "takeNow",
                  "test",
                  "testNow",
                  "unsubscribe",
                  "warmUp",
                  "write",
                  "writeNow")),
          entry("dev.takt.reflex.limit.AtomicCallRejected", Set.of("reason")),
          entry("dev.takt.reflex.limit.AtomicCallRejected$Reason", Set.of("valueOf", "values")),
          entry("dev.takt.realtime.NanoClock", Set.of("nanoTime", "system")));

  /**
   * Why the rest is refused; the first line that fits counts.
   *
   * @param name how the class's name begins
   */
  private record Refused(String name, ForbiddenApi api) {}

  private static final String KERNEL =
      "changes the state of the process or of the machine, which no rollback undoes: write an event,"
          + " and let ordinary code call the kernel";

  private static final String BLOCKS =
      "blocks the thread: return, and let a period, or an event that a timer writes, release the"
          + " task again";

  private static final String STEERS =
      "makes or steers a thread, a timer or an area: do it in ordinary code, before the task is"
          + " registered";

  private static final List<Refused> REFUSED =
      List.of(
          refused("dev.takt.realtime.NanoClock", Rule.R5, BLOCKS),
          refused("dev.takt.realtime.os.Sleeper", Rule.R5, BLOCKS),
          refused("dev.takt.realtime.ReleaseTimer", Rule.R5, BLOCKS),
          refused(
              "dev.takt.rtsj.monitor.",
              Rule.R5,
              "waits for the owner of a monitor: leave it out, for a task runs on one thread at a time"),
          refused("dev.takt.realtime.OperatingSystems", Rule.R28, KERNEL),
          refused("dev.takt.realtime.os.", Rule.R28, KERNEL),
          refused("dev.takt.realtime.", Rule.R4, STEERS),
          refused("dev.takt.rtsj.", Rule.R4, STEERS),
          refused(
              "dev.takt.reflex.woven.",
              Rule.R29,
              "is for woven code only: assign fields and elements plainly"),
          refused(
              "dev.takt.",
              Rule.R28,
              "goes past the transaction of the release: use the methods that a task inherits from ReflexTask, or let ordinary code do it"));

  private TaskApi() {}

  private static Refused refused(String name, Rule rule, String why) {
    return new Refused(name, new ForbiddenApi(rule, why));
  }

  /** Returns whether a class is in a package whose code is taken on trust, by its binary name. */
  public static boolean isTrusted(String className) {
    return className.startsWith("dev.takt.space.")
        || className.startsWith("dev.takt.realtime.")
        || className.startsWith("dev.takt.rtsj.")
        || (className.startsWith("dev.takt.reflex.")
            && !className.startsWith("dev.takt.reflex.stable."));
  }

  /**
   * Returns what speaks against a call of Takt's API by a task, or null if it is on the list.
   *
   * @param className the class that declares the method, as in {@code dev.takt.space.Abort$Reason};
   *     one of those that are {@linkplain #isTrusted trusted}
   * @param method the name of the method; {@code <init>} for {@code new}
   */
  public static @Nullable ForbiddenApi refusal(String className, String method) {
    if (ALLOWED.getOrDefault(className, Set.of()).contains(method)) {
      return null;
    }
    for (Refused each : REFUSED) {
      if (className.startsWith(each.name())) {
        return each.api();
      }
    }
    throw new IllegalArgumentException(className + " is not of takt; ask only for its classes");
  }

  /** Returns why the rest is refused. */
  static List<ForbiddenApi> refusals() {
    return REFUSED.stream().map(Refused::api).toList();
  }

  /** Returns the names of the methods that a task may call, by the class that declares them. */
  public static Map<String, Set<String>> allowed() {
    return ALLOWED;
  }
}
