package dev.takt.safety.classes;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The classes of the running JDK, read from its image. */
final class JdkClasses implements AutoCloseable {
  private final Map<String, ModuleReference> modulesByPackage = new HashMap<>();
  private final Map<ModuleReference, ModuleReader> readers = new HashMap<>();

  JdkClasses() {
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      for (String name : module.descriptor().packages()) {
        modulesByPackage.put(name.replace('.', '/'), module);
      }
    }
  }

  /**
   * Returns whether only the JDK can define a class of this name: the JVM looks for classes in the
   * packages of a module nowhere else.
   */
  boolean owns(String internalName) {
    ModuleReference module = module(internalName);
    if (module == null) {
      return false;
    }
    String name = module.descriptor().name(); // an image can have modules of others, too
    return name.startsWith("java.") || name.startsWith("jdk.");
  }

  private @Nullable ModuleReference module(String internalName) {
    int slash = internalName.lastIndexOf('/');
    return slash < 0 ? null : modulesByPackage.get(internalName.substring(0, slash));
  }

  /** Returns the bytes of a class, or null if the JDK has none of that name. */
  byte @Nullable [] read(String internalName) throws IOException {
    ModuleReference module = module(internalName);
    if (module == null) {
      return null;
    }
    ModuleReader reader = readers.get(module);
    if (reader == null) {
      reader = module.open();
      readers.put(module, reader);
    }
    ByteBuffer buffer = reader.read(internalName + ".class").orElse(null);
    if (buffer == null) {
      return null;
    }
    try {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } finally {
      reader.release(buffer);
    }
  }

  @Override
  public void close() throws IOException {
    for (ModuleReader reader : readers.values()) {
      reader.close();
    }
  }
}
