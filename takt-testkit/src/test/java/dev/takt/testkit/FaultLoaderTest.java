package dev.takt.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class FaultLoaderTest {
  /** What is loaded again: counts up with a compare-and-set. */
  public static final class Counter implements IntSupplier {
    private final AtomicInteger value = new AtomicInteger();
    private final int[] log = new int[1];

    /** For the loader. */
    public Counter() {}

    @Override
    public int getAsInt() {
      int before;
      do {
        before = value.get();
      } while (!value.compareAndSet(before, before + 1));
      log[0] = before;
      return before + 1;
    }
  }

  private static FaultLoader loader(FaultLoader.Fault fault) {
    return new FaultLoader(Counter.class.getName()::equals, true, fault);
  }

  @Test
  void shouldCallHookBeforeEachSharedAccess() {
    FaultLoader loader = loader(null);
    IntSupplier counter = loader.newInstance(Counter.class.getName(), IntSupplier.class);
    List<String> accesses = new ArrayList<>();
    SharedAccess.setHook(site -> accesses.add(loader.sites().get(site)));
    try {
      assertThat(counter.getAsInt()).isEqualTo(1);
    } finally {
      SharedAccess.setHook(null);
    }
    assertThat(counter.getClass()).isNotEqualTo(Counter.class);
    assertThat(accesses)
        .containsExactly(
            "FaultLoaderTest$Counter.getAsInt get",
            "FaultLoaderTest$Counter.getAsInt compareAndSet",
            "FaultLoaderTest$Counter.getAsInt IASTORE");
  }

  @Test
  void shouldOmitCall() {
    AtomicInteger places = new AtomicInteger();
    IntSupplier counter =
        loader(FaultLoader.omitting("compareAndSet", 1, method -> true, places))
            .newInstance(Counter.class.getName(), IntSupplier.class);
    assertThat(counter.getAsInt()).isEqualTo(1);
    assertThat(counter.getAsInt()).as("the first increment was lost").isEqualTo(1);
    assertThat(places).hasValue(1);
  }

  @Test
  void shouldAnswerOtherwiseThanTheCallDid() {
    AtomicInteger places = new AtomicInteger();
    // Between the look and the change somebody else counts; the change fails, and the fault hides
    // that.
    IntSupplier counter =
        loader(FaultLoader.answering("compareAndSet", true, method -> true, places))
            .newInstance(Counter.class.getName(), IntSupplier.class);
    boolean[] isNested = new boolean[1];
    SharedAccess.setHook(
        site -> {
          if (!isNested[0] && site == 1) {
            isNested[0] = true;
            counter.getAsInt();
          }
        });
    try {
      assertThat(counter.getAsInt()).as("a lost update").isEqualTo(1);
    } finally {
      SharedAccess.setHook(null);
    }
    assertThat(counter.getAsInt()).isEqualTo(2);
    assertThat(places).hasValue(1);
  }
}
