package dev.takt.cpu.admission;

import java.util.List;
import java.util.OptionalLong;

/**
 * Whether a task was admitted.
 *
 * @param processor the index of its processor; -1: it was not admitted
 * @param displaced the names of the tasks that had to leave for it, in the order in which they were
 *     chosen
 * @param reason why it was not, in words and figures, with what would be; for a task that runs
 *     without an admission of its own (served, best effort) how it runs; else empty
 * @param fittingCostNs with which cost it would be admitted, in nanoseconds; empty: with none, or
 *     it was
 * @param fittingPeriodNs with which period it would be admitted, in nanoseconds; empty: with none,
 *     or it was
 */
public record Decision(
    int processor,
    List<String> displaced,
    String reason,
    OptionalLong fittingCostNs,
    OptionalLong fittingPeriodNs) {
  /** Copies the list. */
  public Decision {
    displaced = List.copyOf(displaced);
  }

  static Decision admitted(int processor, List<String> displaced) {
    return new Decision(processor, displaced, "", OptionalLong.empty(), OptionalLong.empty());
  }

  /** Returns whether it was admitted. */
  public boolean isAdmitted() {
    return processor >= 0;
  }
}
