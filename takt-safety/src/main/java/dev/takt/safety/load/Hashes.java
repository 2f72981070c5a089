package dev.takt.safety.load;

import dev.takt.safety.weave.Seals;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.HexFormat;

/** One hash over all that the result of a weaving depends on. */
final class Hashes {
  private final MessageDigest digest = Seals.sha256();

  /** Returns the hash of all that was added, as hexadecimal digits. */
  String result() {
    return HexFormat.of().formatHex(digest.digest());
  }

  void add(String text) {
    add(text.getBytes(StandardCharsets.UTF_8));
  }

  void add(String name, byte[] bytes) {
    add(name);
    add(bytes);
  }

  /** Adds a folder by the content of its classes, a jar by its name, size and time. */
  void addLibrary(Path library) throws IOException {
    add(library.toString());
    if (Files.isDirectory(library)) {
      ClassFiles.read(library).forEach(this::add);
    } else if (Files.exists(library)) {
      add(Files.size(library) + " " + Files.getLastModifiedTime(library).toMillis());
    }
  }

  /** Adds the jar or folder that a class comes from. */
  void addCode(Class<?> type) throws IOException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source != null && source.getLocation() != null) {
      try {
        addLibrary(Path.of(source.getLocation().toURI()));
      } catch (URISyntaxException e) {
        throw new IOException("not a place of classes: " + source.getLocation(), e);
      }
    }
  }

  private void add(byte[] bytes) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }
}
