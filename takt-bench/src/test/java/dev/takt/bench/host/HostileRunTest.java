package dev.takt.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.rtj.BaselineProgram;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HostileRunTest {
  private static final int TURNS = 2;
  private static final int PERIODS = 100;

  @TempDir private Path folder;

  @Test
  void shouldReleaseTheTaskInEachPeriodWhileHostileClientsAreOnAllLinks() throws Exception {
    HostileRun run = new HostileRun(TURNS, PERIODS, false, BaselineProgram.NONE, folder.toString());

    Map<String, HostileRun.Found> found = run.call();

    assertThat(found)
        .containsOnlyKeys("task-1khz-quiet", "task-1khz-hostile", "task-1khz-hostile-shm");
    found.forEach(
        (name, each) ->
            assertThat(each.pace().gaps().count("periods"))
                .as(name)
                .isGreaterThanOrEqualTo(TURNS * PERIODS));
    assertThat(found.get("task-1khz-quiet").sent()).isEqualTo(HostileRole.Sent.NOTHING);
    HostileRole.Sent all = found.get("task-1khz-hostile").sent();
    assertThat(all.memory()).isPositive();
    assertThat(all.tcp()).isPositive();
    assertThat(all.lines()).isPositive();
    assertThat(all.webSocket()).isPositive();
    HostileRole.Sent memory = found.get("task-1khz-hostile-shm").sent();
    assertThat(memory.memory()).isPositive().isEqualTo(memory.all());
  }
}
