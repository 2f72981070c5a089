package dev.takt.space;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a template matches nothing: which events would match it but for a key that is spelled
 * otherwise, for a value of another type, or for a string that is spelled otherwise. For people,
 * who make such mistakes; it looks at all events one by one.
 *
 * <p><b>Thread rule:</b> one thread; others may work on the space meanwhile.
 */
final class NearMisses {
  /** More events than that are not looked at: it has seen enough. */
  private static final int MAX_EVENTS = 100_000;

  /** How many letters a key or a string may be away from the one that was meant. */
  private static final int MAX_DISTANCE = 2;

  /**
   * Where events have more different strings than that, these are data, and one that is missing
   * means nothing.
   */
  private static final int MAX_STRINGS = 16;

  private final Event template;
  private int misspelled;
  private @Nullable String askedKey;
  private @Nullable String meantKey;
  private @Nullable String sharedKeys;
  private int mistyped;
  private @Nullable String mistypedKey;
  private int askedType;
  private int presentType;

  /** The strings that events have, by key, in all else being what the template asks for. */
  private final Map<String, Map<String, Integer>> others = new LinkedHashMap<>();

  private boolean isMatched;

  private NearMisses(Event template) {
    this.template = template;
  }

  /** Returns what is most likely wrong with a template, or null if nothing comes near it. */
  static @Nullable String of(EventSpace space, Event template) {
    NearMisses misses = new NearMisses(template);
    EventSlots slots = space.slots;
    Event event = new Event();
    int seen = 0;
    for (int slot = 0; slot < slots.count && seen < MAX_EVENTS; slot++) {
      if (SpaceDump.load(space, slot, event)) {
        seen++;
        misses.look(event);
      }
    }
    return misses.text();
  }

  private void look(Event event) {
    String missing = null;
    for (String key : template.keys()) {
      if (event.shape.ordinal(key) < 0) {
        if (missing != null) {
          return;
        }
        missing = key;
      }
    }
    if (missing == null) {
      lookAtTypes(event);
    } else {
      lookAtKeys(event, missing);
    }
  }

  private void lookAtTypes(Event event) {
    for (int i = 0; i < template.shape.keys.length; i++) {
      String key = template.shape.keys[i];
      int asked = Types.at(template.types, i);
      int present = Types.at(event.types, event.shape.ordinal(key));
      if (asked != Types.WILDCARD && asked != present) {
        mistyped++;
        mistypedKey = key;
        askedType = asked;
        presentType = present;
        return;
      }
    }
    lookAtValues(event);
  }

  /** Notes the value of an event that has all else but this string. */
  private void lookAtValues(Event event) {
    String other = null;
    for (String key : template.keys()) {
      Object asked = template.get(key);
      if (asked != null && !Objects.deepEquals(asked, event.get(key))) {
        if (other != null || !(asked instanceof String)) {
          return;
        }
        other = key;
      }
    }
    if (other == null) {
      isMatched = !template.hasConditions();
    } else {
      Map<String, Integer> strings = others.computeIfAbsent(other, _ -> new LinkedHashMap<>());
      if (strings.size() <= MAX_STRINGS) {
        strings.merge(event.getString(other), 1, Integer::sum);
      }
    }
  }

  private void lookAtKeys(Event event, String missing) {
    for (String key : event.keys()) {
      if (template.shape.ordinal(key) < 0 && isNear(missing, key)) {
        misspelled++;
        askedKey = missing;
        meantKey = key;
        sharedKeys = String.join(", ", event.keys());
        return;
      }
    }
  }

  private @Nullable String text() {
    if (isMatched) {
      return null;
    }
    if (misspelled >= Math.max(1, mistyped)) {
      return "%s instead of %s the key %s (%s): did you mean %s?"
          .formatted(count(misspelled), askedKey, meantKey, sharedKeys, meantKey);
    }
    return mistyped == 0
        ? nearString()
        : "%s as %s a value of type %s, the template asks for %s"
            .formatted(
                count(mistyped), mistypedKey, Types.name(presentType), Types.name(askedType));
  }

  /** Returns which string, that events have, is most likely meant by one of the template's. */
  private @Nullable String nearString() {
    for (Map.Entry<String, Map<String, Integer>> other : others.entrySet()) {
      String asked = template.getString(other.getKey());
      Map<String, Integer> strings = other.getValue();
      String nearest =
          strings.keySet().stream()
              .filter(present -> isNear(asked, present))
              .min(Comparator.comparingInt(present -> distance(asked, present)))
              .orElse(null);
      if (nearest != null && strings.size() <= MAX_STRINGS) {
        return "%s as %s the value \"%s\", the template asks for \"%s\": did you mean \"%s\"?"
            .formatted(
                count(strings.getOrDefault(nearest, 0)), other.getKey(), nearest, asked, nearest);
      }
    }
    return null;
  }

  private static String count(int events) {
    return events == 1 ? "1 event has" : events + " events have";
  }

  /** Returns whether one key or string can be a slip of the pen for the other. */
  static boolean isNear(String asked, String present) {
    int most = Math.min(MAX_DISTANCE, (Math.max(asked.length(), present.length()) - 1) / 2);
    return asked.equalsIgnoreCase(present) || distance(asked, present) <= most;
  }

  /** How many letters must be inserted, dropped or replaced to make one string the other. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
