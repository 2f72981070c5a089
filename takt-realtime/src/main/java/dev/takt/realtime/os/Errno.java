package dev.takt.realtime.os;

/**
 * How a call to the operating system ended: {@link #NONE}, or the name of what went wrong. A value,
 * so that nothing is allocated or thrown where time counts.
 *
 * <p>These are the ones that Takt's calls can give; any other is {@link #UNKNOWN}. The numbers are
 * those of Linux on x86_64 and aarch64.
 */
public enum Errno {
  /** It was done. */
  NONE(0, "done"),
  /** Not permitted. */
  EPERM(1, "not permitted"),
  /** No such thread. */
  ESRCH(3, "no such thread"),
  /** A signal came first. */
  EINTR(4, "interrupted by a signal"),
  /** Not now: it would have to wait, or is taken. */
  EAGAIN(11, "not now"),
  /** No memory, or more than a limit allows. */
  ENOMEM(12, "no memory, or over a limit"),
  /** Forbidden by the owner of the machine. */
  EACCES(13, "access denied"),
  /** In use, or more than is left. */
  EBUSY(16, "in use, or more than is left"),
  /** A value that the system does not take. */
  EINVAL(22, "value not accepted"),
  /** Too many descriptors in the whole system. */
  ENFILE(23, "too many descriptors in the system"),
  /** Too many descriptors in this process. */
  EMFILE(24, "too many descriptors in this process"),
  /** The caller holds it already, or waiting would close a circle. */
  EDEADLK(35, "would wait for itself"),
  /** This kernel cannot do it. */
  ENOSYS(38, "not in this kernel"),
  /** This kernel cannot do it with these values. */
  EOPNOTSUPP(95, "not supported"),
  /** The time came first. */
  ETIMEDOUT(110, "timed out"),
  /** Cancelled, for a timer because the clock was set. */
  ECANCELED(125, "cancelled"),
  /** The thread that held it has died. */
  EOWNERDEAD(130, "owner died"),
  /** None of these. */
  UNKNOWN(-1, "unknown error");

  private static final Errno[] BY_NUMBER = new Errno[EOWNERDEAD.number + 1];

  static {
    for (Errno each : values()) {
      if (each != UNKNOWN) {
        BY_NUMBER[each.number] = each;
      }
    }
  }

  private final int number;
  private final String meaning;

  Errno(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /** Returns the one with a number of the operating system; {@link #UNKNOWN} for others. */
  public static Errno of(int number) {
    Errno known = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    return known == null ? UNKNOWN : known;
  }

  /** Returns the outcome of a call from its result: not negative, or the negated error number. */
  public static Errno ofResult(long result) {
    return result >= 0 ? NONE : of((int) -result);
  }

  /** Returns the operating system's number; -1 for {@link #UNKNOWN}. */
  public int number() {
    return number;
  }

  /** Returns the name and what it means, for people. */
  public String explain() {
    return name() + " (" + meaning + ")";
  }
}
