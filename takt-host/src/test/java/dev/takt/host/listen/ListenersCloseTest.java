package dev.takt.host.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.host.Listener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No server stays open because another one fails to close. */
class ListenersCloseTest {
  private final List<String> closed = new ArrayList<>();

  /** A server that says it has been closed, and may fail then. */
  private final class Probe implements Listener {
    private final String name;
    private final Runnable end;

    Probe(String name, Runnable end) {
      this.name = name;
      this.end = end;
    }

    @Override
    public InetSocketAddress address() {
      return new InetSocketAddress(0);
    }

    @Override
    public int clients() {
      return 0;
    }

    @Override
    public long accepted() {
      return 0;
    }

    @Override
    public long incomingBytes() {
      return 0;
    }

    @Override
    public long refused() {
      return 0;
    }

    @Override
    public long cutOff() {
      return 0;
    }

    @Override
    public Throwable failure() {
      return null;
    }

    @Override
    public boolean drain(Duration timeout) {
      return true;
    }

    @Override
    public void close() {
      closed.add(name);
      end.run();
    }
  }

  private static void fail(String name) {
    throw new IllegalStateException(name);
  }

  @Test
  void shouldCloseAllServersAlthoughSomeFail() {
    List<Probe> servers =
        List.of(
            new Probe("a", () -> fail("a")),
            new Probe("b", () -> {}),
            new Probe("c", () -> fail("c")));
    assertThatThrownBy(() -> Listeners.closeAll(servers))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("c"));
    assertThat(closed).containsExactly("a", "b", "c");
  }

  /** As the JVM has it when the heap is full: it throws one and the same error again and again. */
  @Test
  void shouldCloseAllServersAndTellTheErrorWhenTwoMeetTheSameOne() {
    OutOfMemoryError full = new OutOfMemoryError("of the test");
    Runnable meet =
        () -> {
          throw full;
        };
    List<Probe> servers =
        List.of(new Probe("a", meet), new Probe("b", meet), new Probe("c", () -> {}));
    assertThatThrownBy(() -> Listeners.closeAll(servers)).isSameAs(full);
    assertThat(closed).containsExactly("a", "b", "c");
  }
}
