package dev.takt.stress.rollback;

import dev.takt.reflex.ReflexTask;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * All that can be reached from an object, as numbers: an independent deep copy, whose only
 * assumption is that weaving marks its own fields as synthetic. Equal snapshots mean equal graphs:
 * the same classes, values and references, whichever class loader they come from.
 */
public final class Snapshot {
  /** A class and what is to be read of it, for each class of its hierarchy. */
  private record Plan(long name, List<List<Field>> fields, FieldReader[] readers) {}

  private static final ClassValue<Plan> PLANS =
      new ClassValue<>() {
        @Override
        protected Plan computeValue(Class<?> type) {
          return plan(type);
        }
      };

  private Object[] objects = new Object[256];
  private int count;

  /** Indices of objects and 1, by identity. */
  private int[] table = new int[1_024];

  private long[] words = new long[1_024];
  private int size;

  Snapshot() {}

  /** Takes a new snapshot. */
  Snapshot take(Object root) {
    Arrays.fill(table, 0);
    count = 0;
    size = 0;
    reference(root);
    for (int i = 0; i < count; i++) {
      content(objects[i]);
    }
    return this;
  }

  boolean isSameAs(Snapshot other) {
    return Arrays.equals(words, 0, size, other.words, 0, other.size);
  }

  /** Says where this one, the last one taken, differs from another one. */
  String difference(Snapshot other) {
    int at = Arrays.mismatch(words, 0, size, other.words, 0, other.size);
    String values =
        at < Math.min(size, other.size)
            ? " is " + words[at] + ", expected " + other.words[at]
            : " is too much or too little";
    int seen = 1;
    for (int i = 0; i < count && seen <= at; i++) {
      for (String name : names(objects[i])) {
        if (seen++ == at) {
          return "object " + i + ", " + name + values;
        }
      }
    }
    return "the root" + values;
  }

  private void content(Object object) {
    Class<?> type = object.getClass();
    Plan plan = PLANS.get(type);
    put(plan.name);
    if (object instanceof String string) {
      put(string.hashCode());
    } else if (type.isArray()) {
      array(object);
    } else {
      for (FieldReader reader : plan.readers) {
        reader.read(object, this);
      }
    }
  }

  private void array(Object array) {
    int length = Array.getLength(array);
    put(length);
    switch (array) {
      case long[] longs -> {
        for (long each : longs) {
          put(each);
        }
      }
      case int[] ints -> {
        for (int each : ints) {
          put(each);
        }
      }
      case byte[] bytes -> {
        for (byte each : bytes) {
          put(each);
        }
      }
      case Object[] references -> {
        for (Object each : references) {
          reference(each);
        }
      }
      default -> {
        for (int i = 0; i < length; i++) {
          put(bits(array, i));
        }
      }
    }
  }

  private static long bits(Object array, int i) {
    return switch (array) {
      case double[] doubles -> Double.doubleToRawLongBits(doubles[i]);
      case float[] floats -> Float.floatToRawIntBits(floats[i]);
      case boolean[] booleans -> booleans[i] ? 1 : 0;
      case char[] chars -> chars[i];
      case short[] shorts -> shorts[i];
      default -> throw new IllegalArgumentException(array.getClass().getName());
    };
  }

  /** Adds a reference: the number of an object, which is looked into later. */
  public void reference(Object object) {
    put(object == null ? 0 : number(object));
  }

  private int number(Object object) {
    int mask = table.length - 1;
    int slot = System.identityHashCode(object) & mask;
    while (table[slot] != 0) {
      if (objects[table[slot] - 1] == object) {
        return table[slot];
      }
      slot = (slot + 1) & mask;
    }
    if (2 * count >= table.length) {
      throw new IllegalStateException("more objects than expected: " + count);
    }
    if (count == objects.length) {
      objects = Arrays.copyOf(objects, 2 * count);
    }
    objects[count++] = object;
    table[slot] = count;
    return count;
  }

  /** Adds a value. */
  public void put(long word) {
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
    }
    words[size++] = word;
  }

  /** Names each word of an object. */
  private static List<String> names(Object object) {
    String type = object.getClass().getTypeName();
    List<String> names = new ArrayList<>();
    names.add("class " + type);
    if (object instanceof String) {
      names.add("characters");
    } else if (object.getClass().isArray()) {
      names.add("length");
      for (int i = 0; i < Array.getLength(object); i++) {
        names.add("element " + i + " of " + type);
      }
    } else {
      PLANS
          .get(object.getClass())
          .fields
          .forEach(fields -> fields.forEach(field -> names.add("field " + field)));
    }
    return names;
  }

  private static Plan plan(Class<?> type) {
    List<List<Field>> all = new ArrayList<>();
    List<FieldReader> readers = new ArrayList<>();
    if (!type.isArray() && type != String.class) {
      for (Class<?> c = type; c != Object.class && c != ReflexTask.class; c = c.getSuperclass()) {
        List<Field> fields =
            Arrays.stream(c.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .sorted(Comparator.comparing(Field::getName))
                .toList();
        all.add(fields);
        readers.add(FieldReader.of(c, fields));
      }
    }
    return new Plan(type.getName().hashCode(), all, readers.toArray(FieldReader[]::new));
  }
}
