package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.realtime.OperatingSystems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With a file in place of the kernel's device, which keeps the bytes that it is given; and with the
 * device itself, whoever runs it.
 */
class WakeLatencyLimitTest {
  @TempDir private Path folder;
  private Path device;
  private Path cpuidle;

  @BeforeEach
  void makeDevice() throws IOException {
    device = Files.write(folder.resolve("cpu_dma_latency"), bytes(WakeLatencyLimit.UNLIMITED_US));
    cpuidle = Files.createDirectory(folder.resolve("cpuidle"));
    driver("haltpoll\n");
  }

  private void driver(String name) throws IOException {
    Files.writeString(cpuidle.resolve("current_driver"), name);
  }

  private static byte[] bytes(int us) {
    return ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(us).array();
  }

  private WakeLatencyLimit ask(int maxUs) {
    return WakeLatencyLimit.ask(device, cpuidle, maxUs);
  }

  /** How often this process has the file open. */
  private static long open(Path file) throws IOException {
    long count = 0;
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : (Iterable<Path>) descriptors::iterator) {
        if (Files.exists(each) && Files.isSameFile(each, file)) {
          count++;
        }
      }
    }
    return count;
  }

  @Test
  void shouldWriteTheFourBytesOfTheLimitAndReadBackWhatIsInForce() throws IOException {
    for (int maxUs : new int[] {0, 1, 20, 0x1234_5678, WakeLatencyLimit.UNLIMITED_US}) {
      try (WakeLatencyLimit limit = ask(maxUs)) {
        assertThat(limit.isGranted()).isTrue();
        assertThat(limit.shortfalls()).isEmpty();
        assertThat(limit.maxUs()).isEqualTo(maxUs);
        assertThat(device).hasBinaryContent(bytes(maxUs));
        assertThat(limit.effectiveUs()).isEqualTo(maxUs);
        assertThat(limit)
            .hasToString("wake-up latency limit " + maxUs + " us held; in force: " + maxUs + " us");
      }
    }
  }

  @Test
  void shouldTellTheSmallerLimitOfAnotherProgram() throws IOException {
    try (WakeLatencyLimit limit = ask(20)) {
      Files.write(device, bytes(5));

      assertThat(limit.maxUs()).isEqualTo(20);
      assertThat(limit.effectiveUs()).isEqualTo(5);
      assertThat(limit).asString().endsWith("20 us held; in force: 5 us");
    }
  }

  @Test
  void shouldNotKnowWhatIsInForceWhenItCannotBeRead() throws IOException {
    try (WakeLatencyLimit limit = ask(20)) {
      for (byte[] content : List.of(new byte[0], new byte[3], bytes(-1))) {
        Files.write(device, content);

        assertThat(limit.effectiveUs()).isEqualTo(WakeLatencyLimit.UNKNOWN_US);
        assertThat(limit).asString().endsWith("in force: unknown");
      }
      Files.delete(device);
      assertThat(limit.effectiveUs()).isEqualTo(WakeLatencyLimit.UNKNOWN_US);
      assertThat(limit.isGranted()).isTrue();
    }
  }

  @Test
  void shouldHoldTheFileUntilClosed() throws IOException {
    if (Files.isDirectory(Path.of("/proc/self/fd"))) {
      WakeLatencyLimit first = ask(0);
      WakeLatencyLimit second = ask(0);
      assertThat(open(device)).isEqualTo(2);

      first.close();
      assertThat(open(device)).isOne();
      first.close();
      assertThat(open(device)).isOne();
      assertThat(second.isGranted()).isTrue();

      second.close();
      assertThat(open(device)).isZero();
    }
  }

  @Test
  void shouldSayThatItWasGivenBack() {
    WakeLatencyLimit limit = ask(7);
    limit.close();
    limit.close();

    assertThat(limit.isGranted()).isFalse();
    assertThat(limit.shortfalls()).isEmpty();
    assertThat(limit).hasToString("wake-up latency limit 7 us given back");
  }

  @Test
  void shouldBeAskedForAndHeldByAThreadThatIsInterrupted() throws Exception {
    OnThread.run(
        () -> {
          Thread.currentThread().interrupt();
          try (WakeLatencyLimit limit = ask(3)) {
            assertThat(limit.isGranted()).isTrue();
            assertThat(limit.effectiveUs()).isEqualTo(3);
            assertThat(Thread.interrupted()).isTrue();
          }
        });
  }

  @Test
  void shouldRefuseALimitOutOfRangeBeforeItTouchesTheDevice() {
    for (int maxUs : new int[] {-1, Integer.MIN_VALUE, 2_000_000_001, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> ask(maxUs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("maxUs is " + maxUs + ", not in 0..2000000000; ask for 0");
    }
    assertThat(device).hasBinaryContent(bytes(WakeLatencyLimit.UNLIMITED_US));
  }

  @Test
  void shouldTellThatThereIsNoDeviceAndMakeNone() {
    Path absent = folder.resolve("absent");

    WakeLatencyLimit limit = WakeLatencyLimit.ask(absent, cpuidle, 0);

    assertRefused(limit, "there is no " + absent, "CONFIG_CPU_IDLE");
    assertThat(absent).doesNotExist();
  }

  @Test
  void shouldTellThatTheDeviceCannotBeWritten() {
    WakeLatencyLimit limit = WakeLatencyLimit.ask(cpuidle, cpuidle, 0);

    assertRefused(limit, cpuidle.toString(), "--device " + cpuidle);
  }

  /** Made up, because nothing is refused to the superuser. */
  @Test
  void shouldTellHowAGroupGetsTheDevice() {
    Shortfall shortfall = WakeLatencyLimit.refused(device, 4, new AccessDeniedException("it"));

    assertThat(shortfall)
        .hasToString(
            "wake-up latency limit 4 us not granted: "
                + device
                + " may not be written; run as root; or let a group write it, by a udev rule in"
                + " /etc/udev/rules.d: KERNEL==\"cpu_dma_latency\", GROUP=\"takt\","
                + " MODE=\"0660\"");
  }

  private static void assertRefused(WakeLatencyLimit limit, String reason, String remedy) {
    assertThat(limit.isGranted()).isFalse();
    assertThat(limit.effectiveUs()).isEqualTo(WakeLatencyLimit.UNKNOWN_US);
    Shortfall shortfall = limit.shortfalls().getFirst();
    assertThat(limit.shortfalls()).hasSize(1);
    assertThat(shortfall.reason()).contains(reason);
    assertThat(shortfall.remedy()).contains(remedy);
    assertThat(limit).hasToString(shortfall.toString());
    limit.close();
    assertThat(limit).hasToString(shortfall.toString());
  }

  @Test
  void shouldTellThatNoIdleDriverHeedsIt() throws IOException {
    for (String name : List.of("none\n", "", "absent")) {
      if (name.equals("absent")) {
        Files.delete(cpuidle.resolve("current_driver"));
      } else {
        driver(name);
      }
      try (WakeLatencyLimit limit = ask(0)) {
        assertThat(limit.isGranted()).isTrue();
        assertThat(device).hasBinaryContent(bytes(0));
        assertThat(limit.shortfalls())
            .singleElement()
            .asString()
            .contains("idle driver", "idle=poll", "cpuidle_haltpoll.force=1");
        assertThat(limit).asString().contains("held; in force: 0 us; without effect: the kernel");
      }
    }
  }

  /** A container may refuse what the file's mode permits. */
  private static boolean permitsWriting(Path file) {
    try (FileChannel _ = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void shouldBeGrantedOnThisMachineOrSayWhyNot() throws IOException {
    for (OperatingSystem system :
        List.of(OperatingSystems.current(), OperatingSystems.portable())) {
      boolean permitted = permitsWriting(WakeLatencyLimit.DEVICE);
      try (WakeLatencyLimit limit = system.limitWakeLatency(1_000_000)) {
        assertThat(limit.isGranted()).isEqualTo(permitted);
        if (permitted) {
          assertThat(limit.effectiveUs()).isBetween(0, 1_000_000);
          assertThat(open(WakeLatencyLimit.DEVICE)).isOne();
        } else {
          assertThat(limit.shortfalls())
              .singleElement()
              .extracting(Shortfall::remedy)
              .asString()
              .containsAnyOf("run as root", "--device");
        }
      }
      assertThat(permitted ? open(WakeLatencyLimit.DEVICE) : 0).isZero();
    }
  }
}
