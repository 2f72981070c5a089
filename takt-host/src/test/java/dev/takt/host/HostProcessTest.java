package dev.takt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.client.link.LinkException;
import dev.takt.client.link.LinkListener;
import dev.takt.client.link.LinkSettings;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.ManagerSettings;
import dev.takt.space.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostProcessTest {
  private static final ThreadFactory THREADS = Thread.ofPlatform().name("links").factory();

  private static final Event X = new Event("x", 1);

  private final CpuManager manager = CpuManager.start(ManagerSettings.defaults());
  @TempDir private Path temporary;

  @AfterEach
  void closeManager() {
    manager.close();
  }

  private Path folder() {
    return temporary.resolve("links").resolve("host");
  }

  private HostSettings settings() {
    return HostSettings.of(folder()).withBudget(1_000_000, 10_000_000);
  }

  private HostProcess open() throws IOException {
    return HostProcess.open(settings(), manager, THREADS);
  }

  private static void requireNoTaskRan(HostProcess host) {
    assertThatCode(() -> host.runtime().start()).as("its first start").doesNotThrowAnyException();
  }

  @Test
  void shouldRefuseASecondHostOfThatNameBeforeItsTasksRun() throws Exception {
    try (HostProcess first = open();
        HostProcess second = open()) {
      first.start();

      assertThatThrownBy(second::start)
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("a host listens in " + folder() + " already");

      requireNoTaskRan(second);
      assertThat(first.failure()).isNull();
    }
    assertThat(folder()).as("what an ended host leaves").doesNotExist();
  }

  @Test
  void shouldGiveClientsThePriorityThatItsSettingsAllow() throws Exception {
    HostSettings settings = settings().withLimits(settings().limits().withMaxPriority(5));
    try (HostProcess host = HostProcess.open(settings, manager, THREADS)) {
      host.start();
      try (RemoteSpace client = Takt.connect(folder(), ClientSettings.DEFAULTS)) {
        assertThat(client.<Boolean>transact(5, transaction -> transaction.test(X))).isFalse();
        assertThatThrownBy(() -> client.transact(6, transaction -> transaction.test(X)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("priority=6 (expected: 0 to 5");
      }
    }
  }

  @Test
  void shouldRefuseToStartWhileAnotherHostOfThatNameStarts() throws Exception {
    Files.createDirectories(
        folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (LinkListener _ = LinkListener.open(folder().resolve("start"), LinkSettings.DEFAULTS);
        HostProcess second = open()) {
      assertThatThrownBy(second::start)
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("start already");
      requireNoTaskRan(second);
    }
  }

  /** There is nothing to make a snapshot of; the journal has the events. */
  @Test
  void shouldKeepEventsAndWarnOfNothingWhenItHasADataFolderAndNoTask() throws Exception {
    BlockingQueue<LogRecord> told = new LinkedBlockingQueue<>();
    Logger cycles = Logger.getLogger("dev.takt.persist");
    Logger end = Logger.getLogger(HostState.class.getName());
    for (Logger each : List.of(cycles, end)) {
      each.setFilter(record -> told.add(record));
    }
    try {
      HostSettings kept = settings().withData(temporary.resolve("data"));
      try (HostProcess host = HostProcess.open(kept, manager, THREADS)) {
        host.start();
        host.space().write(X);
      }
      try (HostProcess again = HostProcess.open(kept, manager, THREADS)) {
        assertThat(again.space().count(X)).isEqualTo(1);
      }
    } finally {
      cycles.setFilter(null);
      end.setFilter(null);
    }
    assertThat(told).extracting(LogRecord::getMessage).isEmpty();
  }

  @Test
  void shouldDoNothingWhenItIsClosedAgainAndRefuseToStartThen() throws Exception {
    HostProcess host = open();
    host.start();
    host.close();

    assertThatCode(host::close).doesNotThrowAnyException();
    assertThatThrownBy(host::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cannot start host: it was closed; open another HostProcess");
    assertThat(folder()).doesNotExist();
  }
}
