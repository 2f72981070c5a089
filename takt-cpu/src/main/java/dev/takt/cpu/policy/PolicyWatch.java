package dev.takt.cpu.policy;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a policy file, or a certificate that it names, has changed. It has no thread and no
 * clock: whoever calls {@link #look} decides how often.
 *
 * <p><b>Guarantees.</b> (1) A version with an error never replaces the one in force; the error is
 * told once. (2) A version is taken when two looks in a row found the same: a file that is being
 * written is not taken half, unless its writer pauses for that long.
 *
 * <p><b>Thread rule:</b> one thread, but for {@link #present}. <b>Cost:</b> a look reads the files
 * anew.
 */
public final class PolicyWatch {
  /** Reads the policy. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads it as it is now.
     *
     * @throws PolicyException if it cannot be taken
     */
    PolicyFile read() throws PolicyException;
  }

  private final Reader reader;
  private final Consumer<PolicyFile> onChange;
  private final Consumer<PolicyException> onRefusal;
  private volatile PolicyFile present;
  private @Nullable PolicyFile candidate;
  private String refusal = "";
  private String told = "";

  /**
   * Makes one.
   *
   * @param present the policy that is in force
   * @param onChange is called with each new one that was taken, within {@link #look}
   * @param onRefusal is called with the reason of each that was not
   */
  public PolicyWatch(
      PolicyFile present,
      Reader reader,
      Consumer<PolicyFile> onChange,
      Consumer<PolicyException> onRefusal) {
    this.present = Objects.requireNonNull(present, "present");
    this.reader = Objects.requireNonNull(reader, "reader");
    this.onChange = Objects.requireNonNull(onChange, "onChange");
    this.onRefusal = Objects.requireNonNull(onRefusal, "onRefusal");
  }

  /** Returns the policy that is in force. */
  public PolicyFile present() {
    return present;
  }

  /** Looks whether it has changed since the last look. */
  public void look() {
    PolicyFile seen;
    try {
      seen = reader.read();
    } catch (PolicyException e) {
      refused(e);
      return;
    }
    PolicyFile before = candidate;
    refusal = "";
    told = "";
    if (seen.isSameAs(present)) {
      candidate = null;
    } else if (before != null && seen.isSameAs(before)) {
      candidate = null;
      present = seen;
      onChange.accept(seen);
    } else {
      candidate = seen;
    }
  }

  private void refused(PolicyException e) {
    candidate = null;
    String message = String.valueOf(e.getMessage());
    boolean settled = message.equals(refusal);
    refusal = message;
    if (settled && !message.equals(told)) {
      told = message;
      onRefusal.accept(e);
    }
  }
}
