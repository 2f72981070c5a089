package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Grower;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.Generations;
import dev.takt.persist.store.MappedStorage;
import dev.takt.persist.store.Storage;
import dev.takt.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of a file system, written by calls of the system and mapped: both behave alike. */
class FilesTest {
  /** A kind of storage. */
  enum Kind {
    FOLDER,
    MAPPED;

    Storage open(Path folder) throws IOException {
      return this == FOLDER ? FolderStorage.open(folder) : MappedStorage.open(folder);
    }

    Kind other() {
      return this == FOLDER ? MAPPED : FOLDER;
    }
  }

  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());

  private ByteBuffer bytes(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    ByteBuffer buffer =
        random.nextBoolean()
            ? ByteBuffer.allocateDirect(bytes.length)
            : ByteBuffer.allocate(bytes.length);
    return buffer.put(bytes).flip();
  }

  private static byte[] read(Storage storage, String name) throws IOException {
    try (Storage.Input in = storage.open(name)) {
      ByteBuffer all = ByteBuffer.allocate((int) in.size());
      while (all.hasRemaining()) {
        assertThat(in.read(all, all.position())).isPositive();
      }
      assertThat(in.read(ByteBuffer.allocate(1), in.size())).isEqualTo(-1);
      return all.array();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldReadWhatWasWrittenWhateverIsForcedBetween(Kind kind) throws IOException {
    Storage storage = kind.open(folder);
    for (int file = 0; file < Seeds.size(6, 60); file++) {
      String name = "file-" + file;
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      try (Storage.Output out = storage.create(name)) {
        for (int i = random.nextInt(60); i > 0; i--) {
          ByteBuffer bytes = bytes(random.nextInt(8) == 0 ? 3 << 20 : 5_000);
          byte[] copy = new byte[bytes.remaining()];
          bytes.get(bytes.position(), copy);
          expected.writeBytes(copy);
          out.write(bytes);
          assertThat(bytes.hasRemaining()).isFalse();
          if (random.nextInt(8) == 0) {
            out.force();
            assertThat(Files.size(folder.resolve(name))).isEqualTo(expected.size());
          }
        }
      }
      assertThat(Files.readAllBytes(folder.resolve(name)))
          .as(Seeds.replay(Seeds.seed()))
          .isEqualTo(expected.toByteArray());
      assertThat(read(storage, name)).isEqualTo(expected.toByteArray());
      assertThat(read(kind.other().open(folder), name)).isEqualTo(expected.toByteArray());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLetTheOwnerAloneReadAndWrite(Kind kind) throws IOException {
    Storage storage = kind.open(folder.resolve("made"));
    storage.create("file").close();
    assertThat(permissions("made")).isEqualTo("rwx------");
    assertThat(permissions("made/file")).isEqualTo("rw-------");
    assertThatThrownBy(() -> storage.create("file")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.create("../file")).hasMessageContaining("../file");
    assertThatThrownBy(() -> storage.open("none")).isInstanceOf(IOException.class);
    storage.rename("file", "other");
    storage.forceNames();
    assertThat(storage.names()).containsExactly("other");
    assertThat(read(storage, "other")).isEmpty();
    storage.delete("other");
    storage.delete("other");
    assertThat(storage.names()).isEmpty();
  }

  private String permissions(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeAllFoldersOfAPath(Kind kind) throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(folder.toRealPath());
    for (Path each : new Path[] {folder.resolve("a/b/c"), relative.resolve("e/f")}) {
      kind.open(each).create("file").close();
      assertThat(kind.open(each).names()).containsExactly("file");
    }
    assertThat(permissions("e")).isEqualTo("rwx------");
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> kind.open(file.resolve("sub"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> kind.open(file)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldFailAndNotEndTheProgramWhenAFileIsCutOff(Kind kind) throws IOException {
    Storage storage = kind.open(folder);
    try (Storage.Output out = storage.create("file")) {
      out.write(ByteBuffer.allocate(3 << 20));
      out.force();
    }
    try (Storage.Input in = storage.open("file");
        FileChannel cut = FileChannel.open(folder.resolve("file"), StandardOpenOption.WRITE)) {
      cut.truncate(0);
      if (kind == Kind.FOLDER) {
        assertThat(in.read(ByteBuffer.allocate(64), 2 << 20)).isEqualTo(-1);
      } else {
        assertThatThrownBy(() -> in.read(ByteBuffer.allocate(64), 2 << 20))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("cut off");
      }
    }
  }

  /** Ends with an error at a step; what was done before is on the disk, as after a kill. */
  private static final class Mortal implements Storage {
    private final Storage alive;
    int steps;
    int downAt = Integer.MAX_VALUE;

    Mortal(Storage alive) {
      this.alive = alive;
    }

    boolean isDown() {
      return steps >= downAt;
    }

    private void step() throws IOException {
      steps++;
      if (isDown()) {
        throw new MemoryStorage.Down();
      }
    }

    @Override
    public java.util.List<String> names() throws IOException {
      return alive.names();
    }

    @Override
    public Output create(String name) throws IOException {
      step();
      Output output = alive.create(name);
      return new Output() {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
          step();
          output.write(bytes);
        }

        @Override
        public void force() throws IOException {
          step();
          output.force();
        }

        @Override
        public void close() throws IOException {
          output.close();
        }
      };
    }

    @Override
    public Input open(String name) throws IOException {
      return alive.open(name);
    }

    @Override
    public void rename(String name, String newName) throws IOException {
      step();
      alive.rename(name, newName);
    }

    @Override
    public void delete(String name) throws IOException {
      step();
      alive.delete(name);
    }

    @Override
    public void forceNames() throws IOException {
      step();
      alive.forceNames();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRecoverACompleteGenerationWhateverStepIsTheLast(Kind kind) throws IOException {
    PersistSettings settings = PersistSettings.DEFAULTS.withBlockBytes(8_192).withGenerations(2);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(30);
      Persistence.open(kind.open(folder), settings).begin(grower.runtime).run();
      boolean ended = true;
      for (int downAt = 1; ended; downAt++) {
        Grower before = recovered(grower, kind.open(folder), settings);
        grower.advance(3);
        Mortal storage = new Mortal(kind.open(folder));
        storage.downAt = downAt;
        ended = isEnded(Persistence.open(storage, settings), grower) || storage.isDown();
        Grower after = recovered(grower, kind.other().open(folder), settings);
        boolean isNew = after.step() == grower.model.step();
        assertThat(isNew || ended).as(Seeds.replay(Seeds.seed())).isTrue();
        assertThat(Pictures.difference(after, isNew ? grower.model : before)).isNull();
      }
      assertThat(kind.open(folder).names()).hasSize(2);
    }
  }

  private static boolean isEnded(Persistence persistence, GrowerRuntime grower) throws IOException {
    try (Cycle cycle = persistence.begin(grower.runtime)) {
      cycle.run();
      return false;
    } catch (MemoryStorage.Down e) {
      return true;
    }
  }

  private static Grower recovered(GrowerRuntime grower, Storage storage, PersistSettings settings)
      throws IOException {
    try (Recovery recovery = Persistence.open(storage, settings).recover()) {
      assertThat(recovery.rejected()).isEmpty();
      Grower recovered = new Grower(grower.model.seed(), new AtomicLong());
      assertThat(recovery.recover(GrowerRuntime.NAME, recovered)).isTrue();
      return recovered;
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseADamagedFileAndTakeTheOneBefore(Kind kind) throws IOException {
    Persistence persistence = Persistence.open(kind.open(folder), PersistSettings.DEFAULTS);
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(10);
      persistence.begin(grower.runtime).run();
      persistence.begin(grower.runtime).run();
      Path newest = folder.resolve(Generations.name(2));
      byte[] bytes = Files.readAllBytes(newest);
      bytes[random.nextInt(bytes.length)] ^= 1;
      Files.write(newest, bytes);
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.generation()).isEqualTo(1);
        assertThat(recovery.rejected()).hasSize(1);
        assertThat(grower.difference(recovery)).isNull();
      }
    }
  }
}
