package dev.takt.safety.reach;

import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.flow.Op;

/**
 * What the rules refuse at the place where it is named. The analysis does not follow it: one
 * finding is enough, and what lies behind would only repeat it.
 */
public interface Refusals {
  /**
   * Returns whether a rule refuses a call.
   *
   * @param abort whether the caller is reached on the way to an exception only
   */
  boolean refuses(MethodInfo caller, Op.Call call, boolean abort);

  /** Returns whether a rule refuses an access to a static field. */
  boolean refuses(MethodInfo method, Op.StaticField field);
}
