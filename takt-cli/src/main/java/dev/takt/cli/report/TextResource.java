package dev.takt.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Texts that stand beside the classes that use them. */
public final class TextResource {
  private TextResource() {}

  /** Returns a text. */
  public static String of(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            "Takt was built without its resource " + name + "; build it with Maven");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the paragraphs of a text, which blank lines divide. */
  public static List<String> paragraphs(Class<?> beside, String name) {
    return Arrays.asList(of(beside, name).strip().split("\n\n"));
  }
}
