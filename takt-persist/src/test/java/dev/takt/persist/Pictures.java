package dev.takt.persist;

import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.StableLayout.StableField;
import dev.takt.reflex.woven.Undoable;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
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
      } else {
        for (int i = 0; i < Array.getLength(next); i++) {
          text.append(' ').append(reference(Array.get(next, i), numbers, todo));
        }
      }
    }
    return text.toString();
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
    if (!(value instanceof Undoable) && (value == null || !value.getClass().isArray())) {
      return value instanceof AtomicLong ? "?" : "" + value;
    }
    Integer known = numbers.putIfAbsent(value, numbers.size());
    if (known == null) {
      todo.add(value);
    }
    return "#" + numbers.get(value);
  }
}
