package dev.takt.cpu.cost;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Which code a task runs, as a number that changes when the code does.
 *
 * <p>It is a hash (SHA-256) of the name of the task, its class file, which a weaver's seal is a
 * part of, and the JVM that runs it. Of a lambda it is the file of the class that it is written in.
 * Classes that the task calls are not in it: a longer cost by one of these is drift.
 *
 * <p><b>Thread rule:</b> any thread; reads a file.
 */
public final class CodeIdentity {
  /** A longer class file has no identity. */
  private static final int MAX_BYTES = 16 << 20;

  private static final int DIGITS = 64;

  private CodeIdentity() {}

  /**
   * Returns the identity of a task's code.
   *
   * @param task its name: one class can do different things for different tasks
   * @param code its class
   * @return empty: no class file can be found, of a class that was made at run time for instance
   */
  public static Optional<String> of(String task, Class<?> code) {
    String name = code.getName();
    int lambda = name.indexOf("$$Lambda");
    String file = (lambda < 0 ? name : name.substring(0, lambda)).replace('.', '/') + ".class";
    try (InputStream in = open(code, file)) {
      byte[] bytes = in == null ? new byte[0] : in.readNBytes(MAX_BYTES + 1);
      if (bytes.length == 0 || bytes.length > MAX_BYTES) {
        return Optional.empty();
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String each : new String[] {task, System.getProperty("java.vm.version", ""), file}) {
        digest.update(each.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return Optional.of(HexFormat.of().formatHex(digest.digest(bytes)));
    } catch (IOException | NoSuchAlgorithmException e) {
      return Optional.empty();
    }
  }

  private static InputStream open(Class<?> code, String file) throws IOException {
    // By the module: a class loader shows no class file that is within a named module's package.
    InputStream in = code.getModule().getResourceAsStream(file);
    ClassLoader loader = code.getClassLoader();
    return in != null || loader == null ? in : loader.getResourceAsStream(file);
  }

  static boolean isOne(String identity) {
    return identity.length() == DIGITS
        && identity.chars().allMatch(each -> Character.digit(each, 16) >= 0 && each < 128);
  }
}
