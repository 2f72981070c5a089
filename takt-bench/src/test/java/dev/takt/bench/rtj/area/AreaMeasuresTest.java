package dev.takt.bench.rtj.area;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.rtsj.memory.MemoryArea;
import dev.takt.rtsj.memory.ScopedArea;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AreaMeasuresTest {
  private static final int SAMPLES = 50;
  private static final int FRAMES = 4;

  private static long[] unset() {
    long[] samplesNs = new long[SAMPLES];
    Arrays.fill(samplesNs, -1);
    return samplesNs;
  }

  private static void assertMeasured(long[] samplesNs) {
    assertThat(Arrays.stream(samplesNs).boxed().toList())
        .allSatisfy(each -> assertThat(each).isNotNegative());
    assertThat(Arrays.stream(samplesNs).sum()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void shouldMeasureAllocationsOfEverySizeInAnAreaOfTheStatedSize(AreaKind kind) {
    for (int bytes : AllocationTime.SIZES) {
      MemoryArea area = kind.create(AllocationTime.sizeBytes(kind, bytes, SAMPLES, FRAMES));
      AllocationTime measure = new AllocationTime(area, bytes);
      for (int i = 0; i < FRAMES; i++) {
        long[] samplesNs = unset();
        measure.frame(samplesNs);
        assertMeasured(samplesNs);
      }
      assertLeft(area);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMeasureEveryOperation(AreaKind kind) {
    for (AreaThroughput.Operation operation : AreaThroughput.Operation.values()) {
      MemoryArea area = kind.create(4_096);
      long[] samplesNs = unset();
      new AreaThroughput(area, operation).frame(samplesNs);
      assertMeasured(samplesNs);
      assertLeft(area);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMeasureEntryAndExit(AreaKind kind) {
    MemoryArea area = kind.create(4_096);
    long[] entryNs = unset();
    long[] exitNs = unset();
    new EntryExit(area).frame(entryNs, exitNs);
    assertMeasured(entryNs);
    assertMeasured(exitNs);
    assertLeft(area);
  }

  private static void assertLeft(MemoryArea area) {
    if (area instanceof ScopedArea scope) {
      assertThat(scope.referenceCount()).isZero();
    }
    AreaKind.close(area);
  }
}
