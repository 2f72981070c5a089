package dev.takt.safety;

/** How much a finding weighs. */
public enum Severity {
  /** The class cannot run as a task. */
  ERROR,
  /** It can run, with the consequence that the message tells. */
  WARNING
}
