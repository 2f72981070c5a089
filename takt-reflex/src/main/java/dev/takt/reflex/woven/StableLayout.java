package dev.takt.reflex.woven;

import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a stable class, as the weaver has written them down, and where a saved copy of an
 * instance holds them.
 *
 * @param fields all of them, those of the superclass first
 * @param primitives how many primitives a copy has
 * @param references how many references a copy has
 */
public record StableLayout(List<StableField> fields, int primitives, int references) {
  /** The index of a field that is final, and so never saved. */
  public static final int FINAL = -1;

  private static final ClassValue<StableLayout> LAYOUTS =
      new ClassValue<>() {
        @Override
        protected StableLayout computeValue(Class<?> type) {
          return read(type);
        }
      };

  /**
   * A field.
   *
   * @param owner the class that declares it
   * @param name its name
   * @param descriptor its type, as class files write it
   * @param index its place among the primitives, or the references, of a copy; or {@link #FINAL}
   */
  public record StableField(Class<?> owner, String name, String descriptor, int index) {
    /** Returns whether its values are primitives. */
    public boolean isPrimitive() {
      return descriptor.length() == 1;
    }
  }

  /** Returns the layout of a woven class. */
  public static StableLayout of(Class<? extends Undoable> type) {
    return LAYOUTS.get(type);
  }

  private static StableLayout read(Class<?> type) {
    if (!Undoable.class.isAssignableFrom(type)) {
      return new StableLayout(List.of(), 0, 0);
    }
    StableLayout above = LAYOUTS.get(type.getSuperclass());
    List<StableField> fields = new ArrayList<>(above.fields);
    int primitives = above.primitives;
    int references = above.references;
    Woven woven = type.getAnnotation(Woven.class);
    for (String field : woven == null ? new String[0] : woven.fields()) {
      String name = field.substring(0, field.indexOf(':'));
      String descriptor = field.substring(name.length() + 1);
      boolean isFinal = descriptor.startsWith("=");
      if (isFinal) {
        fields.add(new StableField(type, name, descriptor.substring(1), FINAL));
      } else {
        int index = descriptor.length() == 1 ? primitives++ : references++;
        fields.add(new StableField(type, name, descriptor, index));
      }
    }
    return new StableLayout(List.copyOf(fields), primitives, references);
  }
}
