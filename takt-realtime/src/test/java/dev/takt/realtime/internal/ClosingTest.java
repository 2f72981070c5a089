package dev.takt.realtime.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All steps are done, and what the first has thrown is told. */
class ClosingTest {
  private final List<String> done = new ArrayList<>();

  private Closing.Step<IOException> step(String name, Throwable failure) {
    return () -> {
      done.add(name);
      switch (failure) {
        case null -> {}
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        default -> throw (Error) failure;
      }
    };
  }

  @Test
  void shouldDoAllStepsInTheirOrder() {
    assertThatCode(() -> Closing.all(step("a", null), step("b", null))).doesNotThrowAnyException();
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void shouldThrowWhatFailedFirstWithTheOthersSuppressed() {
    IOException first = new IOException("first");
    Error second = new AssertionError("second");
    RuntimeException third = new IllegalStateException("third");

    assertThatThrownBy(
            () ->
                Closing.all(
                    step("a", null),
                    step("b", first),
                    step("c", second),
                    step("d", third),
                    step("e", null)))
        .isSameAs(first)
        .hasSuppressedException(second)
        .hasSuppressedException(third);
    assertThat(done).containsExactly("a", "b", "c", "d", "e");
  }

  /** As the JVM has it when the heap is full: it throws one and the same error again and again. */
  @Test
  void shouldThrowAnErrorThatAllStepsThrowAsItIs() {
    OutOfMemoryError full = new OutOfMemoryError("of the test");

    assertThatThrownBy(
            () -> Closing.all(step("a", full), step("b", full), step("c", full), step("d", null)))
        .isSameAs(full)
        .hasNoSuppressedExceptions();
    assertThat(done).containsExactly("a", "b", "c", "d");
  }
}
