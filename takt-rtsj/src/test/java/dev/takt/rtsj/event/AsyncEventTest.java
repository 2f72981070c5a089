package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.os.ThreadScheduling;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncEventTest {
  private final AsyncEvent event = new AsyncEvent("event");
  private final HandlerPool pool =
      HandlerPool.start(PoolSettings.of("pool", 1, ThreadScheduling.OTHER));
  private final AsyncEventHandler first = handler("first");
  private final AsyncEventHandler second = handler("second");

  private AsyncEventHandler handler(String name) {
    return pool.handler(HandlerSettings.of(name, ThreadScheduling.OTHER), self -> {});
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void shouldCountFiresAlsoWithoutHandlers() {
    event.fire();
    event.fire();
    assertThat(event.fireCount()).isEqualTo(2);
    assertThat(event).hasToString("event (2 fires, 0 handlers)");
  }

  @Test
  void shouldReleaseEachHandlerOncePerFire() {
    event.addHandler(first);
    event.addHandler(second);
    event.fire();
    event.fire();
    first.close();
    second.close();
    assertThat(first.handledCount()).isEqualTo(2);
    assertThat(second.handledCount()).isEqualTo(2);
  }

  @Test
  void shouldAddAHandlerOnce() {
    assertThat(event.addHandler(first)).isTrue();
    assertThat(event.addHandler(first)).isFalse();
    assertThat(event.handlerCount()).isOne();
    event.fire();
    first.close();
    assertThat(first.handledCount()).isOne();
  }

  @Test
  void shouldNotReleaseAHandlerThatWasRemoved() {
    event.addHandler(first);
    event.addHandler(second);
    assertThat(event.removeHandler(first)).isTrue();
    assertThat(event.removeHandler(first)).isFalse();
    assertThat(event.handledBy(first)).isFalse();
    assertThat(event.handledBy(second)).isTrue();
    event.fire();
    first.close();
    second.close();
    assertThat(first.handledCount()).isZero();
    assertThat(second.handledCount()).isOne();
  }

  @Test
  void shouldReplaceAllHandlersByOneOrNone() {
    event.addHandler(first);
    event.setHandler(second);
    assertThat(event.handledBy(first)).isFalse();
    assertThat(event.handledBy(second)).isTrue();
    event.setHandler(null);
    assertThat(event.handlerCount()).isZero();
  }

  @Test
  void shouldCountWhatAClosedHandlerRefuses() {
    event.addHandler(first);
    first.close();
    event.fire();
    assertThat(first.refusedCount()).isOne();
    assertThat(first.getAndIncrementPendingFireCount()).isZero();
    assertThat(first.refusedCount()).isEqualTo(2);
    assertThat(first.handledCount()).isZero();
  }

  @Test
  void shouldRefuseSettingsThatCannotBe() {
    HandlerSettings settings = HandlerSettings.of("handler", ThreadScheduling.OTHER);
    assertThatThrownBy(() -> settings.withSpinNs(HandlerSettings.MAX_SPIN_NS + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spinNs=1000001")
        .hasMessageContaining("1000000");
    assertThatThrownBy(() -> PoolSettings.of("pool", 65, ThreadScheduling.OTHER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threads=65")
        .hasMessageContaining("64");
    assertThatThrownBy(() -> pool.settings().withMaxHandlers(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxHandlers=0");
  }
}
