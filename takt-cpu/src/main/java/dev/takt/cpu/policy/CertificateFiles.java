package dev.takt.cpu.policy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;

/**
 * The files that one reading of a policy has looked at: itself and certificates, with limits.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class CertificateFiles {
  private final Path policy;
  private final ByteArrayOutputStream digests = new ByteArrayOutputStream();

  CertificateFiles(Path policy) {
    this.policy = policy;
  }

  /** Returns the one certificate that a file holds, as PEM or DER. */
  X509Certificate read(Path file, int line) throws PolicyException {
    byte[] bytes =
        bytes(file, line, PolicyFile.MAX_CERTIFICATE_BYTES, "export one certificate alone");
    Collection<? extends Certificate> found;
    try {
      found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
    } catch (CertificateException e) {
      throw wrong(file, line, "not a certificate");
    }
    if (found.size() != 1 || !(found.iterator().next() instanceof X509Certificate certificate)) {
      throw wrong(file, line, found.size() + " certificates");
    }
    return certificate;
  }

  private PolicyException wrong(Path file, int line, String found) {
    return new PolicyException(
        policy,
        line,
        "%s: %s (expected: one X.509 certificate, PEM or DER; 'keytool -exportcert -rfc' writes it)"
            .formatted(Printables.of(file.toString()), found));
  }

  /** Returns what a file holds; remembers that it was read. */
  byte[] bytes(Path file, int line, int limit, String remedy) throws PolicyException {
    String name = line == 0 ? "" : Printables.of(file.toString()) + ": ";
    try {
      if (!Files.isRegularFile(file)) {
        throw new PolicyException(
            policy,
            line,
            name
                + (Files.exists(file)
                    ? "it is not a file; name a file"
                    : "it does not exist; check the path"));
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes(limit + 1);
      }
      if (bytes.length > limit) {
        throw new PolicyException(
            policy,
            line,
            "%smore than %s bytes (limit: %s); %s".formatted(name, limit, limit, remedy));
      }
      digests.writeBytes(TrustedCertificates.digest(bytes));
      return bytes;
    } catch (NoSuchFileException e) {
      throw new PolicyException(policy, line, name + "it does not exist; check the path");
    } catch (AccessDeniedException e) {
      throw new PolicyException(policy, line, name + "permission denied; make it readable");
    } catch (IOException e) {
      throw new PolicyException(policy, line, name + "cannot be read: " + e.getMessage());
    }
  }

  /** Returns a digest of all that was read. */
  String digest() {
    return HexFormat.of().formatHex(TrustedCertificates.digest(digests.toByteArray()));
  }
}
