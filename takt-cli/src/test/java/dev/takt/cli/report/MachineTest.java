package dev.takt.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
  @Test
  void shouldDescribeThisMachine() {
    Machine machine = Machine.detect().with("clock_source", "tsc");

    assertThat(machine.members())
        .containsEntry("cores", Runtime.getRuntime().availableProcessors())
        .containsEntry("clock_source", "tsc");
    assertThat(machine.members().get("jdk").toString())
        .contains(System.getProperty("java.runtime.version"));
    assertThat(Instant.parse(machine.members().get("date").toString()))
        .isBeforeOrEqualTo(Instant.now());
  }

  @Test
  void shouldCallUnknownWhatItCannotFindOut(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(folder.resolve("cpuinfo"), "processor\t: 0\nmodel name\t: Fast: 1 GHz\n");

    assertThat(Machine.field(file, "model name")).isEqualTo("Fast: 1 GHz");
    assertThat(Machine.field(file, "vendor")).isEqualTo("unknown");
    assertThat(Machine.field(folder.resolve("missing"), "model name")).isEqualTo("unknown");
  }
}
