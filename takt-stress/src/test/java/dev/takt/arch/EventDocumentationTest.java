package dev.takt.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.space.Event;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what an event can hold, in docs/start.md, against what an event does. */
class EventDocumentationTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (.*`.*) \\| (.*`get.*) \\|$");
  private static final Pattern NAME = Pattern.compile("`(\\w+(?:\\[\\])?)`");

  private static final Map<String, Object> SAMPLES = new HashMap<>();

  static {
    SAMPLES.put("byte", (byte) 1);
    SAMPLES.put("short", (short) 2);
    SAMPLES.put("int", 3);
    SAMPLES.put("long", 4L);
    SAMPLES.put("float", 5f);
    SAMPLES.put("double", 6d);
    SAMPLES.put("boolean", true);
    SAMPLES.put("String", "text");
    SAMPLES.put("byte[]", new byte[] {1});
    SAMPLES.put("short[]", new short[] {2});
    SAMPLES.put("int[]", new int[] {3});
    SAMPLES.put("long[]", new long[] {4});
    SAMPLES.put("float[]", new float[] {5});
    SAMPLES.put("double[]", new double[] {6});
    SAMPLES.put("char[]", new char[] {'c'});
    SAMPLES.put("boolean[]", new boolean[] {true});
    SAMPLES.put("String[]", new String[] {"text"});
    SAMPLES.put("char", 'c');
    SAMPLES.put("BigDecimal", BigDecimal.TEN);
    SAMPLES.put("BigInteger", BigInteger.TWO);
    SAMPLES.put("UUID", new UUID(1, 2));
    SAMPLES.put("Instant", Instant.EPOCH);
    SAMPLES.put("Duration", Duration.ZERO);
    SAMPLES.put("LocalDate", LocalDate.EPOCH);
    SAMPLES.put("LocalTime", LocalTime.NOON);
    SAMPLES.put("LocalDateTime", LocalDateTime.MIN);
  }

  @Test
  void shouldNameEveryTypeThatAnEventHoldsAndHowItIsRead() throws Exception {
    Matcher row = ROW.matcher(Project.read(Project.ROOT.resolve("docs/start.md")));
    Set<String> types = new TreeSet<>();
    Set<String> readers = new TreeSet<>();
    while (row.find()) {
      List<String> ofRow = names(row.group(1));
      types.addAll(ofRow);
      readers.addAll(names(row.group(2)));
      for (String type : ofRow) {
        read(type, names(row.group(2)));
      }
    }

    assertThat(types).as("types in the table").isEqualTo(new TreeSet<>(SAMPLES.keySet()));
    assertThat(readers).as("what reads a value, in the table").isEqualTo(readersOfEvent());
    assertThat(new Event("unit", TimeUnit.DAYS).get("unit")).isEqualTo(TimeUnit.DAYS);
  }

  /** Each method of the row takes a value of the type. */
  private static void read(String type, List<String> readers) throws Exception {
    Object sample = SAMPLES.get(type);
    assertThat(sample).as("a value of the type %s", type).isNotNull();
    Event event = new Event("key", sample);
    for (String reader : readers) {
      Object value =
          reader.equals("copyInto")
              ? Event.class
                  .getMethod(reader, String.class, sample.getClass())
                  .invoke(event, "key", sample)
              : Event.class.getMethod(reader, String.class).invoke(event, "key");
      assertThat(value).as("%s of a %s", reader, type).isNotNull();
    }
  }

  private static Set<String> readersOfEvent() {
    return Arrays.stream(Event.class.getMethods())
        .filter(each -> !Modifier.isStatic(each.getModifiers()))
        .filter(each -> each.getParameterCount() > 0)
        .filter(each -> each.getParameterTypes()[0] == String.class)
        .map(Method::getName)
        .filter(name -> !Set.of("add", "has").contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> names(String cell) {
    return NAME.matcher(cell).results().map(each -> each.group(1)).toList();
  }
}
