package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Account;
import dev.takt.kept.Catalog;
import dev.takt.kept.Color;
import dev.takt.persist.store.Generations;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A program without tasks keeps the collections of the JDK that its objects change. */
@Timeout(60)
class PlainCollectionsTest {
  private final MemoryStorage storage = new MemoryStorage();
  private final Random random = new Random(Seeds.seed());
  private Persistence persistence = open(Scheme.ANNOTATING, 1);

  private Persistence open(Scheme scheme, int fullEvery) {
    PersistSettings settings = PersistSettings.DEFAULTS.withScheme(scheme).withFullEvery(fullEvery);
    Persistence opened = Persistence.open(storage, settings);
    opened.declare(Color.class);
    return opened;
  }

  private static Catalog filled() {
    return new Catalog("c").fill();
  }

  private Catalog recovered() throws IOException {
    try (Recovery recovery = persistence.recover()) {
      return recovery.root("c", Catalog.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackCollectionsWithOrderSharingAndCircles(Scheme scheme) throws IOException {
    persistence = open(scheme, 1);
    persistence.addRoot("c", filled());
    persistence.addRoot("empty", new Catalog("empty"));
    CycleStats stats = persistence.begin().run();
    assertThat(stats.barrierCalls()).isZero();
    assertThat(Pictures.difference(recovered(), filled())).isNull();
    assertThat(recovered().leadsToItself()).isTrue();
    try (Recovery recovery = persistence.recover()) {
      Catalog empty = recovery.root("empty", Catalog.class);
      assertThat(Pictures.difference(empty, new Catalog("empty"))).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldStoreWhatCollectionsHadWhenTheCycleBegan(Scheme scheme) throws IOException {
    persistence = open(scheme, 1);
    Catalog catalog = filled();
    persistence.addRoot("c", catalog);
    CycleStats stats;
    try (Cycle cycle = persistence.begin()) {
      while (!cycle.hasBegun()) {
        cycle.step(0);
      }
      catalog.clear();
      catalog.add("after the cut");
      catalog.add("again");
      stats = cycle.run();
    }
    assertThat(stats.barrierSaves()).as("an object, four collections").isEqualTo(5);
    assertThat(Pictures.difference(recovered(), filled())).isNull();
    persistence.begin().run();
    assertThat(Pictures.difference(recovered(), catalog)).isNull();
    assertThat(recovered().size()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void shouldWriteACollectionAgainWhenItHasChangedSinceTheBase(Scheme scheme) throws IOException {
    persistence = open(scheme, 1_000);
    Catalog catalog = filled();
    persistence.addRoot("c", catalog);
    persistence.begin().run();
    assertThat(persistence.begin().run().objects()).as("nothing has changed").isZero();
    catalog.add(new Catalog("new"));
    CycleStats stats = persistence.begin().run();
    assertThat(stats.base()).isEqualTo(2);
    assertThat(stats.objects()).isLessThan(30);
    assertThat(Pictures.difference(recovered(), catalog)).isNull();
    catalog.clear();
    assertThat(persistence.begin().run().base()).isEqualTo(3);
    assertThat(Pictures.difference(recovered(), catalog)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void shouldStoreCollectionsOfManyElements(Scheme scheme) throws IOException {
    persistence = open(scheme, 1);
    Catalog catalog = new Catalog("c");
    for (int i = 0; i < 10_000; i++) {
      catalog.add(i % 3 == 0 ? (Object) i : "text");
      catalog.key(i);
    }
    persistence.addRoot("c", catalog);
    persistence.begin().run();
    assertThat(Pictures.difference(recovered(), catalog)).isNull();
  }

  @Test
  void shouldGoOnWithWhatWasRecovered() throws IOException {
    persistence.addRoot("c", new Catalog("c"));
    for (int i = 0; i < 4; i++) {
      persistence.begin().run();
      persistence = open(Scheme.MARKING, 1);
      Catalog recovered = recovered();
      assertThat(recovered.size()).isEqualTo(i);
      recovered.add(i);
      persistence.addRoot("c", recovered);
    }
  }

  private void refuse(String... why) {
    for (Scheme scheme : Scheme.values()) {
      Persistence other =
          Persistence.open(new MemoryStorage(), PersistSettings.DEFAULTS.withScheme(scheme));
      other.addRoot("c", refused);
      assertThatThrownBy(() -> other.begin().run()).hasMessageContainingAll(why);
    }
  }

  private Catalog refused = new Catalog("c");

  @Test
  void shouldRefuseACollectionThatNothingGuards() {
    refused.add(new ArrayList<>(List.of("in another one")));
    refuse("java.util.ArrayList cannot be stored", "private field of type java.util.ArrayList");
    refused = new Catalog("c");
    refused.add(List.of(new TreeMap<>()));
    refuse("java.util.TreeMap cannot be stored");
  }

  @Test
  void shouldRefuseAnOrderThatIsNotTheNaturalOne() {
    TreeMap<Object, Object> backwards = new TreeMap<>(Comparator.comparing(Object::hashCode));
    refused.sortLike(backwards);
    refuse("java.util.TreeMap with the comparator", "natural order");
  }

  @Test
  void shouldRefuseKeysWhoseHashOrOrderComesLater() {
    refused.key(List.of("a list"));
    refuse("cannot be in a set or a key of a map", "ImmutableCollections");
    refused = new Catalog("c");
    refused.key(new Chained(1, new Chained(2, null)));
    refuse("cannot be in a set or a key of a map", "Chained");
    refused = new Catalog("c");
    refused.sort(new Sorted(1));
    refuse("cannot be in a sorted set or a key of a sorted map", "Sorted");
  }

  /** To hash such a one from a file might never end. */
  private record Chained(int number, Chained next) {}

  /** Has an order, but no barrier. */
  private static final class Sorted implements Comparable<Sorted> {
    private final int rank;

    Sorted(int rank) {
      this.rank = rank;
    }

    @Override
    public int compareTo(Sorted other) {
      return Integer.compare(rank, other.rank);
    }
  }

  @Test
  void shouldNotLeadToWhatIsNotDeclared() throws IOException {
    Catalog catalog = filled();
    catalog.add(new Account("only the list leads to it", 1));
    persistence.declare(Account.class);
    persistence.addRoot("c", catalog);
    persistence.begin().run();
    persistence = open(Scheme.ANNOTATING, 1);
    assertThatThrownBy(this::recovered)
        .hasMessageContainingAll("dev.takt.kept.Account", "Persistence.declare");
  }

  @ParameterizedTest
  @CsvSource({"1", "4"})
  void shouldRefuseOrReadButNeverFailOtherwiseWhenPayloadsAreForged(int fullEvery)
      throws IOException {
    persistence = open(Scheme.ANNOTATING, fullEvery);
    Catalog catalog = filled();
    persistence.addRoot("c", catalog);
    persistence.begin().run();
    catalog.add("changed");
    catalog.sort("z");
    persistence.begin().run();
    String file = Generations.name(2, fullEvery > 1 ? 1 : 0);
    byte[] good = storage.bytes(file);
    int refused = 0;
    for (int i = Seeds.size(2_000, 100_000); i > 0; i--) {
      byte[] bytes = good.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        bytes[32 + random.nextInt(bytes.length - 32)] = (byte) random.nextInt();
      }
      Forgery.forge(bytes);
      storage.put(file, bytes);
      try {
        recovered();
      } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
        refused++;
        assertThat(e.getMessage()).as(Seeds.replay(Seeds.seed())).isNotBlank();
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldReadTheFileOfVersion4() throws IOException {
    try (InputStream in = PlainCollectionsTest.class.getResourceAsStream("version4.takt")) {
      storage.put(Generations.name(1), in.readAllBytes());
    }
    assertThat(Pictures.difference(recovered(), filled())).isNull();
  }

  @Test
  void shouldWriteVersion4OnlyIfThereCanBeCollections() throws IOException {
    persistence.addRoot("a", new Account("a", 1));
    persistence.begin().run();
    assertThat(storage.bytes(Generations.name(1))[8]).isEqualTo((byte) 2);
    persistence.addRoot("c", new Catalog("c"));
    persistence.begin().run();
    assertThat(storage.bytes(Generations.name(2))[8]).isEqualTo((byte) 4);
  }

  /** Writes the file of this version anew, into the given folder. */
  public static void main(String[] arguments) throws IOException {
    PlainCollectionsTest test = new PlainCollectionsTest();
    test.persistence.addRoot("c", filled());
    test.persistence.begin().run();
    Files.write(Path.of(arguments[0], "version4.takt"), test.storage.bytes(Generations.name(1)));
  }
}
