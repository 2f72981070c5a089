package dev.takt.cpu.policy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.ManagerSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a policy file says: classes, who signs for them, what becomes of unsigned code. Immutable;
 * the format is described in {@code docs/policy.md}.
 *
 * <p><b>Thread rule:</b> any thread. <b>Memory:</b> bounded by the limits below.
 *
 * <p>Source: CPU control 2.4.
 */
public final class PolicyFile {
  /** The most bytes of a policy file. */
  public static final int MAX_BYTES = 256 * 1024;

  /** The most lines. */
  public static final int MAX_LINES = 4_096;

  /** The most characters of a line. */
  public static final int MAX_COLUMNS = 500;

  /** The most classes. */
  public static final int MAX_CLASSES = 64;

  /** The most signers, and the most authorities for timestamps. */
  public static final int MAX_SIGNERS = 256;

  /** The most bytes of a file with a certificate. */
  public static final int MAX_CERTIFICATE_BYTES = 64 * 1024;

  private final Path path;
  private final String digest;
  private final Map<String, AuthenticationClass> classes;
  private final TrustedCertificates<AuthenticationClass> signers;
  private final TrustedCertificates<Path> timestamps;
  private final @Nullable AuthenticationClass unsigned;
  private final UnaryOperator<ManagerSettings> settings;
  private final String settingsText;

  /** What a parser has found. */
  record Content(
      Map<String, AuthenticationClass> classes,
      TrustedCertificates<AuthenticationClass> signers,
      TrustedCertificates<Path> timestamps,
      @Nullable AuthenticationClass unsigned,
      UnaryOperator<ManagerSettings> settings,
      String settingsText) {}

  PolicyFile(Path path, String digest, Content content) {
    this.path = path;
    this.digest = digest;
    this.classes = content.classes();
    this.signers = content.signers();
    this.timestamps = content.timestamps();
    this.unsigned = content.unsigned();
    this.settings = content.settings();
    this.settingsText = content.settingsText();
  }

  /**
   * Reads a policy file, and the certificates that it names.
   *
   * @throws PolicyException if it cannot be read, exceeds a limit, or has an error
   */
  public static PolicyFile read(Path path) throws PolicyException {
    return new PolicyParser(Objects.requireNonNull(path, "path")).read();
  }

  /** Returns where it was read from. */
  public Path path() {
    return path;
  }

  /** Returns the classes by their names, in the order of the file. */
  public Map<String, AuthenticationClass> classes() {
    return classes;
  }

  /** Returns the class of unsigned code; null: unsigned code is not taken. */
  public @Nullable AuthenticationClass unsigned() {
    return unsigned;
  }

  /** Returns settings with what the file says about the manager; what it does not say stays. */
  public ManagerSettings apply(ManagerSettings settings) {
    return this.settings.apply(settings);
  }

  /** Returns whether another one says the same about the manager, which is settled at its start. */
  public boolean hasSettingsOf(PolicyFile other) {
    return settingsText.equals(other.settingsText);
  }

  /** Returns whether another one was read from the same bytes, certificates among them. */
  public boolean isSameAs(PolicyFile other) {
    return digest.equals(other.digest);
  }

  TrustedCertificates<AuthenticationClass> signers() {
    return signers;
  }

  TrustedCertificates<Path> timestamps() {
    return timestamps;
  }

  @Override
  public String toString() {
    return "%s: classes %s, %s signers, unsigned code %s"
        .formatted(
            path,
            String.join(", ", classes.keySet()),
            signers.size(),
            unsigned == null ? "refused" : "in class " + unsigned.name());
  }
}
