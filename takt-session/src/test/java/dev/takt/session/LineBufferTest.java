package dev.takt.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineBufferTest {
  private static final int MAX_LINE_BYTES = 100_000;

  private final List<Integer> sizes = new ArrayList<>();
  private final LineBuffer lines = new LineBuffer();

  LineBufferTest() {
    lines.askForRoom(sizes::add);
  }

  @Test
  void shouldKeepNoArrayOfItsOwnWhereOneIsHandedOver() throws Exception {
    assertThat(readsLine(2_000)).hasSize(2_000);
    assertThat(sizes).containsExactly(1_024, 2_048);
    assertThat(lines.takesArrays()).isTrue();
    assertThat(sizes.getLast()).as("what is kept").isZero();
    lines.put("short\n".getBytes(StandardCharsets.UTF_8));
    assertThat(lines.hasLine()).isTrue();
    assertThat(lines.takeLine()).isEqualTo("short");
    assertThat(lines.takesArrays()).isTrue();
  }

  @Test
  void shouldBeginWithRoomForALineAsLongAsTheOneBefore() throws Exception {
    readsLine(2_000);
    assertThat(lines.takesArrays()).isTrue();
    sizes.clear();
    assertThat(readsLine(2_000)).hasSize(2_000);
    assertThat(sizes).containsExactly(2_001);
  }

  @Test
  void shouldTakeNoArrayWhileItHoldsAPartOfALine() throws Exception {
    lines.put("whole\npart".getBytes(StandardCharsets.UTF_8));
    assertThat(lines.hasLine()).isTrue();
    assertThat(lines.takeLine()).isEqualTo("whole");
    assertThat(lines.takesArrays()).isFalse();
    lines.readFrom(new ByteArrayInputStream(new byte[] {'s', '\n'}), MAX_LINE_BYTES);
    assertThat(lines.hasLine()).isTrue();
    assertThat(lines.takeLine()).isEqualTo("parts");
  }

  /** Reads a line of so many bytes, as it comes without a poller. */
  private String readsLine(int bytes) throws IOException {
    ByteArrayInputStream in =
        new ByteArrayInputStream(("x".repeat(bytes) + "\n").getBytes(StandardCharsets.UTF_8));
    while (!lines.hasLine()) {
      lines.readFrom(in, MAX_LINE_BYTES);
    }
    return lines.takeLine();
  }
}
