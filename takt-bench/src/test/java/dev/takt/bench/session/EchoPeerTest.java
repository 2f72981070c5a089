package dev.takt.bench.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An echo server says why it does not serve. */
@Timeout(60)
class EchoPeerTest {
  private static final EchoRun RUN = new EchoRun(EchoPeer.THREADS, 3, 0, 1, false);

  @Test
  void shouldTellThatNoThreadCouldBeStarted() throws Exception {
    AtomicInteger made = new AtomicInteger();
    try (EchoPeer.Server server =
        new EchoPeer.OfThreads(
            code -> {
              if (made.incrementAndGet() == 3) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return Thread.ofVirtual().unstarted(code);
            })) {
      assertThatThrownBy(() -> RUN.load(server, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the server has failed, with 3 connections")
          .hasMessageContaining("unable to create native thread");
    }
  }

  @Test
  void shouldCountTheConnectionsThatItAccepts() throws Exception {
    for (EchoPeer each : EchoPeer.values()) {
      try (EchoPeer.Server server = each.open(3)) {
        RUN.load(server, 1);

        while (server.accepted() < 3) { // the load ends with its first answer
          Thread.onSpinWait();
        }
        assertThat(server.accepted()).as("%s", each).isEqualTo(3);
        assertThat(server.failure()).as("%s", each).isNull();
      }
    }
  }

  @Test
  void shouldRefuseMoreThreadsThanTheProcessMayHaveMappingsFor() {
    assertThatCode(() -> ThreadRoom.require(10_000, 200, 21_200)).doesNotThrowAnyException();
    assertThatThrownBy(() -> ThreadRoom.require(10_000, 201, 21_200))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("10000 threads need 21201 memory mappings")
        .hasMessageContaining("vm.max_map_count=21200")
        .hasMessageContaining("sysctl -w vm.max_map_count=21201");
  }

  @Test
  void shouldReadWhatTheMachineAllows() {
    assertThatCode(() -> ThreadRoom.require(1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> ThreadRoom.require(Integer.MAX_VALUE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("vm.max_map_count=");
  }
}
