package dev.takt.persist.journal;

/** When what is committed is forced to the storage. */
public enum FsyncPolicy {
  /** By the operating system, when it likes: outlives the process, not the machine. */
  NEVER,

  /** At the end of each interval: a crash of the machine costs what was committed in the last. */
  INTERVAL,

  /** Before a commit returns, many at once: a crash costs nothing that has returned. */
  EVERY
}
