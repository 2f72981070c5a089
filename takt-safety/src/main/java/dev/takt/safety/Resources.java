package dev.takt.safety;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The texts and tables that stand beside the classes of this package. */
final class Resources {
  private Resources() {}

  static BufferedReader open(String name) {
    InputStream in = Objects.requireNonNull(Resources.class.getResourceAsStream(name), name);
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }
}
