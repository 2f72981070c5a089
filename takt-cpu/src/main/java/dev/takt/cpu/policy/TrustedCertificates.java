package dev.takt.cpu.policy;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertPathValidator;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that a policy names, each with what it stands for. One that a signature was made
 * with is trusted if it is named itself, or was issued by one that is: then it must be meant for
 * the use.
 *
 * <p><b>Thread rule:</b> any thread; immutable.
 *
 * @param usage the object identifier of the extended key usage that an issued certificate must not
 *     lack, if it has any
 * @param <T> what a certificate stands for
 */
record TrustedCertificates<T>(
    Map<String, T> byFingerprint, List<X509Certificate> named, String usage) {
  /** Signing of code. */
  static final String CODE_SIGNING = "1.3.6.1.5.5.7.3.3";

  /** Making timestamps. */
  static final String TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

  private static final String ANY_USAGE = "2.5.29.37.0";

  /** What was found about a chain of certificates. */
  enum Kind {
    /** It is trusted. */
    TRUSTED,
    /** None of its certificates is named. */
    UNKNOWN,
    /** The time of its first certificate, or of another one, is over. */
    EXPIRED,
    /** The time of its first certificate, or of another one, has not begun. */
    NOT_YET_VALID,
    /** It is issued by one that is named, but not as it must be. */
    INVALID
  }

  /**
   * What was found about a chain.
   *
   * @param value what the named certificate stands for; null: none is named
   * @param detail why it is not trusted
   */
  record Match<T>(Kind kind, @Nullable T value, String detail) {}

  TrustedCertificates {
    byFingerprint = new LinkedHashMap<>(byFingerprint);
    named = List.copyOf(named);
  }

  int size() {
    return byFingerprint.size();
  }

  /**
   * Looks at a chain, whose first certificate is the signer's own.
   *
   * @param date when it must have been valid
   */
  Match<T> find(List<? extends Certificate> certificates, Date date) {
    List<X509Certificate> chain = certificates.stream().map(X509Certificate.class::cast).toList();
    for (int i = 0; i < chain.size(); i++) {
      T value = byFingerprint.get(fingerprint(chain.get(i)));
      if (value != null) {
        return judge(chain.subList(0, i), chain.get(i), value, date);
      }
    }
    for (X509Certificate each : named) {
      T value = byFingerprint.get(fingerprint(each));
      if (value != null && issued(each, chain.getLast())) {
        return judge(chain, each, value, date);
      }
    }
    return new Match<>(Kind.UNKNOWN, null, "");
  }

  private static boolean issued(X509Certificate issuer, X509Certificate certificate) {
    try {
      if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
        return false;
      }
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false; // another one of that name
    }
  }

  private Match<T> judge(List<X509Certificate> issued, X509Certificate anchor, T value, Date date) {
    for (X509Certificate each : issued.isEmpty() ? List.of(anchor) : issued) {
      try {
        each.checkValidity(date);
      } catch (CertificateExpiredException e) {
        return new Match<>(
            Kind.EXPIRED, value, "%s: valid until %s".formatted(name(each), text(each, true)));
      } catch (CertificateNotYetValidException e) {
        return new Match<>(
            Kind.NOT_YET_VALID,
            value,
            "%s: valid from %s".formatted(name(each), text(each, false)));
      }
    }
    if (issued.isEmpty()) {
      return new Match<>(Kind.TRUSTED, value, "");
    }
    String fault = fault(issued, anchor, date);
    return fault == null
        ? new Match<>(Kind.TRUSTED, value, "")
        : new Match<>(Kind.INVALID, value, fault);
  }

  private @Nullable String fault(List<X509Certificate> issued, X509Certificate anchor, Date date) {
    try {
      List<String> usages = issued.getFirst().getExtendedKeyUsage();
      if (usages != null && !usages.contains(usage) && !usages.contains(ANY_USAGE)) {
        return name(issued.getFirst())
            + " was issued for other uses: "
            + usages
            + " (expected: "
            + usage
            + ")";
      }
      anchor.checkValidity(date);
      if (anchor.getBasicConstraints() < 0) {
        return name(anchor) + " must not issue certificates (it is not an authority)";
      }
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(anchor, null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(date);
      CertPathValidator.getInstance("PKIX")
          .validate(CertificateFactory.getInstance("X.509").generateCertPath(issued), parameters);
      return null;
    } catch (CertificateParsingException e) {
      return name(issued.getFirst()) + " cannot be read: " + e.getMessage();
    } catch (GeneralSecurityException e) {
      return "the chain to " + name(anchor) + " is not valid: " + e.getMessage();
    }
  }

  /** Returns the SHA-256 of a certificate, as upper-case hexadecimal digits with colons. */
  static String fingerprint(Certificate certificate) {
    try {
      return HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("a certificate without an encoding", e);
    }
  }

  static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the name of the one that a certificate is for. */
  static String name(Certificate certificate) {
    return certificate instanceof X509Certificate known
        ? Printables.of(known.getSubjectX500Principal().getName())
        : certificate.getType();
  }

  private static String text(X509Certificate certificate, boolean end) {
    return (end ? certificate.getNotAfter() : certificate.getNotBefore()).toInstant().toString();
  }
}
