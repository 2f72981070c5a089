package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.kept.Grower;
import dev.takt.persist.store.Generations;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damaged and hostile files are refused, and never crash anything. */
class DamageTest {
  private static final String FILE = Generations.name(1);

  private final MemoryStorage storage = new MemoryStorage();
  private final Persistence persistence =
      Persistence.open(storage, PersistSettings.DEFAULTS.withBlockBytes(8_192));
  private final Random random = new Random(Seeds.seed());
  private byte[] good;

  @BeforeEach
  void store() throws IOException {
    try (GrowerRuntime grower = new GrowerRuntime(random.nextLong()).start()) {
      grower.advance(60);
      persistence.begin(grower.runtime).run();
    }
    good = storage.bytes(FILE);
  }

  private String rejection(byte[] bytes) throws IOException {
    storage.put(FILE, bytes);
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.isWarm()).isTrue();
      return null;
    } catch (IOException e) {
      assertThat(e).hasMessageStartingWith("no snapshot can be used: ");
      return e.getMessage().substring("no snapshot can be used: ".length());
    }
  }

  @Test
  void shouldDetectEveryByteThatIsNotAsItWasWritten() throws IOException {
    assertThat(rejection(good)).isNull();
    int step = Seeds.size(7, 1);
    for (int at = random.nextInt(step); at < good.length; at += step) {
      byte[] bytes = good.clone();
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      assertThat(rejection(bytes))
          .as("byte %d, %s", at, Seeds.replay(Seeds.seed()))
          .startsWith(FILE + ": offset ");
    }
  }

  @Test
  void shouldDetectEveryCutAndEverythingAppended() throws IOException {
    int step = Seeds.size(97, 1);
    for (int length = random.nextInt(step); length < good.length; length += step) {
      assertThat(rejection(Arrays.copyOf(good, length)))
          .as("length %d", length)
          .contains("offset ");
    }
    assertThat(rejection(Arrays.copyOf(good, good.length + 1))).contains("end of the file");
  }

  @Test
  void shouldRefuseOrReadButNeverFailOtherwiseWhenPayloadsAreForged() throws IOException {
    int refused = 0;
    for (int i = Seeds.size(2_000, 200_000); i > 0; i--) {
      byte[] bytes = good.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        bytes[32 + random.nextInt(bytes.length - 32)] = (byte) random.nextInt();
      }
      Forgery.forge(bytes);
      storage.put(FILE, bytes);
      try (Recovery recovery = persistence.recover()) {
        recovery.recover(GrowerRuntime.NAME, new Grower(0, new AtomicLong()));
      } catch (IOException e) {
        refused++;
        assertThat(e).as(Seeds.replay(Seeds.seed())).hasMessageContaining(FILE + ": offset ");
      } catch (UncheckedIOException | IllegalArgumentException e) {
        refused++;
        assertThat(e).as(Seeds.replay(Seeds.seed())).hasMessageContaining("generation 1");
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldUseAnOlderSnapshotWhenTheNewestIsDamaged() throws IOException {
    storage.put(Generations.name(2), good); // names another generation
    byte[] damaged = good.clone();
    damaged[damaged.length / 2]++;
    storage.put(Generations.name(3), damaged);
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.isWarm()).isTrue();
      assertThat(recovery.generation()).isEqualTo(1);
      assertThat(recovery.rejected())
          .extracting(Recovery.Rejected::generation)
          .containsExactly(3L, 2L);
      assertThat(recovery.roots()).containsExactly(GrowerRuntime.NAME);
    }
  }
}
