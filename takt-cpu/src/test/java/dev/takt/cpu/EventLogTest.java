package dev.takt.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.cpu.ManagerEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private final List<String> lines = new ArrayList<>();
  private final List<Throwable> traces = new ArrayList<>();

  private final System.Logger logger =
      new System.Logger() {
        @Override
        public String getName() {
          return EventLog.NAME;
        }

        @Override
        public boolean isLoggable(Level level) {
          return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
          lines.add(level + " " + text);
          if (thrown != null) {
            traces.add(thrown);
          }
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... values) {
          lines.add(level + " " + format);
        }
      };

  private final EventLog log = new EventLog(() -> logger);

  private void event(Kind kind, String detail) {
    log.accept(new ManagerEvent(0, "task", kind, detail));
  }

  @Test
  void shouldLogWhatNeedsAttentionAndNothingElse() {
    for (Kind each : Kind.values()) {
      event(each, "why");
    }
    assertThat(lines).as("before it is printed").isEmpty();

    log.print();

    assertThat(lines)
        .containsExactly(
            "WARNING task task: nonconforming: why",
            "WARNING task task: unlearned: why",
            "WARNING task task: displaced: why",
            "WARNING task task: demoted: why",
            "WARNING task task: dropped: why",
            "WARNING task task: unstoppable: why",
            "WARNING task task: shortfall: why",
            "WARNING task task: failed: why",
            "WARNING task task: fault: why");
  }

  @Test
  void shouldLogTheFirstFailureWithItsTraceAndThenFewerAndFewer() {
    Throwable thrown = new IllegalStateException("boom", new ArithmeticException("zero"));
    for (int i = 0; i < 1_500; i++) {
      log.accept(new ManagerEvent(0, "task", Kind.FAILED, "number " + (i + 1), thrown));
    }
    log.print();

    assertThat(lines)
        .extracting(each -> each.lines().findFirst().orElseThrow().replaceAll(".*number ", ""))
        .containsExactly("1", "10", "100", "1000");
    assertThat(lines)
        .allMatch(
            each ->
                each.contains("\n\tat dev.takt.cpu")
                    && each.contains("\nCaused by: java.lang.ArithmeticException: zero\n\tat "));
    assertThat(traces).as("it is code of the task").isEmpty();
  }

  /** It would keep the thread that prints, which all tasks share. */
  @Test
  void shouldCallNothingOfWhatATaskHasThrownWhenItPrints() {
    Thread printing = Thread.currentThread();
    AtomicBoolean prints = new AtomicBoolean();
    Throwable hostile =
        new IllegalStateException("boom") {
          private static final long serialVersionUID = 1;

          private void check() {
            if (prints.get() && Thread.currentThread() == printing) {
              throw new AssertionError("called while it is printed");
            }
          }

          @Override
          public String getMessage() {
            check();
            return super.getMessage();
          }

          @Override
          public StackTraceElement[] getStackTrace() {
            check();
            return super.getStackTrace();
          }

          @Override
          public void printStackTrace() {
            check();
          }
        };
    log.accept(new ManagerEvent(0, "task", Kind.FAILED, "boom", hostile));
    prints.set(true);
    log.print();
    log.accept(new ManagerEvent(0, "other", Kind.FAILED, "boom", hostile)); // it throws there
    log.print();

    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).startsWith("WARNING task task: failed: boom\n\tat ");
    assertThat(lines.getLast()).isEqualTo("WARNING task other: failed: boom");
    assertThat(traces).isEmpty();
  }

  @Test
  void shouldCountWhatIsTooMuchAtOnce() {
    for (int i = 0; i < EventLog.MAX_KEPT + 7; i++) {
      event(Kind.DEMOTED, "");
    }
    log.print();
    assertThat(lines).hasSize(EventLog.MAX_KEPT + 1);
    assertThat(lines.getLast()).isEqualTo("WARNING 7 more events (limit: 256 at once)");

    event(Kind.DEMOTED, "");
    log.print();
    assertThat(lines).hasSize(EventLog.MAX_KEPT + 2);
  }
}
