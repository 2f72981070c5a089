package dev.takt.bench.rtj.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class FlightControlTest {
  @Test
  void shouldComputeTheSameEverywhere() throws IOException {
    FlightControl flight = new FlightControl();

    fly(flight, 200);

    assertThat(Long.toHexString(flight.checksum())).isEqualTo("6bfc9f50ae1e78d2");
  }

  @Test
  void shouldComputeTheSameFrameAgainAfterRewinding() throws IOException {
    FlightControl flight = new FlightControl();
    fly(flight, 20);
    flight.mark();
    flight.rewind();
    fly(flight, 1);
    long first = flight.checksum();
    fly(flight, 3);

    flight.rewind();
    fly(flight, 1);

    assertThat(flight.frames()).isEqualTo(21);
    assertThat(flight.checksum()).isEqualTo(first);
  }

  @Test
  void shouldKeepTheAircraftInsideItsEnvelope() throws IOException {
    FlightControl flight = new FlightControl();
    double most = 0;
    for (int i = 0; i < 160; i++) {
      flight.frame();
      Aircraft aircraft = flight.aircraft();
      assertThat(aircraft.alpha).isBetween(-0.2, 0.46);
      assertThat(aircraft.beta).isBetween(-0.2, 0.2);
      assertThat(aircraft.loadFactor).isBetween(-3.0, 8.0);
      most = Math.max(most, aircraft.loadFactor);
    }

    assertThat(most).as("the pull was flown").isGreaterThan(5);
  }

  @Test
  void shouldKnowTheSine() {
    for (double angle = -20; angle < 20; angle += 0.1) {
      assertThat(Aircraft.sin(angle)).isEqualTo(Math.sin(angle), within(1e-7));
    }
  }

  @Test
  void shouldAllocateNothingInAFrame() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    FlightControl flight = new FlightControl();
    fly(flight, 30);
    flight.mark();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      flight.rewind();
      flight.frame();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }

    assertThat(least).isZero();
  }

  @Test
  void shouldInterpolateBetweenPointsAndStayAtTheEdge() throws IOException {
    Grid grid = grid("x,y,a\n0,0,1\n0,10,3\n2,0,5\n2,10,11\n");

    grid.locate(1, 5);
    assertThat(grid.value(0)).isEqualTo(5, within(1e-12));
    grid.locate(2, 10);
    assertThat(grid.value(0)).isEqualTo(11, within(1e-12));
    grid.locate(-7, 5);
    assertThat(grid.value(0)).isEqualTo(2, within(1e-12));
    grid.locate(99, 99);
    assertThat(grid.value(0)).isEqualTo(11, within(1e-12));
  }

  @Test
  void shouldSayWhatIsWrongWithATable() {
    assertThatThrownBy(() -> grid("x,y,a\n0,0,1\n0,10,3\n2,0,5\n"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("3 points are no grid of 2 by 2");
    assertThatThrownBy(() -> grid("x,y,a\n0,0,1\n2,0,5\n0,10,3\n2,10,11\n"))
        .hasMessageContaining("point 2 is out of order");
    assertThatThrownBy(() -> grid("x,y,a\n0,0\n")).hasMessageContaining("2 columns (expected: 3)");
  }

  private static Grid grid(String text) throws IOException {
    return Grid.parse("test", 1, new BufferedReader(new StringReader(text)));
  }

  private static void fly(FlightControl flight, int frames) {
    for (int i = 0; i < frames; i++) {
      flight.frame();
    }
  }
}
