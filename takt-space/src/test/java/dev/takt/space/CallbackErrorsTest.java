package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An error of a subscriber reaches the handler, also if there was no room to call it. */
class CallbackErrorsTest {
  private static final Event TEMPLATE = new Event("order", null);

  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1_000));
  private final List<Throwable> handled = new ArrayList<>();
  private final List<Thread> of = new ArrayList<>();

  private boolean handlerHasRoom;
  private boolean written;

  private void handle(Thread thread, Throwable thrown) {
    if (!handlerHasRoom) {
      throw new StackOverflowError("the handler");
    }
    handled.add(thrown);
    of.add(thread);
  }

  private Thread onThread(Runnable work) throws InterruptedException {
    Thread thread = Thread.ofPlatform().uncaughtExceptionHandler(this::handle).start(work);
    thread.join();
    return thread;
  }

  @Test
  void shouldReportAtTheNextEventWhatTheHandlerHadNoRoomFor() throws InterruptedException {
    IllegalArgumentException thrown = new IllegalArgumentException("the subscriber");
    boolean[] throwing = {true};
    space.subscribe(
        TEMPLATE,
        handle -> {
          if (throwing[0]) {
            throw thrown;
          }
        });
    Thread thread =
        onThread(
            () -> {
              space.write(new Event("order", 1));
              throwing[0] = false;
              handlerHasRoom = true;
              space.write(new Event("order", 2));
              space.write(new Event("order", 3));
            });

    assertThat(handled).containsExactly(thrown);
    assertThat(of).containsExactly(thread);
  }

  @Test
  void shouldReportToTheThreadThatAsksWhenTheOtherHasEnded() throws InterruptedException {
    IllegalArgumentException thrown = new IllegalArgumentException("the subscriber");
    space.subscribe(
        TEMPLATE,
        handle -> {
          throw thrown;
        });
    onThread(() -> space.write(new Event("order", 1)));
    handlerHasRoom = true;
    Thread asking = onThread(space::stats);

    assertThat(handled).containsExactly(thrown);
    assertThat(of).containsExactly(asking);
  }

  @Test
  void shouldReportTheErrorOfASubscriberThatWasCalledAtTheEndOfTheStack()
      throws InterruptedException {
    space.subscribe(TEMPLATE, handle -> recurse(0));
    handlerHasRoom = true;
    onThread(() -> writeAtTheEnd(0));
    onThread(space::stats); // which also ends what was cut off

    assertThat(space.test(TEMPLATE)).isTrue();
    assertThat(handled).isNotEmpty().hasOnlyElementsOfType(StackOverflowError.class);
  }

  private static int recurse(int depth) {
    return recurse(depth + 1) + 1;
  }

  /** Writes once, as near to the end of the stack as that is possible. */
  private int writeAtTheEnd(int depth) {
    try {
      return writeAtTheEnd(depth + 1);
    } catch (StackOverflowError e) {
      if (!written) {
        space.write(new Event("order", depth));
        written = true;
      }
      return depth;
    }
  }
}
