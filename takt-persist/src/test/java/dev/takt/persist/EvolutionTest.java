package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Chain;
import dev.takt.kept.Color;
import dev.takt.kept.Everything;
import dev.takt.kept.EverythingOf2;
import dev.takt.kept.Ticket;
import dev.takt.persist.journal.Journal;
import dev.takt.persist.journal.JournalSettings;
import dev.takt.persist.store.Generations;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Classes become others between two starts: names are exchanged in what was stored, by such of the
 * same length.
 */
class EvolutionTest {
  private static final String NAME = "task";
  private static final Class<?>[] MORE = {Chain.class, Color.class, Ticket.class, Runnable.class};

  private MemoryStorage storage;

  /** Where a task is kept. */
  enum Kept {
    IN_A_SNAPSHOT,
    IN_THE_JOURNAL
  }

  private Persistence persistence() {
    Persistence persistence = Persistence.open(storage, PersistSettings.DEFAULTS);
    persistence.declare(MORE);
    return persistence;
  }

  private String keep(Kept kept, ReflexTask task) throws IOException {
    if (kept == Kept.IN_A_SNAPSHOT) {
      TaskMemory memory = new TaskMemory(NAME, 0, 0);
      persistence().begin(List.of(new StableRoot(NAME, task, memory.sinks))).run();
      return Generations.name(1);
    }
    KeptImages.keep(storage, JournalSettings.DEFAULTS, task, MORE);
    return "journal-0000000000000001.takt";
  }

  private void giveBack(Kept kept, ReflexTask task) throws IOException {
    if (kept == Kept.IN_A_SNAPSHOT) {
      try (Recovery recovery = persistence().recover()) {
        assertThat(recovery.recover(NAME, task)).isTrue();
      }
      return;
    }
    try (Journal journal = Journal.open(storage, EventSpace.create(), JournalSettings.DEFAULTS)) {
      KeptImages.giveBack(journal, task, MORE);
    }
  }

  /** Keeps a task, exchanges names in what was stored, and gives that back into another one. */
  private void evolve(Kept kept, ReflexTask before, ReflexTask after, String... names)
      throws IOException {
    storage = new MemoryStorage();
    String file = keep(kept, before);
    String text = new String(storage.bytes(file), StandardCharsets.ISO_8859_1);
    for (int i = 0; i < names.length; i += 2) {
      assertThat(names[i + 1]).hasSameSizeAs(names[i]);
      assertThat(text).contains(names[i]);
      text = text.replace(names[i], names[i + 1]);
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    Forgery.forge(bytes);
    storage.put(file, bytes);
    giveBack(kept, after);
  }

  private static Everything without(String... fields) throws ReflectiveOperationException {
    Everything model = new Everything().fill();
    for (String each : fields) {
      Field field = Everything.class.getDeclaredField(each);
      field.setAccessible(true);
      field.set(model, null);
    }
    return model;
  }

  @ParameterizedTest
  @EnumSource
  void shouldSkipWhatOnlyFieldsLedToThatAreGoneWhateverItsClassHasBecome(Kept kept)
      throws Exception {
    for (String pair : new String[] {"Pain", "Node"}) {
      for (String color : new String[] {"Color", "Colon", "Chain"}) {
        Everything after = new Everything();
        evolve(
            kept,
            new Everything().fill(),
            after,
            "color",
            "colox",
            "pair",
            "paix",
            "dev.takt.kept.Pair",
            "dev.takt.kept." + pair,
            "dev.takt.kept.Color",
            "dev.takt.kept." + color);
        assertThat(Pictures.difference(after, without("color", "pair"))).isNull();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSkipAComponentOfARecordThatIsGoneWithItsClass(Kept kept) throws IOException {
    EverythingOf2 after = new EverythingOf2();
    evolve(kept, ticket(), after, "color", "colox", "dev.takt.kept.Color", "dev.takt.kept.Colon");
    assertThat(after.values()[0]).isEqualTo(new Ticket(7, null, "seven"));
  }

  private static EverythingOf2 ticket() {
    EverythingOf2 task = new EverythingOf2();
    task.values()[0] = new Ticket(7, Color.GREEN, "seven");
    return task;
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\0',
      value = {
        "Color, Chain, class dev.takt.kept.Chain was stored as ENUM",
        "Color, Colon, class dev.takt.kept.Colon",
        "Pair, Node, class dev.takt.kept.Node was stored as RECORD",
        "Node, Pair, class dev.takt.kept.Pair was stored as STABLE",
      })
  void shouldRefuseAClassThatHasBecomeSomethingElseWhereAFieldLeadsToIt(
      String from, String to, String problem) {
    for (Kept kept : Kept.values()) {
      refuse(kept, new Everything(), problem, "dev.takt.kept." + from, "dev.takt.kept." + to);
    }
  }

  private void refuse(Kept kept, ReflexTask after, String problem, String... names) {
    assertThatThrownBy(
            () ->
                evolve(
                    kept,
                    after instanceof Everything ? new Everything().fill() : ticket(),
                    after,
                    names))
        .as("%s", kept)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem)
        .hasMessageNotContaining("ClassCastException");
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseAClassThatCannotBeStoredAnyMore(Kept kept) {
    refuse(
        kept,
        new Everything(),
        "class java.lang.Runnable was stored as RECORD, it is nothing that can be stored now",
        "dev.takt.kept.Pair",
        "java.lang.Runnable");
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseAComponentOfARecordThatIsOfAnotherType(Kept kept) {
    refuse(
        kept,
        new EverythingOf2(),
        "field dev.takt.kept.Ticket.note of type java.lang.String was stored as class"
            + " dev.takt.kept.Color",
        "\0\5colorL\0\4noteL",
        "\0\4noteL\0\5otherL");
  }
}
