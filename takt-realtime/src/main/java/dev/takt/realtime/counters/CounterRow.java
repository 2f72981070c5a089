package dev.takt.realtime.counters;

import java.util.List;
import java.util.OptionalLong;

/**
 * A row that was read. Its texts have no control characters.
 *
 * <p><b>Thread rule:</b> immutable.
 *
 * @param kind what it is about
 * @param texts by the ordinal of {@link RowText}
 * @param numbers the figures of its kind, in their order
 */
public record CounterRow(RowKind kind, List<String> texts, List<Long> numbers) {
  /** Copies the lists. */
  public CounterRow {
    texts = List.copyOf(texts);
    numbers = List.copyOf(numbers);
  }

  /** Returns a text; empty: there is none. */
  public String text(RowText text) {
    return texts.get(text.ordinal());
  }

  /** Returns a figure; empty: it is not known, or not of this kind. */
  public OptionalLong figure(Figure figure) {
    int place = kind.place(figure);
    return place < 0 || numbers.get(place) == CounterRows.UNKNOWN
        ? OptionalLong.empty()
        : OptionalLong.of(numbers.get(place));
  }
}
