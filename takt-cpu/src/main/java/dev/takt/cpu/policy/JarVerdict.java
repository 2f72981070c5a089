package dev.takt.cpu.policy;

import dev.takt.cpu.AuthenticationClass;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a policy says about a jar.
 *
 * @param outcome what was found
 * @param authentication the class of its code; null: it is refused
 * @param message what was found and why, and the remedy, for people; one line
 */
public record JarVerdict(
    Outcome outcome, @Nullable AuthenticationClass authentication, String message) {
  /** What was found about a jar. Those from {@link #EXPIRED} on are always refused. */
  public enum Outcome {
    /** Signed by one whom the policy names: it is of that class. */
    SIGNED,
    /** Without a signature: it is of the class of unsigned code. */
    UNSIGNED,
    /** Signed by others than the policy names: as unsigned code. */
    UNKNOWN_SIGNER,
    /** With a signature that the JDK does not take, for its weak algorithm: as unsigned code. */
    UNUSABLE_SIGNATURE,
    /** The signer's certificate was not valid any more. */
    EXPIRED,
    /** The signer's certificate is not valid yet. */
    NOT_YET_VALID,
    /** The certificate was issued by one whom the policy names, but not for this, or not well. */
    INVALID_CERTIFICATE,
    /** An entry, the manifest or the signature was changed, or an entry is missing. */
    TAMPERED,
    /** Not one signer has signed all entries: one was added, or parts were joined. */
    PARTLY_SIGNED,
    /** It is not a jar that can be read. */
    DAMAGED,
    /** It exceeds a limit of {@link JarVerifier}. */
    TOO_LARGE
  }

  /** Checks that nothing is missing. */
  public JarVerdict {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(message, "message");
  }

  /** Returns whether its code may run. */
  public boolean isAccepted() {
    return authentication != null;
  }
}
