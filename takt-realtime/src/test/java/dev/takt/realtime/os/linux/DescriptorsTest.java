package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.EventFd;
import dev.takt.realtime.os.OnThread;
import dev.takt.realtime.os.OperatingSystem;
import dev.takt.realtime.os.Poller;
import dev.takt.testsupport.AllocatedBytes;
import java.io.File;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Where there is no native access there are no descriptors, and that is all there is to test. */
class DescriptorsTest {
  private final OperatingSystem system = OperatingSystems.current();
  private final Optional<Descriptors> descriptors = system.descriptors();

  private interface Part {
    void run(Descriptors descriptors) throws Exception;
  }

  /** And sees that none is left open. */
  private void run(Part part) throws Exception {
    assertThat(descriptors.isPresent()).isEqualTo(system.isNative());
    if (descriptors.isPresent()) {
      part.run(descriptors.get());
    }
  }

  private static int open() {
    return new File("/proc/self/fd").list().length;
  }

  @Test
  void shouldLeaveNoDescriptorOpen() throws Exception {
    run(
        fds -> {
          int before = open();
          for (int i = 0; i < 100; i++) {
            try (EventFd event = fds.newEventFd();
                Poller poller = fds.newPoller(2)) {
              poller.add(event.fd(), Poller.READABLE);
            }
          }
          assertThat(open()).isLessThan(before + 50); // the JVM may open some of its own
        });
  }

  @Test
  void shouldCountSignalsUntilDrained() throws Exception {
    run(
        fds -> {
          try (EventFd event = fds.newEventFd()) {
            assertThat(event.drain()).isZero();
            event.signal();
            event.signal();
            assertThat(event.drain()).isEqualTo(2);
            assertThat(event.drain()).isZero();
          }
        });
  }

  @Test
  void shouldDoNothingWhenClosed() throws Exception {
    run(
        fds -> {
          EventFd event = fds.newEventFd();
          assertThat(event.fd()).isNotNegative();
          event.close();
          event.close();

          try (EventFd next = fds.newEventFd()) { // gets the number of the closed one
            event.signal();
            assertThat(next.drain()).isZero();
          }
          assertThat(event.fd()).isEqualTo(-1);
          assertThat(event.drain()).isZero();
        });
  }

  @Test
  void shouldNeverSignalAStrangerWhenClosedMeanwhile() throws Exception {
    run(
        fds -> {
          for (int round = 0; round < 200; round++) {
            EventFd event = fds.newEventFd();
            AtomicInteger signals = new AtomicInteger();
            OnThread.Started signalling =
                OnThread.start(
                    () -> {
                      while (event.fd() >= 0) {
                        event.signal();
                        signals.incrementAndGet();
                      }
                    });
            while (signals.get() < 10) {
              Thread.onSpinWait();
            }
            event.close();
            try (EventFd next = fds.newEventFd()) {
              signalling.join();
              assertThat(next.drain()).isZero();
            }
          }
        });
  }

  @Test
  void shouldRefuseAPollerWithoutRoom() throws Exception {
    run(fds -> assertThatThrownBy(() -> fds.newPoller(0)).hasMessageContaining("capacity=0"));
  }

  @Test
  void shouldTellWhichDescriptorsAreReady() throws Exception {
    run(
        fds -> {
          try (EventFd first = fds.newEventFd();
              EventFd second = fds.newEventFd();
              Poller poller = fds.newPoller(2)) {
            poller.add(first.fd(), Poller.READABLE);
            poller.add(second.fd(), Poller.READABLE);
            second.signal();

            assertThat(poller.await()).isEqualTo(1);
            assertThat(poller.readyFd(0)).isEqualTo(second.fd());
            assertThat(poller.readyEvents(0)).isEqualTo(Poller.READABLE);
            assertThatThrownBy(() -> poller.readyFd(1))
                .isInstanceOf(IndexOutOfBoundsException.class);

            poller.add(first.fd(), Poller.READABLE | Poller.WRITABLE);
            assertThat(poller.await()).isEqualTo(2);
            assertThat(poller.readyEvents(0)).isEqualTo(Poller.WRITABLE);
          }
        });
  }

  @Test
  void shouldForgetWhatIsRemoved() throws Exception {
    run(
        fds -> {
          try (EventFd first = fds.newEventFd();
              EventFd second = fds.newEventFd();
              EventFd third = fds.newEventFd();
              Poller poller = fds.newPoller(2)) {
            poller.add(first.fd(), Poller.READABLE);
            poller.add(second.fd(), Poller.READABLE);
            assertThatThrownBy(() -> poller.add(third.fd(), Poller.READABLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("capacity=2");
            assertThatThrownBy(() -> poller.add(-1, Poller.READABLE))
                .isInstanceOf(IllegalArgumentException.class);
            first.signal();
            second.signal();
            poller.remove(first.fd());
            poller.remove(third.fd());

            assertThat(poller.await()).isEqualTo(1);
            assertThat(poller.readyFd(0)).isEqualTo(second.fd());
            poller.add(third.fd(), Poller.READABLE);
          }
        });
  }

  @Test
  void shouldTellThatADescriptorIsNotOpen() throws Exception {
    run(
        fds -> {
          try (Poller poller = fds.newPoller(1)) {
            poller.add(Integer.MAX_VALUE, Poller.READABLE);

            assertThat(poller.await()).isEqualTo(1);
            assertThat(poller.readyEvents(0)).isEqualTo(Poller.NOT_OPEN);
          }
        });
  }

  @Test
  void shouldEndAWaitWhenWokenBeforeOrMeanwhile() throws Exception {
    run(
        fds -> {
          try (Poller poller = fds.newPoller(1)) {
            poller.wake();
            poller.wake();
            assertThat(poller.await()).isZero();

            OnThread.Started waker = OnThread.start(poller::wake);
            assertThat(poller.await()).isZero();
            waker.join();
            assertThat(poller.await(System.nanoTime())).isZero();
          }
        });
  }

  @Test
  void shouldSleepWhenTheKernelRefusesToWait() throws Exception {
    run(
        fds -> {
          Thread.currentThread().interrupt();
          long beginNs = System.nanoTime();
          LinuxPoller.backOff();
          assertThat(System.nanoTime() - beginNs).isGreaterThanOrEqualTo(LinuxPoller.BACK_OFF_NS);
          assertThat(Thread.interrupted()).isTrue();
        });
  }

  @Test
  void shouldAllocateNothing() throws Exception {
    run(
        fds -> {
          try (EventFd event = fds.newEventFd();
              Poller poller = fds.newPoller(2)) {
            poller.add(event.fd(), Poller.READABLE);
            long bytes =
                AllocatedBytes.inSteadyState(
                    50,
                    () -> {
                      event.signal();
                      poller.await(System.nanoTime() + 1_000_000);
                      poller.readyFd(0);
                      event.drain();
                    });
            assertThat(bytes).isZero();
          }
        });
  }
}
