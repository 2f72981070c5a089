package dev.takt.persist.journal;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the segments in a storage: {@code journal-00000000000000a3.takt}. */
final class SegmentNames {
  private static final Pattern NAME = Pattern.compile("journal-([0-9a-f]{16})\\.takt");

  private SegmentNames() {}

  static String of(long number) {
    return String.format(Locale.ROOT, "journal-%016x.takt", number);
  }

  /** Returns the numbers of all segments, the oldest first. */
  static List<Long> all(Storage storage) throws IOException {
    return numbers(storage.names());
  }

  /** Returns the number of the next one: beyond all that has such a name, a file or not. */
  static long next(Storage storage) throws IOException {
    List<Long> taken = numbers(storage.taken());
    return taken.isEmpty() ? 1 : taken.getLast() + 1;
  }

  private static List<Long> numbers(List<String> names) {
    List<Long> found = new ArrayList<>();
    for (String name : names) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        long number = Long.parseUnsignedLong(matcher.group(1), 16);
        if (number > 0 && number < Long.MAX_VALUE) {
          found.add(number);
        }
      }
    }
    Collections.sort(found);
    return found;
  }
}
