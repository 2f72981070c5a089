package dev.takt.persist;

import dev.takt.persist.graph.Mutables;
import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.StableLayout.StableField;
import dev.takt.reflex.woven.Undoable;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Graphs as text: two are alike, with circles, sharing and identity, if their texts are equal. */
final class Pictures {
  private Pictures() {}

  /** Returns the first word in which two graphs differ, with what comes before, or null. */
  static String difference(Object graph, Object expected) {
    String[] words = of(graph).split(" ");
    String[] others = of(expected).split(" ");
    for (int i = 0; i < Math.min(words.length, others.length); i++) {
      if (!words[i].equals(others[i])) {
        String before = String.join(" ", Arrays.copyOfRange(words, Math.max(0, i - 20), i));
        return before + " -> " + words[i] + ", expected: " + others[i];
      }
    }
    return words.length == others.length ? null : "length " + words.length + ", " + others.length;
  }

  static String of(Object root) {
    Map<Object, Integer> numbers = new IdentityHashMap<>();
    ArrayDeque<Object> todo = new ArrayDeque<>();
    StringBuilder text = new StringBuilder();
    reference(root, numbers, todo);
    while (!todo.isEmpty()) {
      Object next = todo.remove();
      text.append('\n').append(numbers.get(next)).append(next.getClass().getSimpleName());
      if (next instanceof Undoable object) {
        List<StableField> fields = StableLayout.of(object.getClass()).fields();
        for (StableField field : fields) {
          Field reflected = reflected(field);
          if (!Modifier.isTransient(reflected.getModifiers())) {
            text.append(' ').append(field.name()).append('=');
            text.append(reference(value(reflected, object), numbers, todo));
          }
        }
      } else if (Mutables.isType(next.getClass())) {
        elements(next).forEach(each -> text.append(' ').append(reference(each, numbers, todo)));
      } else {
        for (int i = 0; i < Array.getLength(next); i++) {
          text.append(' ').append(reference(Array.get(next, i), numbers, todo));
        }
      }
    }
    return text.toString();
  }

  /** Of what only hashes, in the order of the texts, which those of keys have to have. */
  private static List<?> elements(Object collection) {
    List<Object> all = new ArrayList<>();
    if (collection instanceof Map<?, ?> map) {
      List<Object> keys = new ArrayList<>(map.keySet());
      if (map.getClass() == HashMap.class) {
        keys.sort(Comparator.comparing(String::valueOf));
      }
      for (Object each : keys) {
        all.add(each);
        all.add(map.get(each));
      }
    } else {
      all.addAll((Collection<?>) collection);
      if (collection.getClass() == HashSet.class) {
        all.sort(Comparator.comparing(String::valueOf));
      }
    }
    return all;
  }

  private static Field reflected(StableField field) {
    try {
      Field reflected = field.owner().getDeclaredField(field.name());
      reflected.setAccessible(true);
      return reflected;
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  private static Object value(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static String reference(
      Object value, Map<Object, Integer> numbers, ArrayDeque<Object> todo) {
    Class<?> type = value == null ? void.class : value.getClass();
    if (!(value instanceof Undoable) && !type.isArray() && !Mutables.isType(type)) {
      return value instanceof AtomicLong ? "?" : "" + value;
    }
    Integer known = numbers.putIfAbsent(value, numbers.size());
    if (known == null) {
      todo.add(value);
    }
    return "#" + numbers.get(value);
  }
}
