package dev.takt.stress.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testkit.FaultLoader;
import dev.takt.testkit.LeakCheck;
import dev.takt.testkit.SharedAccess;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One side of a connection in memory stops at every single access to shared memory, the other side
 * goes on until it waits or has ended, and then the first goes on: nobody is forgotten, whichever
 * of both it was that stopped.
 */
@ExtendWith(LeakCheck.class)
class ParkedLinesTest {
  /** What both sides do with a connection. */
  public interface Connection {
    void write(String line) throws IOException;

    String read() throws IOException;

    void closeWriter();

    void closeReader();
  }

  /** What one side does; returns what is to be seen of it. */
  private interface Side {
    String act(Connection connection) throws IOException;
  }

  /** Longer than any machine lets a thread wait for a processor. */
  private long longMs = 20_000;

  /** One side, on a thread of its own. */
  private static final class Runner extends Thread {
    private final Connection connection;
    private final Side side;
    private final int stopsAt;
    volatile int accesses;
    volatile boolean goesOn;
    volatile String result;

    Runner(Connection connection, Side side, int stopsAt) {
      this.connection = connection;
      this.side = side;
      this.stopsAt = stopsAt;
    }

    @Override
    public void run() {
      try {
        result = side.act(connection);
      } catch (IOException refused) {
        result = "refused";
      }
    }

    /** Called before each access of this thread. */
    void access() {
      int access = accesses + 1;
      accesses = access;
      // not by parking: that would use up what the other side has resumed it by
      while (access == stopsAt && !goesOn) {
        Thread.yield();
      }
    }

    boolean isWaitingOrEnded() {
      return switch (getState()) {
        case WAITING, TIMED_WAITING, TERMINATED -> true;
        default -> false;
      };
    }
  }

  private static FaultLoader loader(FaultLoader.Fault fault) {
    return new FaultLoader(
        name -> name.startsWith("dev.takt.session.") || name.equals(ShippedLines.class.getName()),
        true,
        fault);
  }

  @AfterEach
  void removeHook() {
    SharedAccess.setHook(null);
  }

  /** Stops one side at each of its accesses in turn; returns at how many. */
  private int stopEverywhere(
      FaultLoader loader, Side before, Side stopped, String itsResult, Side other, String others)
      throws Exception {
    for (int step = 1; ; step++) {
      Connection connection = loader.newInstance(ShippedLines.class.getName(), Connection.class);
      before.act(connection);
      Runner victim = new Runner(connection, stopped, step);
      Runner free = new Runner(connection, other, 0);
      SharedAccess.setHook(
          _ -> {
            if (Thread.currentThread() instanceof Runner runner) {
              runner.access();
            }
          });
      try {
        victim.start();
        // it may wait for the other side before it comes to that access
        while (victim.accesses < step && !victim.isWaitingOrEnded()) {
          Thread.yield();
        }
        boolean stops = victim.accesses == step;
        free.start();
        while (stops && !free.isWaitingOrEnded()) {
          Thread.yield();
        }
        victim.goesOn = true;
        victim.join(longMs);
        free.join(longMs);
        assertThat(victim.result).as("the stopped side, at access %d", step).isEqualTo(itsResult);
        assertThat(free.result).as("the other side, at access %d", step).isEqualTo(others);
        if (victim.accesses < step) {
          return step - 1;
        }
      } finally {
        victim.goesOn = true;
        victim.interrupt();
        free.interrupt();
        victim.join();
        free.join();
      }
    }
  }

  /** Stops each of two sides at each of its accesses. */
  private void stopBoth(
      FaultLoader loader, Side before, Side one, String itsResult, Side other, String others)
      throws Exception {
    int accesses =
        stopEverywhere(loader, before, one, itsResult, other, others)
            + stopEverywhere(loader, before, other, others, one, itsResult);
    assertThat(accesses).as("accesses").isGreaterThan(3);
  }

  private static final Side NOTHING = _ -> null;
  private static final Side FILL =
      connection -> {
        connection.write("a");
        return null;
      };
  private static final Side READ = connection -> String.valueOf(connection.read());
  private static final Side WRITE =
      connection -> {
        connection.write("b");
        return "written";
      };

  @Test
  void shouldForgetNoReaderThatWaitsForALine() throws Exception {
    stopBoth(loader(null), NOTHING, WRITE, "written", READ, "b");
  }

  @Test
  void shouldForgetNoWriterThatWaitsForRoom() throws Exception {
    Side readTwo = connection -> connection.read() + connection.read();
    stopBoth(loader(null), FILL, WRITE, "written", readTwo, "ab");
  }

  @Test
  void shouldTellEachThatWaitsThatTheConnectionIsClosed() throws Exception {
    Side closeWriter =
        connection -> {
          connection.closeWriter();
          return "closed";
        };
    Side closeReader =
        connection -> {
          connection.closeReader();
          return "closed";
        };
    stopBoth(loader(null), NOTHING, closeWriter, "closed", READ, "null");
    stopBoth(loader(null), NOTHING, closeReader, "closed", READ, "refused");
    stopBoth(loader(null), FILL, closeWriter, "closed", WRITE, "refused");
    stopBoth(loader(null), FILL, closeReader, "closed", WRITE, "refused");
  }

  @Test
  void shouldNoticeAWriterThatResumesNobody() {
    longMs = 500;
    AtomicInteger places = new AtomicInteger();
    FaultLoader loader = loader(FaultLoader.omitting("resume", 0, "LineQueue.put"::equals, places));
    assertThatThrownBy(() -> stopBoth(loader, NOTHING, WRITE, "written", READ, "b"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the other side");
    assertThat(places).hasValue(1);
  }
}
