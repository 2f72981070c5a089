package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Branch;
import dev.takt.kept.Chain;
import dev.takt.kept.Color;
import dev.takt.kept.Leaf;
import dev.takt.kept.Node;
import dev.takt.kept.Pair;
import dev.takt.kept.Renamed;
import dev.takt.persist.format.BlockBuffers;
import dev.takt.persist.format.BlockWriter;
import dev.takt.persist.format.ClassEntry;
import dev.takt.persist.format.ClassEntry.FieldEntry;
import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.format.Format;
import dev.takt.persist.format.Kind;
import dev.takt.persist.format.RecordOutput;
import dev.takt.persist.format.SnapshotIndex;
import dev.takt.persist.graph.ClassShapes;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.recover.GraphReader;
import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of programs whose classes were others, and files that nobody has written. */
class GraphReaderTest {
  private static final String CHAIN = "dev.takt.kept.Chain";
  private static final String NODE = "dev.takt.kept.Node";
  private static final ClassEntry ROOT = stable(CHAIN, new FieldEntry(0, "first", 'L'));

  /** More than two pages of the table of objects have. */
  private static final int LEAVES = 3_000;

  private final MemoryStorage storage = new MemoryStorage();

  private static ClassEntry stable(String name, FieldEntry... fields) {
    return new ClassEntry(Kind.STABLE, name, List.of(fields));
  }

  /** Reads what some records make of a chain. */
  private Chain read(Consumer<RecordOutput> records) throws IOException {
    return read(new Chain(1), records);
  }

  private <T> T read(T root, Consumer<RecordOutput> records) throws IOException {
    BlockBuffers buffers = new BlockBuffers(1 << 20);
    RecordOutput out = new RecordOutput(buffers);
    Storage.Output file = storage.create("file");
    BlockWriter writer = new BlockWriter(buffers, file, 1);
    out.begin(Format.ROOT_BLOCK);
    out.utf8("chain");
    records.accept(out);
    out.end();
    writer.write();
    out.begin(Format.END_BLOCK);
    out.eightBytes(1);
    out.eightBytes(1);
    out.end();
    writer.write();
    try (Storage.Input in = storage.open("file")) {
      SnapshotIndex index = SnapshotIndex.of(in, 1);
      GraphReader.read(
          SnapshotIndex.read(in, index.sections().getFirst()),
          root,
          DeclaredClasses.of(root.getClass(), List.of(Node.class, Pair.class, Color.class)));
    }
    return root;
  }

  @Test
  void shouldSkipFieldsThatAreGoneAndKeepThoseThatAreNew() throws IOException {
    Chain chain =
        read(
            out -> {
              out.classEntry(
                  stable(
                      CHAIN,
                      new FieldEntry(0, "oldNumber", 'J'),
                      new FieldEntry(0, "first", 'L'),
                      new FieldEntry(0, "oldObject", 'L')));
              out.varint(1);
              out.zigzag(-3);
              out.varint(Format.NEXT);
              out.varint(Format.NEXT);
              out.classEntry(stable(NODE, new FieldEntry(0, "count", 'I')));
              out.varint(2);
              out.zigzag(77);
              out.classEntry(stable("old.Gone", new FieldEntry(0, "x", 'D')));
              out.varint(3);
              out.eightBytes(5);
            });
    assertThat(chain.first().count()).isEqualTo(77);
    assertThat(chain.first().left()).isNull();
  }

  /** What is an object of a class that is gone, or a constant that is, or leads to one. */
  private static Stream<Arguments> gone() {
    Consumer<RecordOutput> object =
        out -> {
          out.classEntry(stable("old.Gone", new FieldEntry(0, "x", 'D')));
          out.varint(3);
          out.eightBytes(5);
        };
    ClassEntry pair =
        new ClassEntry(Kind.RECORD, Pair.class.getName(), List.of(new FieldEntry(0, "next", 'L')));
    ClassEntry node = stable(NODE, new FieldEntry(0, "left", 'L'));
    return Stream.of(
        Arguments.of("an array", with(array("[Ljava.lang.Object;"), true, object), "old.Gone"),
        Arguments.of("a list", with(collection("java.util.List"), true, object), "old.Gone"),
        Arguments.of("an optional", with(collection("java.util.Optional"), true, object), "Gone"),
        Arguments.of("a record", with(pair, false, object), "old.Gone"),
        Arguments.of("an object", with(node, false, object), "class dev.takt.kept.Node was"),
        Arguments.of("a constant", constant(2), "has no constant BLUE"),
        Arguments.of(
            "a list of a constant",
            with(collection("java.util.List"), true, constant(3)),
            "has no constant BLUE"));
  }

  private static ClassEntry array(String name) {
    return new ClassEntry(Kind.ARRAY, name, List.of());
  }

  private static ClassEntry collection(String name) {
    return new ClassEntry(Kind.COLLECTION, name, List.of());
  }

  private static Consumer<RecordOutput> constant(int tag) {
    return out -> {
      out.classEntry(new ClassEntry(Kind.ENUM, Color.class.getName(), List.of()));
      out.varint(tag);
      out.utf8("BLUE");
    };
  }

  /** One of the second class, which refers to a new object; then that. */
  private static Consumer<RecordOutput> with(
      ClassEntry type, boolean hasElements, Consumer<RecordOutput> next) {
    return out -> {
      out.classEntry(type);
      out.varint(2);
      if (hasElements) {
        out.varint(1);
        out.varint(1);
      }
      out.varint(Format.NEXT);
      next.accept(out);
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("gone")
  void shouldSkipWhatOnlyFieldsLedToThatAreGone(
      String what, Consumer<RecordOutput> records, String problem) throws IOException {
    Chain chain =
        read(
            out -> {
              out.classEntry(stable(CHAIN, new FieldEntry(0, "oldObject", 'L')));
              out.varint(1);
              out.varint(Format.NEXT);
              records.accept(out);
            });
    assertThat(chain.first()).as("what the constructor made").isNotNull();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("gone")
  void shouldRefuseWhatIsGoneWhereAFieldThatIsThereLeadsToIt(
      String what, Consumer<RecordOutput> records, String problem) {
    Object[] root = new Object[2];
    assertThatThrownBy(
            () ->
                read(
                    root,
                    out -> {
                      out.classEntry(array("[Ljava.lang.Object;"));
                      out.varint(1);
                      out.varint(2);
                      out.varint(2);
                      out.varint(Format.NULL);
                      out.varint(Format.NEXT);
                      records.accept(out);
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void shouldFindClassesFieldsAndConstantsByTheirFormerNamesAndWidenNumbers() throws IOException {
    Renamed renamed =
        read(
            new Renamed(),
            out -> {
              out.classEntry(
                  stable(
                      "old.Task",
                      new FieldEntry(0, "counter", 'I'),
                      new FieldEntry(0, "ratio", 'F'),
                      new FieldEntry(0, "last", 'L'),
                      new FieldEntry(0, "all", 'L'),
                      new FieldEntry(0, "side", 'L')));
              out.varint(1);
              out.zigzag(-5);
              out.primitive('F', Float.floatToRawIntBits(0.5f));
              out.varint(Format.NEXT);
              out.varint(Format.NEXT);
              out.varint(Format.NEXT);
              out.classEntry(
                  new ClassEntry(
                      Kind.RECORD,
                      "old.Order",
                      List.of(new FieldEntry(0, "cost", 'S'), new FieldEntry(0, "quantity", 'C'))));
              out.varint(2);
              out.zigzag(-300);
              out.varint(65_535);
              out.classEntry(new ClassEntry(Kind.ARRAY, "[Lold.Order;", List.of()));
              out.varint(3);
              out.varint(1);
              out.varint(1);
              out.varint(Format.LAST + 2);
              out.classEntry(new ClassEntry(Kind.ENUM, Renamed.Side.class.getName(), List.of()));
              out.varint(4);
              out.utf8("OFFER");
            });
    assertThat(renamed.state())
        .isEqualTo("-5 0.5 Purchase[price=-300, quantity=65535.0, note=null] 1 true SELL 7");
  }

  @Test
  void shouldKeepAllDigitsOfAnIntInADouble() throws IOException {
    Renamed renamed =
        read(
            new Renamed(),
            out -> {
              out.classEntry(
                  stable(
                      "old.Task", new FieldEntry(0, "ratio", 'I'), new FieldEntry(0, "all", 'L')));
              out.varint(1);
              out.zigzag((1 << 24) + 1);
              out.varint(Format.NEXT);
              out.classEntry(new ClassEntry(Kind.ARRAY, "[Lold.Order;", List.of()));
              out.varint(2);
              out.varint(1);
              out.varint(1);
              out.varint(Format.NULL);
            });
    assertThat(renamed.state()).isEqualTo("0 1.6777217E7 null 1 true null 7");
  }

  @ParameterizedTest
  @CsvSource({"java.util.Set, cannot be in a set", "java.util.List, circle"})
  void shouldRefuseACollectionThatNoProgramMakes(String type, String why) {
    assertThatThrownBy(() -> read(out -> collection(out, type)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  /** A collection of the root, and itself or null. */
  private static void collection(RecordOutput out, String type) {
    begin(out, Kind.COLLECTION, type);
    out.varint(2);
    out.varint(2);
    out.varint(Format.LAST + 1);
    out.varint(type.endsWith("List") ? Format.LAST : Format.NULL);
  }

  @ParameterizedTest
  @CsvSource({
    "java.util.TreeSet, 0, null cannot be in a sorted set",
    "java.util.HashSet, 3 3, a key twice",
    "java.util.HashMap, 3, one without a value",
    "java.util.ArrayDeque, 0, cannot have these elements",
    "java.util.ArrayList, 3, was stored as class java.util.ArrayList",
    "java.util.Vector, 3, class java.util.Vector was stored in"
  })
  void shouldRefuseACollectionThatChangesAndNoProgramMakes(
      String type, String references, String why) {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      begin(out, Kind.MUTABLE, type);
                      String[] codes = references.split(" ");
                      out.varint(codes.length);
                      out.varint(codes.length);
                      for (String each : codes) {
                        out.varint(Integer.parseInt(each));
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  /** Begins a collection to which the root leads. */
  private static void begin(RecordOutput out, Kind kind, String type) {
    out.classEntry(ROOT);
    out.varint(1);
    out.varint(Format.NEXT);
    out.classEntry(new ClassEntry(kind, type, List.of()));
    out.varint(2);
  }

  @Test
  void shouldRefuseACollectionThatIsLongerThanTheFile() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      begin(out, Kind.MUTABLE, "java.util.HashMap");
                      out.varint(1_000_000_000);
                    }))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("elements of a collection=1000000000, limit=");
  }

  @ParameterizedTest
  @CsvSource({"MUTABLE, java.util.HashSet", "COLLECTION, java.util.Set"})
  @Timeout(20)
  void shouldRefuseKeysThatWereChosenToHaveOneHash(Kind kind, String type) {
    int count = 1 << 15;
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(new ClassEntry(kind, type, List.of()));
                      out.varint(2);
                      out.varint(count);
                      for (int i = 0; i < count; i++) {
                        if (i % Format.CHUNK_REFERENCES == 0) {
                          out.varint(Format.CHUNK_REFERENCES);
                        }
                        out.varint(Format.NEXT);
                      }
                      out.classEntry(new ClassEntry(Kind.VALUE, "java.time.Period", List.of()));
                      for (int i = 0; i < count; i++) {
                        out.varint(3);
                        out.utf8(Period.of(256 * (count - i), i, 0).toString());
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too many keys of one hash");
  }

  @Test
  void shouldRefuseANumberThatCouldLoseDigits() {
    assertThatThrownBy(
            () ->
                read(
                    new Renamed(),
                    out -> out.classEntry(stable("old.Task", new FieldEntry(0, "counter", 'F')))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("old.Task.counter was stored as float, it is of type long");
  }

  @Test
  void shouldRefuseTwoFieldsThatHaveBecomeOne() {
    assertThatThrownBy(
            () ->
                read(
                    new Renamed(),
                    out ->
                        out.classEntry(
                            stable(
                                "old.Task",
                                new FieldEntry(0, "counter", 'I'),
                                new FieldEntry(0, "count", 'J')))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("are field count now");
  }

  @Test
  void shouldRefuseAFieldWhoseTypeHasChanged() {
    assertThatThrownBy(
            () -> read(out -> out.classEntry(stable(CHAIN, new FieldEntry(0, "first", 'J')))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Chain.first was stored as long, it is of type");
  }

  @Test
  void shouldMakeNothingThatIsNotDeclared() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(stable("dev.takt.kept.Ledger"));
                      out.varint(2);
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dev.takt.kept.Ledger")
        .hasMessageContaining("declare");
  }

  @Test
  void shouldRefuseAnObjectOfAnotherTypeThanTheFieldHas() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(new ClassEntry(Kind.STRING, "java.lang.String", List.of()));
                      out.varint(2);
                      out.varint(0);
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of type dev.takt.kept.Node was stored as class java.lang.String");
  }

  /** A leaf all of whose fields are zero, but that it leads to the next object. */
  private static void leaf(RecordOutput out, ClassEntry leaf, int classNumber) {
    out.varint(classNumber);
    for (FieldEntry field : leaf.fields()) {
      if (field.isPrimitive()) {
        out.primitive(field.type(), 0);
      } else {
        out.varint(field.name().equals("next") ? Format.NEXT : Format.NULL);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "dev.takt.kept.Branch, of type dev.takt.kept.Leaf",
    "dev.takt.kept.Ledger, is declared",
    "old.Gone, is declared"
  })
  void shouldRefuseAnObjectOfAnotherClassThanAFinalOneThatLedToIt(String other, String why) {
    ClassEntry leaf = ClassShapes.of(Leaf.class).entry();
    assertThatThrownBy(
            () ->
                read(
                    new Branch(),
                    out -> {
                      out.classEntry(
                          stable(Branch.class.getName(), new FieldEntry(0, "first", 'L')));
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(leaf);
                      leaf(out, leaf, 2);
                      leaf(out, leaf, 2);
                      out.classEntry(stable(other, new FieldEntry(0, "first", 'L')));
                      out.varint(3);
                      out.varint(Format.NEXT);
                      for (int i = 0; i < 20; i++) {
                        leaf(out, leaf, 2);
                      }
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an object of class " + other + " was stored in ")
        .hasMessageContaining("dev.takt.kept.Leaf.next")
        .hasMessageContaining(why);
  }

  @Test
  void shouldRefuseAConstantThatIsGone() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(new ClassEntry(Kind.ENUM, Color.class.getName(), List.of()));
                      out.varint(2);
                      out.utf8("BLUE");
                    }))
        .hasMessageContaining("has no constant BLUE");
  }

  @Test
  void shouldRefuseRecordsInACircle() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(
                          new ClassEntry(
                              Kind.RECORD,
                              Pair.class.getName(),
                              List.of(new FieldEntry(0, "next", 'L'))));
                      out.varint(2);
                      out.varint(Format.LAST);
                    }))
        .hasMessageContaining("circle");
  }

  @Test
  void shouldRefuseAnArrayThatIsLongerThanTheFile() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.NEXT);
                      out.classEntry(new ClassEntry(Kind.ARRAY, "[J", List.of()));
                      out.varint(2);
                      out.varint(1_000_000_000);
                    }))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("length of an array=1000000000, limit=");
  }

  @Test
  void shouldReadManyObjectsOfOneClassOneAfterTheOther() throws IOException {
    Branch root = read(new Branch(), out -> putLeaves(out, -1));

    List<Leaf> leaves = new ArrayList<>(List.of(root.first()));
    for (int i = 0; i < LEAVES; i++) {
      Leaf leaf = leaves.get(i);
      assertThat(leaf.values()).isEqualTo("0 false 0 0 0 " + i + " 0 0 null");
      Stream.of(leaf.next(), leaf.back()).filter(Objects::nonNull).forEach(leaves::add);
    }
    assertThat(leaves).hasSize(LEAVES).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 700, 1_023, 1_024, LEAVES - 1})
  void shouldRefuseReferencesToObjectsThatAreNotThereAmongManyObjects(int wrong) {
    assertThatThrownBy(() -> read(new Branch(), out -> putLeaves(out, wrong)))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("reference=100000, limit=");
  }

  /** Puts a heap of leaves, of which one refers back to what is not there; -1: none does. */
  private static void putLeaves(RecordOutput out, int wrong) {
    ClassEntry leaf = ClassShapes.of(Leaf.class).entry();
    out.classEntry(stable(Branch.class.getName(), new FieldEntry(0, "first", 'L')));
    out.varint(1);
    out.varint(Format.NEXT);
    out.classEntry(leaf);
    for (int i = 0; i < LEAVES; i++) {
      out.varint(2);
      for (FieldEntry field : leaf.fields()) {
        if (field.isPrimitive()) {
          out.primitive(field.type(), field.name().equals("count") ? i : 0);
        } else if (field.name().equals("next")) {
          out.varint(2 * i + 1 < LEAVES ? Format.NEXT : Format.NULL);
        } else if (field.name().equals("back")) {
          int back = 2 * i + 2 < LEAVES ? Format.NEXT : Format.NULL;
          out.varint(i == wrong ? 100_000 : back);
        } else {
          out.varint(Format.NULL);
        }
      }
    }
  }

  @Test
  void shouldRefuseReferencesToObjectsThatAreNotThere() {
    assertThatThrownBy(
            () ->
                read(
                    out -> {
                      out.classEntry(ROOT);
                      out.varint(1);
                      out.varint(Format.LAST + 5);
                    }))
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContaining("reference=7, limit=2");
    assertThat(storage.names()).hasSize(1);
  }
}
