package dev.takt.bench.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An echo server says why it does not serve. */
@Timeout(60)
class EchoPeerTest {
  private static final EchoRole ROLE = new EchoRole(EchoPeer.THREADS, 3, false);

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
      assertThatThrownBy(() -> ROLE.load(server, 0, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the server has failed, with 3 connections")
          .hasMessageContaining("unable to create native thread");
    }
  }

  @Test
  void shouldCountTheConnectionsThatItAccepts() throws Exception {
    for (EchoPeer each : EchoPeer.values()) {
      try (EchoPeer.Server server = each.open(3)) {
        ROLE.load(server, 0, 1);

        while (server.accepted() < 3) { // the load ends with its first answer
          Thread.onSpinWait();
        }
        assertThat(server.accepted()).as("%s", each).isEqualTo(3);
        assertThat(server.failure()).as("%s", each).isNull();
      }
    }
  }

  @Test
  void shouldLeaveNoThreadOfAConnectionBehind() throws Exception {
    for (Thread.Builder kind : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
      List<Thread> made = new CopyOnWriteArrayList<>();
      ThreadFactory threads =
          code -> {
            made.add(kind.unstarted(code));
            return made.getLast();
          };
      try (EchoPeer.Server server = new EchoPeer.OfThreads(threads)) {
        ROLE.load(server, 0, 1);
      }

      assertThat(made).isNotEmpty();
      for (Thread each : made) { // one whose work is done may live for a moment
        assertThat(each.join(Duration.ofSeconds(30))).as("%s has ended", each).isTrue();
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
