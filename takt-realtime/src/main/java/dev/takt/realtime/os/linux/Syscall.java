package dev.takt.realtime.os.linux;

import java.util.Locale;

/**
 * The system calls that are used, with their numbers on the two architectures that have them here.
 * A new architecture is a new column.
 */
enum Syscall {
  READ(0, 63),
  WRITE(1, 64),
  CLOSE(3, 57),
  SOCKET(41, 198),
  SENDTO(44, 206),
  SCHED_GETPARAM(143, 121),
  SCHED_SETSCHEDULER(144, 119),
  SCHED_GETSCHEDULER(145, 120),
  MLOCKALL(151, 230),
  MUNLOCKALL(152, 231),
  PRCTL(157, 167),
  GETTID(186, 178),
  FUTEX(202, 98),
  SCHED_SETAFFINITY(203, 122),
  SCHED_GETAFFINITY(204, 123),
  CLOCK_GETRES(229, 114),
  TGKILL(234, 131),
  PPOLL(271, 73),
  EVENTFD2(290, 19),
  PRLIMIT64(302, 261),
  SCHED_SETATTR(314, 274),
  SCHED_GETATTR(315, 275);

  /** The architecture that this JVM runs on. */
  static final Architecture ARCHITECTURE = Architecture.of(System.getProperty("os.arch", ""));

  enum Architecture {
    X86_64,
    AARCH64,
    OTHER;

    /** By the JVM's name of it. */
    static Architecture of(String name) {
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "amd64", "x86_64" -> X86_64;
        case "aarch64", "arm64" -> AARCH64;
        default -> OTHER;
      };
    }
  }

  private final int onX86;
  private final int onArm;

  Syscall(int onX86, int onArm) {
    this.onX86 = onX86;
    this.onArm = onArm;
  }

  int number(Architecture architecture) {
    return switch (architecture) {
      case X86_64 -> onX86;
      case AARCH64 -> onArm;
      case OTHER -> -1;
    };
  }

  /** The number on this machine. */
  long number() {
    return ARCHITECTURE == Architecture.AARCH64 ? onArm : onX86;
  }
}
