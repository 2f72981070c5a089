package dev.takt.realtime.os;

import dev.takt.realtime.internal.Ranges;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A set of processors, by the numbers of the operating system; immutable. */
public final class CpuSet {
  /** The number after the largest that can be in a set. */
  public static final int LIMIT = 1_024;

  private final BitSet cpus;

  private CpuSet(BitSet cpus) {
    this.cpus = cpus;
  }

  /**
   * Makes a set.
   *
   * @param cpus the numbers, 0 to {@value #LIMIT} - 1, at least one
   * @throws IllegalArgumentException if there is none, or one is out of range
   */
  public static CpuSet of(int... cpus) {
    BitSet set = new BitSet();
    for (int cpu : cpus) {
      Ranges.check("cpu", cpu, 0, LIMIT - 1, "; see /proc/cpuinfo");
      set.set(cpu);
    }
    if (set.isEmpty()) {
      throw new IllegalArgumentException("no cpu (expected: at least one)");
    }
    return new CpuSet(set);
  }

  /** Returns the processors that are in both sets; null if there are none. */
  public @Nullable CpuSet and(CpuSet other) {
    BitSet both = (BitSet) cpus.clone();
    both.and(other.cpus);
    return both.isEmpty() ? null : new CpuSet(both);
  }

  /** Returns the processors that are in one of the sets, or in both. */
  public CpuSet or(CpuSet other) {
    BitSet any = (BitSet) cpus.clone();
    any.or(other.cpus);
    return new CpuSet(any);
  }

  /** Returns the processors that are in this set and not in the other one; null if none are. */
  public @Nullable CpuSet without(CpuSet other) {
    BitSet rest = (BitSet) cpus.clone();
    rest.andNot(other.cpus);
    return rest.isEmpty() ? null : new CpuSet(rest);
  }

  /** Returns whether a processor is in the set. */
  public boolean contains(int cpu) {
    return cpu >= 0 && cpus.get(cpu);
  }

  /** Returns how many there are. */
  public int size() {
    return cpus.cardinality();
  }

  /** Returns the numbers, in order. */
  public int[] toArray() {
    return cpus.stream().toArray();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CpuSet set && set.cpus.equals(cpus);
  }

  @Override
  public int hashCode() {
    return cpus.hashCode();
  }

  @Override
  public String toString() {
    return Arrays.stream(toArray()).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }
}
