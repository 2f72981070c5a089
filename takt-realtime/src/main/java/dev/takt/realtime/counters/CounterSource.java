package dev.takt.realtime.counters;

/**
 * Something with counters to look at: a runtime of tasks, a CPU manager, a persistence task, a
 * stage, a host, a server.
 *
 * <p><b>Thread rule:</b> called on one thread of low priority, some times a second. It must not
 * wait for a lock that a task or supervisor may need; in steady state it should allocate nothing.
 */
public interface CounterSource {
  /**
   * Returns what it is: {@link RowKind#RUNTIME}; {@link RowKind#CPU_MANAGER}, which is asked after
   * all runtimes and completes the rows of their tasks; {@link RowKind#PERSISTENCE}; {@link
   * RowKind#STAGE}; {@link RowKind#HOST}; or {@link RowKind#SERVER}.
   */
  RowKind kind();

  /**
   * Adds its rows.
   *
   * @param owner its name among the sources of this JVM, such as {@code runtime-1}
   */
  void copyTo(CounterRows rows, String owner);
}
