package dev.takt.safety;

import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of Takt's own API that a task may call. What is not in the table is refused: Takt's code
 * is not followed by the verifier, so each line of the resource {@code task-api.txt} is a promise
 * that the method neither blocks, starts threads, calls the kernel nor reaches past the transaction
 * of the release.
 *
 * <p>A test compares the table with the classes that a task meets, so that a new method of theirs
 * is either added here or left out knowingly. The collections in {@code dev.takt.reflex.stable} are
 * not in it, because they are followed like a task's own code.
 *
 * <p>Immutable; any thread.
 */
public final class TaskApi {
  private static final String MAY = "allowed";
  private static final ApiTable TABLE = new ApiTable("task-api.txt");

  private TaskApi() {}

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
    String heading = TABLE.find(className, method);
    if (heading == null) {
      throw new IllegalArgumentException(className + " is not of takt; ask only for its classes");
    }
    return heading.equals(MAY) ? null : ForbiddenApi.of(heading);
  }

  /** Returns why the rest is refused. */
  static List<ForbiddenApi> refusals() {
    return entries(false).map(each -> ForbiddenApi.of(each.heading())).toList();
  }

  /** Returns the names of the methods that a task may call, by the class that declares them. */
  public static Map<String, Set<String>> allowed() {
    return entries(true).collect(toMap(ApiTable.Entry::name, ApiTable.Entry::methods));
  }

  private static Stream<ApiTable.Entry> entries(boolean areAllowed) {
    return TABLE.entries().stream().filter(each -> each.heading().equals(MAY) == areAllowed);
  }
}
