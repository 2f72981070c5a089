package dev.takt.persist.inspect;

import java.io.IOException;

/**
 * Gets the values of an object, in the order of the file. What a method throws ends the reading.
 */
public interface StoredValues {
  /**
   * A primitive field, or what a box holds.
   *
   * @param field its name; empty in a box
   * @param type the first character of its descriptor
   * @param bits the value: that of integers, the raw bits of floating point, 0 or 1, a character
   */
  void primitive(String field, char type, long bits) throws IOException;

  /**
   * A field that refers to something.
   *
   * @param object the number of the object in the same root, or -1 for null
   */
  void reference(String field, long object) throws IOException;

  /** A string, the text of a value of the JDK, or the name of a constant of an enum. */
  void text(String text) throws IOException;

  /** An array or collection begins: a map with a key and a value for each of its entries. */
  void length(int elements) throws IOException;

  /** The next element of an array of primitives. */
  void element(char type, long bits) throws IOException;

  /** The next element of a collection, or an array of references: a number, or -1 for null. */
  void element(long object) throws IOException;
}
