package dev.takt.persist.journal;

import dev.takt.persist.format.DamagedFileException;
import dev.takt.persist.graph.DeclaredClasses;
import dev.takt.persist.store.Storage;
import dev.takt.space.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a journal holds: the newest segment with a complete base, and those that go on from
 * it.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class JournalReader {
  private final Storage storage;
  private final DeclaredClasses declared;

  JournalReader(Storage storage, DeclaredClasses declared) {
    this.storage = storage;
    this.declared = declared;
  }

  /**
   * What there is.
   *
   * @param events in the order in which they were written
   * @param summary what is told of it
   */
  record Found(List<Event> events, JournalRecovery summary) {}

  /**
   * Reads the journal.
   *
   * @param images gets the units of all segments, also of those before the base
   * @throws DamagedFileException if something that was safe is damaged
   */
  Found read(ImageLog images) throws IOException {
    Found found = read();
    for (long each : SegmentNames.all(storage)) {
      segment(each, false, new HashMap<>(), images);
    }
    return found;
  }

  private Found read() throws IOException {
    List<Long> numbers = SegmentNames.all(storage);
    for (int at = numbers.size() - 1; at >= 0; at--) {
      Map<Long, Event> content = new HashMap<>();
      SegmentInput segment = segment(numbers.get(at), true, content);
      if (segment.isComplete()) {
        return chain(numbers, at, segment, content);
      }
      if (at == 0 && segment.isContinued()) {
        throw damaged(numbers.getFirst(), 0, "the segment from which it goes on is missing");
      }
    }
    return new Found(List.of(), new JournalRecovery(false, 0, 0, 0, null));
  }

  private Found chain(List<Long> numbers, int start, SegmentInput first, Map<Long, Event> content)
      throws IOException {
    int at = start;
    SegmentInput last = first;
    long commits = first.commits();
    while (at + 1 < numbers.size() && isContinued(numbers, at + 1)) {
      if (!last.hasEnded()) {
        DamagedFileException damage = Objects.requireNonNull(last.damage());
        throw damaged(numbers.get(at), damage.offset(), damage.getMessage());
      }
      at++;
      last = segment(numbers.get(at), false, content);
      commits += last.commits();
    }
    String cut = last.cut();
    List<Event> events = inOrder(content);
    return new Found(
        events,
        new JournalRecovery(
            true,
            numbers.get(at),
            events.size(),
            commits,
            cut == null ? null : SegmentNames.of(numbers.get(at)) + ": " + cut));
  }

  /** Whether a segment goes on from the one before it; one that is fresh has no complete base. */
  private boolean isContinued(List<Long> numbers, int at) throws IOException {
    long number = numbers.get(at);
    boolean isContinued = segment(number, false, new HashMap<>()).isContinued();
    if (isContinued && numbers.get(at - 1) != number - 1) {
      throw damaged(number, 0, "the segment from which it goes on is missing");
    }
    return isContinued;
  }

  private SegmentInput segment(long number, boolean first, Map<Long, Event> content)
      throws IOException {
    return segment(number, first, content, null);
  }

  private SegmentInput segment(
      long number, boolean first, Map<Long, Event> content, @Nullable ImageLog images)
      throws IOException {
    try (Storage.Input from = storage.open(SegmentNames.of(number))) {
      SegmentInput segment = SegmentInput.read(from, number, first, content, declared, images);
      DamagedFileException damage = segment.damage();
      if (damage != null && segment.isSafePartDamaged()) {
        throw new DamagedFileException(
            damage.offset(), "what was safe is damaged: " + damage.getMessage());
      }
      return segment;
    } catch (DamagedFileException e) {
      throw damaged(number, e.offset(), e.getMessage());
    }
  }

  private static DamagedFileException damaged(long number, long offset, @Nullable String what) {
    return new DamagedFileException(
        offset,
        ("%s: %s; what comes before is whole: a copy of the folder with this segment cut there, and"
                + " no later one, can be opened")
            .formatted(SegmentNames.of(number), what));
  }

  /** Numbers are compared by their difference: they may pass the largest one. */
  private static List<Event> inOrder(Map<Long, Event> events) {
    List<Long> numbers = new ArrayList<>(events.keySet());
    long pivot = numbers.isEmpty() ? 0 : numbers.getFirst();
    numbers.sort(Comparator.comparingLong(number -> number - pivot));
    return numbers.stream().map(events::get).toList();
  }
}
