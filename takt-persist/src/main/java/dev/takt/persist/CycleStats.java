package dev.takt.persist;

import java.util.List;

/**
 * What a cycle has cost: the counters of Tables 1 and 2 (Persistence 5.2, 5.3).
 *
 * @param generation the snapshot that it has made; 0 if none yet
 * @param base the snapshot to which that is to be added; 0: it is full
 * @param objects how many objects were written
 * @param bytes how long the file is
 * @param increments how many increments there were
 * @param maxIncrementNs the longest increment, in nanoseconds
 * @param totalNs all increments together: the time of serialization
 * @param barrierCalls how often a release called the barrier between the cut and the end: for its
 *     first change of an object; plain threads call it for each change
 * @param barrierSaves how many objects and arrays the barrier has saved
 * @param extraObjects how many of these belong to no root; they are not in the file
 * @param barrierGrowths how often a barrier had to allocate memory, in a task's time
 * @param classes of which classes the objects were, in no order
 */
public record CycleStats(
    long generation,
    long base,
    long objects,
    long bytes,
    long increments,
    long maxIncrementNs,
    long totalNs,
    long barrierCalls,
    long barrierSaves,
    long extraObjects,
    long barrierGrowths,
    List<OfClass> classes) {
  /**
   * The objects of one class.
   *
   * @param name as {@link Class#getName} gives it
   * @param objects how many there were, at least 1
   * @param bytes how many bytes of the file they took together
   */
  public record OfClass(String name, long objects, long bytes) {}
}
