package dev.takt.safety;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Library API that no task can use, and why; the table is the resource {@code forbidden-api.txt}.
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
  private static final ApiTable TABLE = new ApiTable("forbidden-api.txt");

  /** Returns what a heading of a table says: the rule and the reason. */
  static ForbiddenApi of(String heading) {
    int end = heading.indexOf(' ');
    return new ForbiddenApi(Rule.valueOf(heading.substring(0, end)), heading.substring(end + 1));
  }

  /** Returns all that is in the table. */
  static List<ForbiddenApi> all() {
    return TABLE.entries().stream().map(each -> of(each.heading())).toList();
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
    String heading = TABLE.find(className, method);
    return heading == null ? null : of(heading);
  }
}
