package dev.takt.space;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one space looks for the matches of a template: by which index, and where the template has the
 * keys of that index. It depends on the template's keys and wildcards only and is kept in the
 * template.
 */
final class LookupPlan {
  final IndexTable table;
  final Shape shape;
  final int wildcards;

  final Index index;

  /** Where the template has the keys of the index. */
  final KeyMap keys;

  /**
   * Where the event that was looked at last has them. Most events of an index have one shape, and
   * this one is at hand while the event's own is still to be read. Any thread may set it; any value
   * is right, for it is compared.
   */
  @Nullable KeyMap recent;

  LookupPlan(IndexTable table, Shape shape, int wildcards, Index index) {
    this.table = table;
    this.shape = shape;
    this.wildcards = wildcards;
    this.index = index;
    this.keys = Objects.requireNonNull(KeyMap.of(shape, index, null));
  }

  boolean fits(IndexTable table, Event template) {
    return this.table == table && shape == template.shape && wildcards == template.wildcards;
  }

  /** The fingerprint of the events that the template asks for. */
  long fingerprint(Event template) {
    return keys.fingerprint(template.types, template.words, 0);
  }
}
