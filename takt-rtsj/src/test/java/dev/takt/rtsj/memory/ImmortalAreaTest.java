package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.testsupport.OtherJvm;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of the JVM's own immortal area. */
class ImmortalAreaTest {
  /** Asks for the area twice, and prints what came of it; in a JVM of its own. */
  public static final class Asker {
    private Asker() {}

    public static void main(String[] arguments) {
      for (int i = 0; i < 2; i++) {
        try {
          System.out.println(ImmortalArea.instance().sizeBytes());
        } catch (Throwable e) {
          System.out.println(e);
        }
      }
    }
  }

  private static String ask(String size) throws IOException, InterruptedException {
    return OtherJvm.run(Asker.class, "-D" + ImmortalArea.SIZE_PROPERTY + "=" + size);
  }

  @Test
  void shouldBeAsLargeAsThePropertySays() throws Exception {
    assertThat(ask("131072").lines()).endsWith("131072", "131072");
  }

  @Test
  void shouldSayEachTimeWhatIsWrongWithTheProperty() throws Exception {
    String expected =
        "java.lang.IllegalArgumentException: system property takt.immortalBytes=64m"
            + " (expected: a number of bytes, 1 to 2147479552, without a unit)";
    assertThat(ask("64m").lines()).endsWith(expected, expected);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "4096,4096", "0x1000,4096", "' 64 ',64", "2147479552,2147479552"})
  void shouldTakeNumbersOfBytes(String property, long expected) {
    assertThat(ImmortalArea.sizeOf(property)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "64m", "2147479553", "99999999999999999999"})
  void shouldRefuseWhatIsNoSize(String property) {
    assertThatThrownBy(() -> ImmortalArea.sizeOf(property))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takt.immortalBytes=" + property + " (expected: a number of bytes");
  }

  @Test
  void shouldHaveADefaultSize() {
    assertThat(ImmortalArea.sizeOf(null)).isEqualTo(ImmortalArea.DEFAULT_SIZE_BYTES);
  }
}
