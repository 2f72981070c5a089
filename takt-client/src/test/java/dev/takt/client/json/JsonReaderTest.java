package dev.takt.client.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is JSON is read, and nothing else. */
class JsonReaderTest {
  private static Object read(String text) throws JsonException {
    return new JsonReader(text, 0, JsonLimits.DEFAULTS).only();
  }

  @Test
  void shouldReadEachKindOfValue() throws JsonException {
    assertThat(read(" { \"a\" : [ 1 , -0.5e+3, null ] , \"b\":{}, \"c\":[],\"\":true}\r\n"))
        .isEqualTo(
            Map.of(
                "a", Arrays.asList(new JsonNumber("1"), new JsonNumber("-0.5e+3"), null),
                "b", Map.of(),
                "c", List.of(),
                "", true));
    assertThat(read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u20aC\\ud83d\\ude00\ud83d\ude00 é\""))
        .isEqualTo("\"\\/\b\f\n\r\t€\ud83d\ude00\ud83d\ude00 é");
    assertThat(read("0")).isEqualTo(new JsonNumber("0"));
    assertThat(read("-0")).isEqualTo(new JsonNumber("-0"));
    assertThat(read("false")).isEqualTo(false);
  }

  @Test
  void shouldRefuseWhatIsNoJson() {
    for (String text :
        List.of(
            "",
            " ",
            "-",
            "+1",
            "01",
            "-01",
            "1.",
            ".5",
            "1e",
            "1e+",
            "0x1",
            "NaN",
            "tru",
            "truex",
            "nul",
            "'a'",
            "\"",
            "\"a",
            "\"\\",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\\u-123\"",
            "\"\n\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\ud800x\"",
            "\"\ud800\"",
            "\"\udc00\"",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":1,\"a\":1}",
            "{\"a\":1,\"\\u0061\":1}",
            "[",
            "[1",
            "[1,]",
            "[1 2]",
            "[,1]",
            "1 2",
            "{} x",
            "\ufeff1")) {
      assertThatThrownBy(() -> read(text))
          .as(text)
          .isInstanceOf(JsonException.class)
          .hasMessageContainingAll(" at character ", ", expected: ");
    }
  }

  @Test
  void shouldRefuseANumberThatWouldBeInfinite() throws JsonException {
    for (String text : List.of("1e999", "-1e999", "1.8e308", "1e400")) {
      assertThatThrownBy(() -> read(text))
          .as(text)
          .isInstanceOf(JsonException.class)
          .hasMessageContainingAll("number at character 0", text, "{\"$number\":\"Infinity\"}");
    }
    for (String text : List.of("1.7e308", "-1e308", "1e-999", "9".repeat(40))) {
      assertThat(read(text)).isEqualTo(new JsonNumber(text));
    }
  }

  @Test
  void shouldShowHowANameIsWritten() {
    assertThatThrownBy(() -> read("{type:order}"))
        .hasMessageContaining("in quotation marks, as in {\"type\":\"order\"}");
  }

  @Test
  void shouldRefuseWhatIsNestedTooDeep() throws JsonException {
    assertThat(read("[".repeat(16) + "]".repeat(16))).isInstanceOf(List.class);
    for (String text : List.of("[".repeat(17), "[".repeat(1 << 20), "{\"a\":".repeat(1 << 18))) {
      assertThatThrownBy(() -> read(text))
          .isInstanceOf(JsonException.class)
          .hasMessageContainingAll("at most 16, JsonLimits.maxDepth");
    }
  }

  @Test
  void shouldLeaveWhatIsBehindAValue() throws JsonException {
    JsonReader reader = new JsonReader("take {\"a\":1} 5ms", 5, JsonLimits.DEFAULTS);
    reader.value();
    assertThat(reader.at()).isEqualTo(12);
  }
}
