package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Misuse of subscriptions is an error that says what to do. */
class HandleMisuseTest {
  private final EventSpace space =
      EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8).withMaxSubscriptions(2));
  private final Event template = new Event("key", 1);

  @Test
  void shouldRefuseToUnsubscribeTwice() {
    Handle handle = space.subscribe(template);
    space.unsubscribe(handle);
    assertThatThrownBy(() -> space.unsubscribe(handle))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("twice", "key");
    assertThat(handle.isSubscribed()).isFalse();
    assertThat(space.stats().subscriptions()).isZero();
  }

  @Test
  void shouldRefuseHandleOfAnotherSpace() {
    Handle handle = space.subscribe(template);
    EventSpace other = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(8));
    assertThatThrownBy(() -> other.unsubscribe(handle))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another space");
    assertThat(handle.isSubscribed()).isTrue();
  }

  @Test
  void shouldRefuseUseAfterUnsubscribe() {
    Handle handle = space.subscribe(template);
    Iterator<Event> matches = handle.iterator();
    space.write(template);
    space.unsubscribe(handle);
    assertThatThrownBy(handle::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("after unsubscribe", "key", "subscribe again");
    assertThatThrownBy(() -> handle.next(new Event())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(handle::nextNow).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> handle.nextNow(new Event())).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(handle::hasNext).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(handle::iterator).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(matches::next).isInstanceOf(IllegalStateException.class);
    assertThat(handle.hasNextNow()).isFalse();
    assertThat(space.take(template)).as("the event that the handle must not take").isNotNull();
  }

  @Test
  void shouldEndTheIterationWhenThereIsNoMatch() {
    Handle handle = space.subscribe(template);
    assertThat(handle.next()).isNull();
    assertThat(handle.iterator().hasNext()).isFalse();
    assertThatThrownBy(() -> handle.iterator().next()).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> handle.next(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void shouldRefuseTheEmptyTemplateAndMoreThanTheLimit() {
    assertThatThrownBy(() -> space.subscribe(new Event()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one key");
    Handle first = space.subscribe(template);
    space.subscribe(template);
    assertThatThrownBy(() -> space.subscribe(template))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("limit=2", "SpaceSettings.maxSubscriptions");
    space.unsubscribe(first);
    assertThat(space.subscribe(template).isSubscribed()).isTrue();
  }

  @Test
  void shouldKeepTheCommitWhenASubscriberThrows() {
    space.subscribe(
        template,
        handle -> {
          throw new IllegalStateException("subscriber");
        });
    boolean[] isNotified = new boolean[1];
    space.subscribe(template, handle -> isNotified[0] = true);
    try {
      space.write(template);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("subscriber");
    }
    assertThat(isNotified[0]).as("the other subscriber is told").isTrue();
    assertThat(space.take(template)).as("the event is committed").isNotNull();
    assertThat(space.take(template)).as("once").isNull();
  }
}
