package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Branch;
import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.format.BlockWriter;
import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.format.SnapshotIndex;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.recover.GraphReader;
import dev.takt.persist.store.Storage;
import dev.takt.reflex.StableRoot;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.testkit.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** All fields of an object, which generated code puts and takes at once. */
class FieldsTest {
  private static final List<FieldEntry> LEAF =
      List.of(
          new FieldEntry(0, "balance", 'J'),
          new FieldEntry(0, "next", 'L'),
          new FieldEntry(0, "open", 'Z'),
          new FieldEntry(0, "grade", 'B'),
          new FieldEntry(0, "back", 'L'),
          new FieldEntry(0, "branch", 'S'),
          new FieldEntry(0, "letter", 'C'),
          new FieldEntry(0, "count", 'I'),
          new FieldEntry(0, "rate", 'F'),
          new FieldEntry(0, "any", 'L'),
          new FieldEntry(0, "limit", 'D'));

  private final MemoryStorage storage = new MemoryStorage();

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackValuesOfAllWidths(Scheme scheme) throws IOException {
    Random random = new Random(Seeds.seed());
    for (int blockBytes : new int[] {Format.MIN_BLOCK_BYTES, 65_536}) {
      Persistence persistence =
          Persistence.open(
              storage, PersistSettings.DEFAULTS.withScheme(scheme).withBlockBytes(blockBytes));
      Branch branch = new Branch();
      branch.fill(random, Seeds.size(5_000, 200_000));
      TaskMemory memory = new TaskMemory("branch", 0, 0);
      persistence.begin(List.of(new StableRoot("branch", branch, memory.sinks))).run();
      Branch recovered = new Branch();
      try (Recovery recovery = persistence.recover()) {
        assertThat(recovery.recover("branch", recovered)).isTrue();
      }
      assertThat(recovered.values()).isEqualTo(branch.values());
    }
  }

  /** A leaf with one value that is set by hand; the others are zero or null. */
  private static void leaf(RecordOutput out, String field, Consumer<RecordOutput> value) {
    out.classEntry(
        new ClassEntry(
            Kind.STABLE, "dev.takt.kept.Branch", List.of(new FieldEntry(0, "first", 'L'))));
    out.varint(1);
    out.varint(Format.NEXT);
    out.classEntry(new ClassEntry(Kind.STABLE, "dev.takt.kept.Leaf", LEAF));
    out.varint(2);
    for (FieldEntry each : LEAF) {
      if (each.name().equals(field)) {
        value.accept(out);
      } else if (each.isPrimitive()) {
        out.primitive(each.type(), 0);
      } else {
        out.varint(Format.NULL);
      }
    }
    // So that the record is not the last in its block, where values are taken one by one.
    ClassEntry more = new ClassEntry(Kind.STRING, "java.lang.String", List.of());
    for (int i = 0; i < 10; i++) {
      out.classEntry(more);
    }
  }

  private Branch read(String field, Consumer<RecordOutput> value) throws IOException {
    BlockBuffers buffers = new BlockBuffers(Format.MIN_BLOCK_BYTES);
    RecordOutput out = new RecordOutput(buffers);
    BlockWriter writer = new BlockWriter(buffers, storage.create("file"), 1);
    out.begin(Format.ROOT_BLOCK);
    out.utf8("branch");
    leaf(out, field, value);
    out.end();
    writer.write();
    out.begin(Format.END_BLOCK);
    out.eightBytes(1);
    out.eightBytes(1);
    out.end();
    writer.write();
    Branch root = new Branch();
    try (Storage.Input in = storage.open("file")) {
      SnapshotIndex index = SnapshotIndex.of(in, 1);
      GraphReader.read(
          SnapshotIndex.read(in, index.sections().getFirst()),
          root,
          DeclaredClasses.of(Branch.class, List.of()));
    }
    return root;
  }

  @ParameterizedTest
  @CsvSource({
    "open, 2, value of type Z=2",
    "branch, 32768, value of type S=32768",
    "letter, 65536, value of type C=65536",
    "count, 2147483648, value of type I=2147483648",
    "count, -36028797018963968, value of type I=-36028797018963968",
    "next, 4, reference=4",
    "any, 2147483648, reference=2147483648"
  })
  void shouldRefuseAValueThatIsNoneOfItsType(String field, long value, String what) {
    assertThatThrownBy(
            () ->
                read(
                    field,
                    out -> {
                      switch (field) {
                        case "open" -> out.oneByte((int) value);
                        case "branch", "count" -> out.zigzag(value);
                        default -> out.varlong(value);
                      }
                    }))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining(what);
  }

  @Test
  void shouldTakeALongThatHasMoreBytesThanItNeeds() throws IOException {
    Branch root =
        read(
            "balance",
            out -> {
              for (int i = 0; i < 8; i++) {
                out.oneByte(0x80);
              }
              out.oneByte(1);
            });
    assertThat(root.values()).hasSize(1);
    assertThat(root.values().getFirst()).startsWith((1L << 55) + " false");
  }
}
