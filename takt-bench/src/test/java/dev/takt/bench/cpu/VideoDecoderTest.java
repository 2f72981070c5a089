package dev.takt.bench.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.bench.rtj.BaselineProgram;
import dev.takt.bench.rtj.Samples;
import org.junit.jupiter.api.Test;

class VideoDecoderTest {
  @Test
  void shouldDecodeFramesOf48KiBToDifferentPictures() {
    VideoDecoder decoder = new VideoDecoder();
    decoder.decode(0);
    int first = decoder.checksum();
    decoder.decode(1);

    assertThat(VideoDecoder.FRAME_BYTES).isEqualTo(48 * 1_024);
    assertThat(decoder.checksum()).isNotEqualTo(first);
    decoder.decode(8);
    assertThat(decoder.checksum()).as("frames come again").isEqualTo(first);
  }

  @Test
  void shouldDoTheSameAsTheFloor() throws Exception {
    VideoDecoder decoder = new VideoDecoder();
    decoder.decode(0);
    try (BaselineProgram compiled = BaselineProgram.compile()) {
      if (compiled.problem().isPresent()) {
        assertThat(compiled.path()).isEqualTo("-");
        return;
      }
      Samples floor = BaselineProgram.playback(compiled.path(), 1_000_000, 3, 0, -1);

      assertThat(floor.facts())
          .containsEntry("checksum", Integer.toHexString(decoder.checksum()))
          .containsEntry("scheduling", "OTHER");
      assertThat(floor.series("begin")).hasSize(3);
      for (int i = 0; i < 3; i++) {
        assertThat(floor.series("end")[i]).isGreaterThan(floor.series("begin")[i]);
      }
    }
  }
}
