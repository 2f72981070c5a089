package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Vault;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.MappedStorage;
import dev.takt.persist.store.Storage;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
      assertThatThrownBy(persistence::recover).hasMessageContaining(message);
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

  /** A program that recovers, stores, and does nothing more until its input ends. */
  static final class Plain {
    public static void main(String[] folder) throws IOException {
      Persistence persistence = Persistence.open(Path.of(folder[0]));
      persistence.recover().close();
      persistence.addRoot("vault", new Vault("silver"));
      System.out.println(persistence.begin().run().generation());
      System.in.read();
    }
  }

  /** The other one has no cycle going on. */
  @Test
  void shouldKeepAnotherPlainProgramOutBetweenCyclesAndUntilItIsKilled() throws Exception {
    Process plain = JavaProgram.start(Plain.class, folder);
    assertThat(plain.inputReader().readLine()).isEqualTo("1");
    String message = "is written by another program (process " + plain.pid();
    Persistence persistence = Persistence.open(folder);
    assertThatThrownBy(persistence::recover).hasMessageContaining(message);
    persistence.addRoot("vault", new Vault("gold"));
    assertThatThrownBy(() -> persistence.begin().run()).hasMessageContaining(message);
    plain.destroyForcibly().waitFor();

    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.generation()).isEqualTo(1);
    }
    persistence.close();
  }

  @Test
  void shouldKeepOtherProgramsOutFromTheFirstUseUntilItIsClosed() throws Exception {
    Persistence recovering = Persistence.open(folder);
    Persistence storing = Persistence.open(folder);
    assertThat(refusalOfAnotherProgram()).as("nothing is used").doesNotContain("is written");

    recovering.recover().close();
    assertThat(refusalOfAnotherProgram()).contains("is written by another program");
    recovering.close();
    recovering.close();
    assertThat(refusalOfAnotherProgram()).doesNotContain("is written");

    storing.addRoot("vault", new Vault("gold"));
    Cycle cycle = storing.begin();
    assertThatThrownBy(storing::close).hasMessageContaining("a cycle goes on");
    cycle.run();
    assertThat(refusalOfAnotherProgram()).contains("is written by another program");
    storing.close();
    assertThat(refusalOfAnotherProgram()).doesNotContain("is written");
    assertThatThrownBy(storing::begin)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertThatThrownBy(storing::recover).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldStayLockedUntilAllOfOneProgramHaveLeft() throws Exception {
    Storage.Lock first = FolderStorage.open(folder).lock();
    Storage.Lock second = MappedStorage.open(folder).lock();
    first.close();
    first.close(); // changes nothing

    assertThat(refusalOfAnotherProgram()).contains("is written by another program");

    second.close();
    Process holder = holder();
    holder.getOutputStream().close();
    assertThat(holder.waitFor(Duration.ofSeconds(60))).isTrue();
  }

  private String refusalOfAnotherProgram() throws Exception {
    Process refused = JavaProgram.start(Refused.class, folder);
    String refusal = refused.inputReader().readLine();
    assertThat(refused.waitFor()).isZero();
    return refusal;
  }

  @Test
  void shouldStayLockedWhenAnotherClassLoaderOfTheProgramIsRefused() throws Exception {
    URL[] classes =
        JavaProgram.pathsOf(Refused.class).stream()
            .map(each -> toUrl(Path.of(each)))
            .toArray(URL[]::new);
    // Without a parent, since the one of the platform finds the modules of this program.
    try (URLClassLoader loader = new URLClassLoader(classes, null)) {
      Class<?> storages = loader.loadClass(FolderStorage.class.getName());
      assertThat(storages).isNotSameAs(FolderStorage.class);
      Object storage = storages.getMethod("open", Path.class).invoke(null, folder);
      Method locks = storages.getMethod("lock");

      Storage.Lock first = FolderStorage.open(folder).lock();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> locks.invoke(storage))
            .cause()
            .isInstanceOf(IOException.class)
            .hasMessageContaining("is written by another class loader of this program");
        assertThat(refusalOfAnotherProgram()).contains("is written by another program");
      }
      first.close();

      AutoCloseable second = (AutoCloseable) locks.invoke(storage);
      assertThat(refusalOfAnotherProgram()).contains("is written by another program");
      assertThatThrownBy(() -> FolderStorage.open(folder).lock())
          .hasMessageContaining("is written by another class loader of this program");
      second.close();
      FolderStorage.open(folder).lock().close();
      assertThat(refusalOfAnotherProgram()).as("it is free").doesNotContain("is written");
    }
  }

  private static URL toUrl(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldRefuseASecondCycleInOneFolderAndLeaveTheFirstOneItsFile() throws Exception {
    try (GrowerRuntime grower = new GrowerRuntime(Seeds.seed()).start()) {
      Persistence one = Persistence.open(folder);
      Persistence other = Persistence.open(MappedStorage.open(folder), PersistSettings.DEFAULTS);
      other.addRoot("vault", new Vault("anything"));
      try (Cycle cycle = one.begin(grower.runtime)) {
        while (FolderStorage.open(folder).names().isEmpty()) {
          cycle.step(one.settings().clock().nanoTime());
          cycle.write();
        }
        assertThatThrownBy(() -> other.begin().run())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("snapshots in " + folder.toRealPath());
        assertThat(cycle.run().generation()).isEqualTo(1);
      }
      assertThat(other.begin().run().generation()).isEqualTo(2);
    }
  }

  @Test
  void shouldRefuseASecondJournalInOneFolderAndLeaveTheFirstOneItsSegments() throws Exception {
    EventSpace space = EventSpace.create();
    try (Journal journal = Journal.open(folder, space)) {
      space.write(new Event("order", 1));
      List<String> before = FolderStorage.open(folder).names();
      assertThatThrownBy(() -> Journal.open(folder, EventSpace.create()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a journal in " + folder.toRealPath());
      assertThat(FolderStorage.open(folder).names()).containsExactlyInAnyOrderElementsOf(before);
      assertThat(journal.recovered().isWarm()).isFalse();
    }
    EventSpace again = EventSpace.create();
    try (Journal journal = Journal.open(folder, again)) {
      assertThat(journal.recovered().events()).isEqualTo(1);
    }
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
