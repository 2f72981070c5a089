package dev.takt.cpu;

/** What is done with a task whose release exceeds its cost by more than its class's grace. */
public enum OverrunPolicy {
  /** Nothing: it is counted and reported. */
  COUNT,
  /** It loses its priority, and its share goes to others; it runs on as any thread does. */
  DEMOTE,
  /**
   * It is demoted, its release is aborted, and no other begins. What cannot be aborted stays
   * demoted.
   */
  DROP
}
