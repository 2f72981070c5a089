package dev.takt.safety;

import org.jspecify.annotations.Nullable;

/**
 * Where something is.
 *
 * @param className the class, as in the source: {@code com.acme.Order}, nested ones with a dollar
 * @param member the method with its parameter types, or the field; null if it is the class itself
 * @param file the source file as the class or the compiler names it; null if unknown
 * @param line the line, from 1; 0 if unknown
 * @param column the column, from 1; 0 if unknown
 */
public record SourceLocation(
    String className, @Nullable String member, @Nullable String file, int line, int column) {
  /** Makes the names {@linkplain Printable printable}: class files come from anywhere. */
  public SourceLocation {
    className = Printable.of(className);
    member = member == null ? null : Printable.of(member);
    file = file == null ? null : Printable.of(file);
  }

  /** Returns the place as a stack trace would show it. */
  @Override
  public String toString() {
    String name = member == null ? className : className + "." + member;
    if (file == null) {
      return name;
    }
    return line == 0 ? name + "(" + file + ")" : name + "(" + file + ":" + line + ")";
  }
}
