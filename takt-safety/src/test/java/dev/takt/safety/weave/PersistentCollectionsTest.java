package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.takt.safety.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Collections of the JDK in persistent classes: the barrier before changes, and what is refused.
 */
class PersistentCollectionsTest {
  private static final String BOOK =
      """
      package app;
      import dev.takt.persist.annotation.*;
      import java.util.*;
      @Persistent
      public class Book {
        private final ArrayList<String> lines = new ArrayList<>();
        private HashMap<String, Integer> counts = new HashMap<>();
        private TreeMap<String, Integer> sorted;
        public Book() { lines.add("first"); }
        public int size() { return lines.size(); }
        public String text() {
          StringBuilder all = new StringBuilder();
          for (String each : lines) all.append(each);
          for (Map.Entry<String, Integer> each : counts.entrySet()) all.append(each.getKey());
          return all.toString();
        }
        @PersistentUpdate public void add(String line) {
          lines.add(line);
          counts.merge(line, 1, Integer::sum);
        }
        @PersistentUpdate public void reset() { counts = new HashMap<>(Map.of("a", 1)); }
        @PersistentUpdate public void drop(String line) {
          for (Iterator<String> each = lines.iterator(); each.hasNext();)
            if (each.next().equals(line)) each.remove();
        }
        @PersistentUpdate public int look() { return lines.size(); }
        static class Helper {
          @PersistentUpdate static void clear(Book book) { List<String> all = book.lines; all.clear(); }
        }
        public void help() { Helper.clear(this); }
        @PersistentUpdate public void none() { sorted.clear(); }
      }
      """;

  private final Program program =
      Program.of(Compiled.compile(List.of(BOOK), StandIn.CLASSES), List.of(), false).verified();

  private String events() {
    StringBuilder events =
        (StringBuilder) get(program.type("dev.takt.reflex.woven.UpdateGate"), "events");
    String text = events.toString();
    events.setLength(0);
    return text.strip();
  }

  @Test
  void shouldShowACollectionBeforeItChanges() throws Exception {
    assertThat(program.findings).isEmpty();
    Object book = program.make("app.Book");
    call(book, "add", "x");
    assertThat(events()).as("no cycle").isEqualTo("enter exit");
    program.type("dev.takt.reflex.woven.PlainBarrier").getField("epoch").set(null, 5L);
    call(book, "add", "x");
    assertThat(events()).isEqualTo("enter collection collection exit");
    assertThat(call(book, "text")).isEqualTo("firstxxx");
    assertThat(call(book, "look")).isEqualTo(3);
    assertThat(events()).as("reading needs none").isEqualTo("enter exit");
    call(book, "drop", "x");
    assertThat(events()).as("an iterator that removes").isEqualTo("enter collection exit");
    call(book, "help");
    assertThat(events()).as("of the nest").isEqualTo("enter collection exit");
    call(book, "reset");
    assertThat(events()).as("another one").isEqualTo("enter save exit");
    assertThat(call(book, "text")).isEqualTo("a");
    assertThat(program.make("app.Book")).as("fresh").isNotNull();
    assertThat(events()).isEmpty();
    Object saved = get(program.type("dev.takt.reflex.woven.PlainBarrier"), "saved");
    assertThat(saved).asInstanceOf(LIST).contains(get(book, "lines"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ArrayList<Bad> x;|R11|Bad.x|make it private",
        "public final HashMap<Bad, Bad> x = null;|R11|Bad.x|make it private",
        "private ArrayList<Bad> x; List<Bad> x() { return x; }|R11|the collection app.Bad.x|returned",
        "private HashMap<Long, Bad> x; Set<Long> x() { return x.keySet(); }|R11|what leads into|returned",
        "private HashMap<Long, Bad> x; Iterator<Bad> x() { return x.values().iterator(); }|R11|Bad.x|returned",
        "private ArrayList<Bad> x; Object x() { return x.subList(0, 1).listIterator(); }|R11|Bad.x|returned",
        "private HashMap<Long, Bad> x; Object x() { return x.entrySet().iterator().next(); }|R11|Bad.x|returned",
        "private HashMap<Long, Bad> x; Object[] x() { return x.entrySet().toArray(); }|R11|Bad.x|toArray",
        "private HashMap<Long, Bad> x; Object x() { return x.entrySet().stream(); }|R11|Bad.x|stream",
        "private HashMap<Long, Bad> x; Object x() { return new ArrayList<>(x.entrySet()); }|R11|Bad.x|passed",
        "private HashMap<Long, Bad> x; Object x() { return Set.copyOf(x.entrySet()); }|R11|Bad.x|passed",
        "private ArrayList<Bad> x; void x() { x.add(this); }|R29|the collection app.Bad.x|Update",
        "private ArrayList<Bad> x; void x() { List<Bad> y = x; y.clear(); }|R29|Bad.x|Update",
        "private HashMap<Long, Bad> x; void x() { x.keySet().clear(); }|R29|Bad.x|Update",
        "private ArrayList<Bad> x; void x() { var y = x.iterator(); y.next(); y.remove(); }|R29|Bad.x|Update",
        "private HashMap<Long, Bad> x; void x() { for (var e : x.entrySet()) e.setValue(this); }|R29|Bad.x|Update",
        "private ArrayList<Bad> x; @PersistentUpdate void x() { Runnable y = () -> x.clear(); y.run(); }|R29|Bad.x|Update",
        "private ArrayList<Bad> x; @PersistentUpdate void x() { Collections.sort((List) x); }|R11|Bad.x|sort",
        "private ArrayList<Bad> x; @PersistentUpdate void x() { Collections.addAll(x, this); }|R11|Bad.x|addAll",
        "private ArrayList<Bad> x; @PersistentUpdate void x(List<Bad> y) { y.addAll(x); }|R11|Bad.x|addAll",
        "private ArrayList<Bad> x; @PersistentUpdate void x() { y(x); } void y(Object o) {}|R11|Bad.x|passed",
        "private ArrayList<Bad> x; Runnable x() { var y = x; return () -> y.clear(); }|R11|Bad.x|captured",
        "private ArrayList<Bad> x; Object x() { java.util.function.Consumer<Bad> y = x::add; return y; }|R11|Bad.x|captured",
        "private ArrayList<Bad> x; static Object y; void x() { y = x; }|R11|Bad.x|is stored in the field",
        "private ArrayList<Bad> x; Object y; void x() { y = x; }|R11|Bad.x|is stored in the field",
        "private ArrayList<Bad> x; void x(Object[] y) { y[0] = x; }|R11|Bad.x|is stored in an array",
        "private ArrayList<Bad> x; Object x() { return Objects.requireNonNull(x); }|R11|Bad.x|passed",
        "private ArrayList<Bad> x; Bad(ArrayList<Bad> y) { x = y; }|R11|Bad.x|a copy",
        "private ArrayList<Bad> x; @PersistentUpdate void x(Object y) { x = (ArrayList<Bad>) y; }|R11|Bad.x|a copy",
        "private ArrayList<Bad> x; @PersistentUpdate Object x() { var y = new ArrayList<Bad>(); x = y; return y; }|R11|the collection of a|a copy",
        "private ArrayList<Bad> x; @PersistentUpdate Object x() { var y = new ArrayList<Bad>(); var z = y.iterator(); x = y; return z; }|R11|persistent|returned",
        "private ArrayList<Bad> x; void x() { x = new ArrayList<>(); }|R29|another collection|Update",
        "private TreeMap<String, Bad> x = new TreeMap<>(Comparator.reverseOrder());|R8|comparator|natural",
        "private LinkedHashMap<Long, Bad> x = new LinkedHashMap<>(9, 1, true);|R29|access|insertion",
        "private ArrayList<Bad>[] x;|R8|Bad.x|java.util.ArrayList",
      })
  void shouldRefuseWhatCouldChangeACollectionBesideTheBarrier(
      String member, String rule, String where, String why) {
    List<Finding> findings = verify(member);
    assertThat(findings).isNotEmpty();
    assertThat(findings.getFirst().rule()).hasToString(rule);
    assertThat(findings.getFirst().message()).contains(where, why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "private ArrayList<Bad> x; int x() { return x.size() + x.indexOf(this) + x.hashCode(); }",
        "private ArrayList<Bad> x; Bad x() { return x.get(0); }",
        "private ArrayList<Bad> x; List<Bad> x() { return List.copyOf(x); }",
        "private ArrayList<Bad> x; List<Bad> x() { return Collections.unmodifiableList(x); }",
        "private ArrayList<Bad> x; List<Bad> x() { return new ArrayList<>(x); }",
        "private ArrayList<Bad> x; long x() { return x.stream().filter(each -> each != this).count(); }",
        "private ArrayList<Bad> x; String x() { return x + String.valueOf(x); }",
        "private ArrayList<Bad> x; @PersistentUpdate void x(List<Bad> y) { x.addAll(y); x.removeIf(z -> z == null); }",
        "private ArrayList<Bad> x, y; @PersistentUpdate void x() { x.addAll(y); x.subList(0, 1).clear(); }",
        "private ArrayList<Bad> x; @PersistentUpdate void x(List<Bad> y) { x = new ArrayList<>(y); x.sort(null); }",
        "private final ArrayDeque<Bad> x = new ArrayDeque<>(); @PersistentUpdate Bad x() { return x.poll(); }",
        "private HashMap<Long, Bad> x; @PersistentUpdate Bad x(long y) { return x.computeIfAbsent(y, z -> new Bad()); }",
        "private HashMap<Long, Bad> x; int x() { int n = 0; for (var e : x.entrySet()) n += e.getKey(); return n; }",
        "private HashMap<Long, Bad> x; Map<Long, Bad> x() { return Map.copyOf(x); }",
        "private HashMap<Long, Bad> x; Collection<Bad> x() { return Collections.unmodifiableCollection(x.values()); }",
        "private HashMap<Long, Bad> x; void x() { x.forEach((k, v) -> v.x()); for (Bad b : x.values()) b.x(); }",
        "private HashMap<Long, Bad> x; @PersistentUpdate void x() { for (var e : x.entrySet()) e.setValue(this); }",
        "private TreeMap<Long, Bad> x; Object x() { return x.firstEntry(); }",
        "private LinkedHashSet<Bad> x; @PersistentUpdate void x() { x = null; }",
        "private TreeSet<Long> x; @PersistentUpdate void x() { x.headSet(3L).clear(); }",
        "private ArrayList<Bad> x; Bad() { x = new ArrayList<>(); x.add(this); }",
        "transient ArrayList<Bad> x; List<Bad> x() { return x; }",
        "Object x() { var y = new HashMap<Long, Bad>(8, 1); y.put(1L, this); return y.keySet(); }",
        "static ArrayList<Bad> x; static void x() { x.clear(); }",
      })
  void shouldTakeWhatStaysInItsObject(String member) {
    assertThat(verify(member.replace("n += e.getKey()", "n += e.getKey().intValue()"))).isEmpty();
  }

  private static List<Finding> verify(String member) {
    return Program.verify(
        "package app; import dev.takt.persist.annotation.*; import java.util.*;"
            + " @Persistent class Bad { "
            + member
            + " }");
  }
}
