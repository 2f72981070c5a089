package dev.takt.cpu.policy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.policy.JarVerdict.Outcome;
import dev.takt.cpu.policy.TrustedCertificates.Match;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.Timestamp;
import java.security.cert.Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A jar that was read as a whole: what its signatures cover, apart from what a policy says about
 * the signers.
 *
 * <p><b>Thread rule:</b> any thread; immutable.
 */
public final class VerifiedJar {
  private static final int MAX_NAME_CHARACTERS = 4_096;

  private final Path jar;

  /** The path as messages may show it. */
  private final String name;

  private final @Nullable Path copy;
  private final JarVerifier.Found found;

  /**
   * Makes one.
   *
   * @param copy what is to be loaded; null: it must not be
   */
  VerifiedJar(Path jar, @Nullable Path copy, JarVerifier.Found found) {
    this.jar = jar;
    this.name = Printables.of(jar.toString(), MAX_NAME_CHARACTERS);
    this.copy = copy;
    this.found = found;
  }

  /** Returns the jar that was read. */
  public Path jar() {
    return jar;
  }

  /**
   * Returns the jar to load, which was written of what was verified.
   *
   * @throws IllegalStateException if the jar must not be loaded, whatever a policy says
   */
  public Path copy() {
    if (copy == null) {
      throw new IllegalStateException(name + " must not be loaded: " + found.detail());
    }
    return copy;
  }

  /** Returns what its manifest names as further jars; the copy's manifest names none. */
  public String classPath() {
    return found.classPath();
  }

  /**
   * Returns what a policy says about it.
   *
   * @param now the time: certificates must be valid then, or at the time of a trusted timestamp
   */
  public JarVerdict judge(PolicyFile policy, Instant now) {
    return switch (found.outcome()) {
      case SIGNED -> judgeSigners(policy, now);
      case UNSIGNED, UNUSABLE_SIGNATURE ->
          asUnsigned(
              policy,
              found.outcome(),
              found.detail(),
              "sign it: jarsigner -keystore KEYSTORE %s ALIAS".formatted(name));
      default -> refused(found.outcome(), found.detail());
    };
  }

  /** The best of the signers counts: each of them has signed the whole. */
  private JarVerdict judgeSigners(PolicyFile policy, Instant now) {
    List<JarVerdict> verdicts =
        found.signers().stream().map(each -> judge(each, policy, now)).toList();
    return verdicts.stream()
        .filter(JarVerdict::isAccepted)
        .filter(each -> each.outcome() == Outcome.SIGNED)
        .max(Comparator.comparingInt(VerifiedJar::rank))
        .or(() -> verdicts.stream().filter(each -> !each.isAccepted()).findFirst())
        .or(() -> verdicts.stream().findFirst())
        .orElseThrow();
  }

  private static int rank(JarVerdict verdict) {
    AuthenticationClass authentication = verdict.authentication();
    return authentication == null ? Integer.MIN_VALUE : authentication.rank();
  }

  private JarVerdict judge(CodeSigner signer, PolicyFile policy, Instant now) {
    List<? extends Certificate> chain = signer.getSignerCertPath().getCertificates();
    String by = TrustedCertificates.name(chain.getFirst());
    Timestamp timestamp = signer.getTimestamp();
    boolean trusted = timestamp != null && isTrusted(timestamp, policy);
    Date date = trusted ? timestamp.getTimestamp() : Date.from(now);
    Match<AuthenticationClass> match = policy.signers().find(chain, date);
    AuthenticationClass authentication = match.value();
    String untrusted =
        timestamp == null || trusted
            ? ""
            : "; its timestamp of %s is not of an authority that the policy names"
                .formatted(timestamp.getTimestamp().toInstant());
    return switch (match.kind()) {
      case TRUSTED ->
          new JarVerdict(
              Outcome.SIGNED,
              authentication,
              "%s: signed by %s; class %s"
                  .formatted(name, by, authentication == null ? "" : authentication.name()));
      case UNKNOWN ->
          asUnsigned(
              policy,
              Outcome.UNKNOWN_SIGNER,
              "signed by " + by + ", whom the policy does not name",
              "add to %s: signer CLASS sha256 %s"
                  .formatted(policy.path(), TrustedCertificates.fingerprint(chain.getFirst())));
      case EXPIRED ->
          refused(
              Outcome.EXPIRED,
              "the certificate is over: %s%s; sign it with a new one: jarsigner -keystore KEYSTORE"
                      .formatted(match.detail(), untrusted)
                  + " %s ALIAS".formatted(name));
      case NOT_YET_VALID ->
          refused(
              Outcome.NOT_YET_VALID,
              "the certificate is not valid yet: %s; wait, or set the machine's clock (it is %s)"
                  .formatted(match.detail(), now));
      case INVALID -> refused(Outcome.INVALID_CERTIFICATE, match.detail());
    };
  }

  /** A timestamp proves a time only as far as its maker is trusted: anybody can make one. */
  private static boolean isTrusted(Timestamp timestamp, PolicyFile policy) {
    return policy
            .timestamps()
            .find(timestamp.getSignerCertPath().getCertificates(), timestamp.getTimestamp())
            .kind()
        == TrustedCertificates.Kind.TRUSTED;
  }

  private JarVerdict asUnsigned(PolicyFile policy, Outcome outcome, String found, String remedy) {
    AuthenticationClass unsigned = policy.unsigned();
    return unsigned == null
        ? refused(outcome, found + "; the policy refuses unsigned code; " + remedy)
        : new JarVerdict(
            outcome,
            unsigned,
            "%s: %s; class %s, as unsigned code".formatted(name, found, unsigned.name()));
  }

  private JarVerdict refused(Outcome outcome, String reason) {
    return new JarVerdict(outcome, null, name + ": " + reason);
  }

  @Override
  public String toString() {
    return "%s: %s%s"
        .formatted(
            name,
            found.outcome().toString().toLowerCase(Locale.ROOT).replace('_', ' '),
            found.signers().stream()
                .map(each -> each.getSignerCertPath().getCertificates().getFirst())
                .map(TrustedCertificates::name)
                .collect(Collectors.joining("; ", found.signers().isEmpty() ? "" : " by ", "")));
  }
}
