package dev.takt.cli;

import java.util.List;

/** Shows of this program what belongs to takt's API; its libraries are not the user's. */
final class TaktOnly extends ClassLoader {
  private static final List<String> API =
      List.of(
          "dev.takt.space.",
          "dev.takt.realtime.",
          "dev.takt.rtsj.",
          "dev.takt.cpu.",
          "dev.takt.reflex.",
          "dev.takt.safety.");

  static {
    registerAsParallelCapable();
  }

  TaktOnly() {
    super("takt-api", ClassLoader.getPlatformClassLoader());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (API.stream().anyMatch(name::startsWith)) {
      return TaktOnly.class.getClassLoader().loadClass(name);
    }
    throw new ClassNotFoundException(name);
  }
}
