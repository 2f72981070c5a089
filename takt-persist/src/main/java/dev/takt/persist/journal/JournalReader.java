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
   * @param journal the id of the journal; 0: it has none
   */
  record Found(List<Event> events, JournalRecovery summary, int journal) {}

  /**
   * Reads the journal, each segment once.
   *
   * @param images gets what segments tell of tasks, also those before the base
   * @throws DamagedFileException if something that was safe is damaged
   */
  Found read(ImageLog images) throws IOException {
    Map<Long, Event> content = new HashMap<>();
    SegmentInput last = null;
    long lastNumber = 0;
    long commits = 0;
    List<Long> numbers = SegmentNames.all(storage);
    for (long number : numbers) {
      SegmentInput segment = segment(number, content);
      if (segment.isComplete()) {
        content = segment.own();
        commits = 0;
      } else if (!segment.isContinued()) {
        continue; // fresh, and never the journal
      } else {
        requireNext(last, lastNumber, number);
      }
      segment.found().forEach(each -> images.read(number, each));
      last = segment;
      lastNumber = number;
      commits += segment.commits();
    }
    if (last == null && !numbers.isEmpty() && numbers.getFirst() > 1) {
      throw damaged(numbers.getFirst(), 0, "its base, for which older segments went, is not whole");
    }
    return found(last, lastNumber, commits, content);
  }

  private static void requireNext(@Nullable SegmentInput last, long lastNumber, long number)
      throws DamagedFileException {
    if (last == null || lastNumber != number - 1) {
      throw damaged(number, 0, "the segment from which it goes on is missing");
    }
    DamagedFileException damage = last.damage();
    if (!last.hasEnded() && damage != null) {
      throw damaged(lastNumber, damage.offset(), damage.getMessage());
    }
  }

  private static Found found(
      @Nullable SegmentInput last, long number, long commits, Map<Long, Event> content) {
    if (last == null) {
      return new Found(List.of(), new JournalRecovery(false, 0, 0, 0, null), 0);
    }
    String cut = last.cut();
    List<Event> events = inOrder(content);
    return new Found(
        events,
        new JournalRecovery(
            true,
            number,
            events.size(),
            commits,
            cut == null ? null : SegmentNames.of(number) + ": " + cut),
        last.journal());
  }

  private SegmentInput segment(long number, Map<Long, Event> content) throws IOException {
    try (Storage.Input from = storage.open(SegmentNames.of(number))) {
      SegmentInput segment = SegmentInput.read(from, number, content, declared);
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
