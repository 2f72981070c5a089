package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.persist.journal.Journal;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.MappedStorage;
import dev.takt.persist.store.Storage;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two programs never write to one folder. */
class FolderLockTest {
  @TempDir private Path folder;

  /** A program that keeps the lock of the folder that is its argument until its input ends. */
  static final class Holder {
    public static void main(String[] folder) throws IOException {
      try (Storage.Lock lock = FolderStorage.open(Path.of(folder[0])).lock()) {
        System.out.println(lock != null);
        System.in.read();
      }
    }
  }

  private Process holder() throws IOException {
    Process holder = JavaProgram.start(Holder.class, folder);
    assertThat(holder.inputReader().readLine()).isEqualTo("true");
    return holder;
  }

  @Test
  void shouldRefuseToWriteWhereAnotherProgramDoes() throws Exception {
    Files.createDirectories(folder);
    Process holder = holder();
    String message =
        folder.toRealPath() + " is written by another program (process " + holder.pid();
    try (GrowerRuntime grower = new GrowerRuntime(Seeds.seed()).start()) {
      Persistence persistence = Persistence.open(folder);
      try (Cycle cycle = persistence.begin(grower.runtime)) {
        assertThatThrownBy(cycle::run)
            .isInstanceOf(IOException.class)
            .hasMessageContaining(message);
      }
      assertThat(persistence.recover().isWarm()).isFalse();
      try (PersistenceTask task =
          PersistenceTask.of(persistence, grower.runtime, PersistenceTaskSettings.DEFAULTS)) {
        assertThatThrownBy(task::start)
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining(message);
      }
    }
    assertThatThrownBy(() -> Journal.open(folder, EventSpace.create()))
        .hasMessageContaining(message);
    assertThatThrownBy(MappedStorage.open(folder)::lock).hasMessageContaining(message);
    assertThat(FolderStorage.open(folder).names()).isEmpty();
    holder.destroyForcibly();
    assertThat(holder.waitFor()).isNotZero();
  }

  @Test
  void shouldLockAgainAfterTheOtherProgramWasKilled() throws Exception {
    Process holder = holder();
    holder.destroyForcibly().waitFor();

    try (Storage.Lock lock = FolderStorage.open(folder).lock()) {
      assertThat(lock).isNotNull();
    }
  }

  @Test
  void shouldStayLockedUntilAllOfOneProgramHaveLeft() throws Exception {
    Storage.Lock first = FolderStorage.open(folder).lock();
    Storage.Lock second = MappedStorage.open(folder).lock();
    first.close();
    first.close(); // changes nothing

    Process refused = JavaProgram.start(Refused.class, folder);
    assertThat(refused.inputReader().readLine()).contains("is written by another program");
    assertThat(refused.waitFor()).isZero();

    second.close();
    Process holder = holder();
    holder.getOutputStream().close();
    assertThat(holder.waitFor(Duration.ofSeconds(60))).isTrue();
  }

  /** A program that says why it does not get the lock. */
  static final class Refused {
    public static void main(String[] folder) throws IOException {
      try (Storage.Lock lock = FolderStorage.open(Path.of(folder[0])).lock()) {
        System.out.println(lock);
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
