package dev.takt.realtime.os.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.os.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessStatusTest {
  @TempDir private Path folder;

  private ProcessStatus status(String text) throws IOException {
    return ProcessStatus.of(Files.writeString(folder.resolve("status"), text));
  }

  @Test
  void shouldReadRightsAndLockedMemory() throws IOException {
    ProcessStatus status =
        status("Name:\tjava\nVmLck:\t      12 kB\nCapPrm:\t0\nCapEff:\t0000000000804000\n");

    assertThat(status.capabilities())
        .containsExactlyInAnyOrder(Capability.IPC_LOCK, Capability.SYS_NICE);
    assertThat(status.lockedBytes()).isEqualTo(12 * 1_024);
  }

  @Test
  void shouldReadAllRightsOfTheSuperuser() throws IOException {
    assertThat(status("CapEff:\tffffffffffffffff\n").capabilities())
        .containsExactly(Capability.values());
    assertThat(status("CapEff:\t0000000000000000\n").capabilities()).isEmpty();
  }

  @Test
  void shouldKnowNothingWhenThereIsNoFile() {
    ProcessStatus status = ProcessStatus.of(folder.resolve("absent"));

    assertThat(status.capabilities()).isEmpty();
    assertThat(status.lockedBytes()).isEqualTo(-1);
  }
}
