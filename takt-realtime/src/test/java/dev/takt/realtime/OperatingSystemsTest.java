package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperatingSystemsTest {
  @Test
  void shouldMakeTheSystemOnOneThreadHoweverOftenItIsPrepared() throws InterruptedException {
    Thread preparation = OperatingSystems.prepare();

    preparation.join();
    assertThat(OperatingSystems.prepare()).isSameAs(preparation);
    assertThat(preparation).isNotSameAs(Thread.currentThread());
    assertThat(OperatingSystems.current()).isSameAs(OperatingSystems.current());
  }
}
