package dev.takt.cli.doctor;

import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;

/** Sets of processors as the kernel writes them: {@code 0-3,8}. */
final class CpuList {
  /** The kernel's own limit is 8192. */
  static final int LIMIT = 8_192;

  private CpuList() {}

  /** The set, perhaps empty; absent if the text is no such list. */
  static Optional<BitSet> parse(String text) {
    BitSet cpus = new BitSet();
    if (text.isBlank() || text.strip().equals("(null)")) {
      return Optional.of(cpus);
    }
    for (String part : text.strip().split(",", LIMIT)) {
      int dash = part.indexOf('-');
      OptionalLong first = FileSystemRoot.parse(dash < 0 ? part : part.substring(0, dash));
      OptionalLong last = dash < 0 ? first : FileSystemRoot.parse(part.substring(dash + 1));
      if (first.isEmpty()
          || last.isEmpty()
          || first.getAsLong() < 0
          || last.getAsLong() >= LIMIT
          || last.getAsLong() < first.getAsLong()) {
        return Optional.empty();
      }
      cpus.set((int) first.getAsLong(), (int) last.getAsLong() + 1);
    }
    return Optional.of(cpus);
  }

  /** The shortest text for it; empty for the empty set. */
  static String format(BitSet cpus) {
    StringBuilder text = new StringBuilder();
    for (int first = cpus.nextSetBit(0); first >= 0; ) {
      int end = cpus.nextClearBit(first);
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (end - first > 1) {
        text.append(end - first > 2 ? "-" : ",").append(end - 1);
      }
      first = cpus.nextSetBit(end);
    }
    return text.toString();
  }

  /** Those of the one that are not in the other. */
  static BitSet without(BitSet cpus, BitSet others) {
    BitSet rest = (BitSet) cpus.clone();
    rest.andNot(others);
    return rest;
  }
}
