package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Chain;
import dev.takt.kept.Everything;
import dev.takt.kept.EverythingOf2;
import dev.takt.kept.Grower;
import dev.takt.kept.Ledger;
import dev.takt.persist.format.Format;
import dev.takt.persist.store.FolderStorage;
import dev.takt.persist.store.Generations;
import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.RuntimeSettings;
import dev.takt.reflex.Schedule;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.TaskRecovery;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program that ends and begins again goes on with the state of its tasks. */
class RestartTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path folder;

  private final Random random = new Random(Seeds.seed());

  private static RuntimeSettings settings(TaskRecovery recovery) {
    return RuntimeSettings.DEFAULTS.withWarmUpNs(0).withWorkers(1).withRecovery(recovery);
  }

  private void trade(EventSpace space, Random random) {
    Event trade = new Event("trade", random.nextInt(1, 100));
    space.write(trade.add("account", random.nextInt(64)).add("price", random.nextInt(100) / 4.0));
  }

  @Test
  void shouldGoOnWhereItWasAfterARestart() throws IOException {
    Path data = folder.resolve("data");
    long seed = random.nextLong();
    Random trades = new Random(seed);
    Ledger last = null;
    for (int start = 1; start <= 3; start++) {
      Persistence persistence = Persistence.open(data);
      Ledger ledger = new Ledger();
      EventSpace space = EventSpace.create();
      try (Recovery recovery = persistence.recover();
          ReflexRuntime runtime = ReflexRuntime.create(space, settings(recovery))) {
        assertThat(recovery.isWarm()).isEqualTo(start > 1);
        assertThat(recovery.generation()).isEqualTo(start - 1);
        runtime.passive("ledger", ledger, 10);
        if (last != null) {
          assertThat(ledger.text()).isEqualTo(last.text());
        }
        runtime.start();
        for (int i = 0; i < 500; i++) {
          trade(space, trades);
        }
        assertThat(runtime.drain(LONG)).isTrue();
        CycleStats stats = persistence.begin(runtime).run();
        assertThat(stats.generation()).isEqualTo(start);
        assertThat(stats.objects()).isPositive();
      }
      last = ledger;
    }
    assertThat(last.text()).startsWith("starts=3 trades=1500 ");
    assertThat(last.text()).isEqualTo(inOneGo(seed).text().replace("starts=1", "starts=3"));
  }

  /** The same trades in one program that never ends. */
  private Ledger inOneGo(long seed) {
    Random trades = new Random(seed);
    Ledger ledger = new Ledger();
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings(TaskRecovery.NONE))) {
      runtime.passive("ledger", ledger, 10);
      runtime.start();
      for (int i = 0; i < 1_500; i++) {
        trade(space, trades);
      }
      assertThat(runtime.drain(LONG)).isTrue();
    }
    return ledger;
  }

  @Test
  void shouldStoreATaskThatIsNeverReleasedAndOneWhoseRuntimeHasStopped() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
    EventSpace space = EventSpace.create();
    try (ReflexRuntime runtime = ReflexRuntime.create(space, settings(TaskRecovery.NONE))) {
      runtime.passive("ledger", new Ledger(), 10);
      persistence.begin(runtime).run();
      runtime.start();
      persistence.begin(runtime).run();
      runtime.stop(LONG);
      assertThat(persistence.begin(runtime).run().generation()).isEqualTo(3);
    }
  }

  @Test
  void shouldGiveATaskWithoutStoredStateAColdStart() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      persistence.begin(grower.runtime).run();
    }
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.recover("another", new Grower(1, new AtomicLong()))).isFalse();
      assertThat(recovery.unclaimed()).containsExactly(GrowerRuntime.NAME);
      assertThat(recovery.recover(GrowerRuntime.NAME, new Grower(1, new AtomicLong()))).isTrue();
      assertThat(recovery.unclaimed()).isEmpty();
      assertThatThrownBy(() -> recovery.recover(GrowerRuntime.NAME, new Ledger()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("generation 1")
          .hasMessageContaining("dev.takt.kept.Ledger");
    }
  }

  @Test
  void shouldWriteFilesThatOnlyTheirOwnerCanRead() throws IOException {
    Path data = folder.resolve("a/b");
    try (GrowerRuntime grower = new GrowerRuntime(1).start()) {
      Persistence.open(data).begin(grower.runtime).run();
    }
    Path file = data.resolve(Generations.name(1));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    FolderStorage storage = FolderStorage.open(data);
    assertThatThrownBy(() -> storage.create("../x")).hasMessageContaining("../x");
    assertThatThrownBy(() -> storage.create(Generations.name(1))).isInstanceOf(IOException.class);
  }

  @Test
  void shouldStoreAListThatIsLongerThanAnyStack() throws IOException {
    int length = Seeds.size(300_000, 10_000_000);
    MemoryStorage storage = new MemoryStorage();
    Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
    try (ReflexRuntime runtime =
        ReflexRuntime.create(EventSpace.create(), settings(TaskRecovery.NONE))) {
      runtime.active("chain", new Chain(length), Schedule.periodic(1_000_000_000));
      assertThat(persistence.begin(runtime).run().objects()).isEqualTo(length + 1L);
    }
    Chain recovered = new Chain(2);
    try (Recovery recovery = persistence.recover()) {
      recovery.recover("chain", recovered);
    }
    int count = 0;
    for (var node = recovered.first(); node != null; node = node.left()) {
      count++;
      assertThat(node.count()).isEqualTo(count);
    }
    assertThat(count).isEqualTo(length);
  }

  // ---- a file of each version

  private static <T extends ReflexTask> T recovered(byte[] file, T into) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    storage.put(Generations.name(1), file);
    try (Recovery recovery = Persistence.open(storage, PersistSettings.DEFAULTS).recover()) {
      assertThat(recovery.rejected()).isEmpty();
      assertThat(recovery.recover("everything", into)).isTrue();
    }
    return into;
  }

  private static byte[] stored(ReflexTask task, Scheme scheme) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    Persistence persistence =
        Persistence.open(storage, PersistSettings.DEFAULTS.withScheme(scheme));
    TaskMemory memory = new TaskMemory("everything", 0, 0);
    persistence.begin(List.of(new StableRoot("everything", task, memory.sinks))).run();
    return storage.bytes(Generations.name(1));
  }

  private static byte[] file(String name) throws IOException {
    try (InputStream in = RestartTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void shouldReadTheFileOfVersion1() throws IOException {
    Everything recovered = recovered(file("version1.takt"), new Everything());
    assertThat(Pictures.difference(recovered, new Everything().fill())).isNull();
    assertThat(recovered.sharesText()).isTrue();
    assertThat(recovered.leftOut()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void shouldWriteWhatVersion1HadAsItDid(Scheme scheme) throws IOException {
    byte[] before = file("version1.takt");
    byte[] now = stored(new Everything().fill(), scheme);
    assertThat(Arrays.copyOfRange(now, Format.FILE_HEADER, now.length))
        .isEqualTo(Arrays.copyOfRange(before, Format.FILE_HEADER, before.length));
  }

  @Test
  void shouldReadTheFileOfVersion2() throws IOException {
    EverythingOf2 recovered = recovered(file("version2.takt"), new EverythingOf2());
    assertThat(recovered.values()).isEqualTo(new EverythingOf2().fill().values());
    assertThat(recovered.sharesPrice()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void shouldWriteTheFileOfVersion2(Scheme scheme) throws IOException {
    assertThat(stored(new EverythingOf2().fill(), scheme)).isEqualTo(file("version2.takt"));
  }

  @Test
  void shouldFailTheCycleWhenAValueIsTooLong() {
    EverythingOf2 task = new EverythingOf2().fill();
    task.values()[0] = BigInteger.TEN.pow(5_000);
    assertThatThrownBy(() -> stored(task, Scheme.ANNOTATING))
        .hasMessageContaining("characters=5001, limit=4096");
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepImmutableCollectionsOfManyElements(Scheme scheme) throws IOException {
    EverythingOf2 task = new EverythingOf2().fill();
    task.values()[0] = IntStream.range(0, 1_000).mapToObj(each -> "element " + each).toList();
    task.values()[1] = IntStream.range(0, 1_000).boxed().collect(Collectors.toUnmodifiableSet());
    task.values()[2] =
        IntStream.range(0, 1_000)
            .boxed()
            .collect(Collectors.toUnmodifiableMap(each -> BigInteger.valueOf(each), Optional::of));
    EverythingOf2 recovered = recovered(stored(task, scheme), new EverythingOf2());
    assertThat(recovered.values()).isEqualTo(task.values());
  }

  @Test
  void shouldFailTheCycleWhenACollectionCanChangeOrHashesWhatIsNotThereYet() {
    EverythingOf2 task = new EverythingOf2().fill();
    task.values()[0] = new ArrayList<>();
    assertThatThrownBy(() -> stored(task, Scheme.ANNOTATING))
        .hasMessageContaining("java.util.ArrayList cannot be stored")
        .hasMessageContaining("List.copyOf");
    task.values()[0] = Set.of(List.of(1));
    assertThatThrownBy(() -> stored(task, Scheme.MARKING))
        .hasMessageContaining("cannot be in a set or a key of a map");
  }

  /** Writes the file of this version anew, into the given folder. */
  public static void main(String[] arguments) throws IOException {
    Files.write(
        Path.of(arguments[0], "version2.takt"),
        stored(new EverythingOf2().fill(), Scheme.ANNOTATING));
  }
}
