package dev.takt.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Errno;
import dev.takt.realtime.os.Grant;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.ThreadScheduling;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked of the system for a thread whose scheduling is taken and given back. */
class RevocableSchedulingTest {
  private static final ThreadScheduling FIFO = ThreadScheduling.fifo(50);

  private final List<String> asked = new ArrayList<>();

  /** What happens at the same time as the next call of the system. */
  private Runnable meanwhile = () -> {};

  private final OperatingSystem system =
      (OperatingSystem)
          Proxy.newProxyInstance(
              OperatingSystem.class.getClassLoader(),
              new Class<?>[] {OperatingSystem.class},
              (proxy, method, arguments) -> answer(method.getName(), arguments));

  private Object answer(String method, Object[] arguments) {
    Runnable now = meanwhile;
    meanwhile = () -> {};
    now.run();
    return switch (method) {
      case "threadId" -> 7;
      case "schedule" -> grant((ThreadScheduling) arguments[arguments.length - 1]);
      case "granted" -> new Grant(7, ThreadScheduling.OTHER, List.of());
      case "setPolicy" -> {
        asked.add(arguments[1].toString());
        yield Errno.NONE;
      }
      default -> throw new AssertionError(method);
    };
  }

  private Grant grant(ThreadScheduling scheduling) {
    asked.add(scheduling.toString());
    return new Grant(7, scheduling, List.of());
  }

  private RevocableScheduling begun(ThreadScheduling scheduling) {
    RevocableScheduling made = new RevocableScheduling(system, scheduling);
    made.enlist(true);
    return made;
  }

  @Test
  void shouldAskWhenTheThreadBegins() {
    RevocableScheduling made = new RevocableScheduling(system, ThreadScheduling.OTHER);
    made.schedule(FIFO);
    assertThat(asked).isEmpty();
    assertThat(made.grant()).isNull();

    made.enlist(true);
    made.schedule(FIFO);

    assertThat(asked).containsExactly("FIFO 50");
    assertThat(made.grant().scheduling()).isEqualTo(FIFO);
  }

  @Test
  void shouldLeaveAThreadAsItIsThatAsksForNothing() {
    begun(ThreadScheduling.OTHER);
    assertThat(asked).isEmpty();
    new RevocableScheduling(system, ThreadScheduling.OTHER).enlist(false);
    assertThat(asked).containsExactly("OTHER");
  }

  @Test
  void shouldGiveBackWhatItHadWhenItIsRestored() {
    RevocableScheduling made = begun(FIFO);
    made.demote();
    made.schedule(ThreadScheduling.fifo(60)); // nothing, for what is demoted
    made.restore();
    made.schedule(ThreadScheduling.fifo(61));

    assertThat(asked).containsExactly("FIFO 50", "OTHER", "FIFO 50", "FIFO 61");
  }

  @Test
  void shouldGetNoPolicyThatIsDemotedBeforeItBegins() {
    RevocableScheduling made = new RevocableScheduling(system, FIFO);
    made.demote();
    made.enlist(true);

    assertThat(asked).last().isEqualTo("OTHER");
  }

  @Test
  void shouldKeepNoPolicyThatIsDemotedWhileItIsScheduled() {
    RevocableScheduling made = begun(FIFO);
    meanwhile = made::demote;
    made.schedule(ThreadScheduling.fifo(60));

    assertThat(asked).containsExactly("FIFO 50", "OTHER", "FIFO 60", "OTHER");
  }

  @Test
  void shouldHaveNoneFromLowerToRaise() {
    RevocableScheduling made = begun(FIFO);
    made.lower();
    made.lower();
    made.schedule(ThreadScheduling.fifo(60));
    assertThat(asked).containsExactly("FIFO 50", "OTHER");

    made.raise();
    made.raise();

    assertThat(asked).containsExactly("FIFO 50", "OTHER", "FIFO 60");
  }

  @Test
  void shouldStayDemotedWhenItIsRaised() {
    RevocableScheduling made = begun(FIFO);
    made.lower();
    made.demote();
    made.raise();

    assertThat(asked).last().isEqualTo("OTHER");
  }

  @Test
  void shouldLeaveTheTimerSlackToTheThread() {
    RevocableScheduling made = begun(FIFO.withTimerSlackNs(1));
    made.schedule(ThreadScheduling.fifo(60).withTimerSlackNs(1));

    assertThat(asked).containsExactly("FIFO 50, timer slack 1 ns", "FIFO 60");
  }
}
