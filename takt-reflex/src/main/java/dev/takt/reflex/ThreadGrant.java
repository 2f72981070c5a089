package dev.takt.reflex;

import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.ThreadScheduling;

/**
 * What a thread of a runtime asked of the operating system, and what it was granted.
 *
 * @param thread the name of the thread
 * @param asked what it asked for when it started
 * @param grant what it was granted then
 */
public record ThreadGrant(String thread, ThreadScheduling asked, Grant grant) {
  /** Returns whether the policy and the priority are what was asked for. */
  public boolean hasPolicy() {
    ThreadScheduling granted = grant.scheduling();
    return granted.policy() == asked.policy() && granted.priority() == asked.priority();
  }
}
