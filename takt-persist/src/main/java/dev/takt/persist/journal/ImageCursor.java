package dev.takt.persist.journal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the images of a unit, or a part of one.
 *
 * <pre>
 *   words       revision, flags, number of images, number of references; then
 *     object      id * 2; of each field: its bits, or a reference
 *     array       id * 2 + 1, length, from, count; elements, packed, or references
 *     reference   NO_REFERENCE | ID, with the id in the upper bits | STRING | CONSTANT | JDK_VALUE
 *                 | BOX, bits | RECORD_VALUE, fields | COLLECTION, count, references
 *   references  task; then
 *     object, array                    its class
 *     STRING                           the text
 *     CONSTANT, JDK_VALUE              its class, the text
 *     BOX, RECORD_VALUE, COLLECTION    its class
 * </pre>
 *
 * <p>A class is a {@code ClassShape} on the way to the file, and a {@code ClassEntry} when it was
 * read again.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class ImageCursor {
  static final int ID_SHIFT = 3;
  static final int TAG_MASK = (1 << ID_SHIFT) - 1;

  private final long[] words;
  private final Object[] references;
  private int begin;
  private int word;
  private int reference;
  private int looked;

  ImageCursor(long[] words, Object[] references) {
    this.words = words;
    this.references = references;
  }

  /** Goes to the unit at a place. */
  void begin(int at) {
    begin = at;
    word = at + ImageBuffer.HEADER;
    reference = at + 1;
    looked = 0;
  }

  String task() {
    return (String) references[begin];
  }

  long revision() {
    return words[begin];
  }

  int flags() {
    return (int) words[begin + 1];
  }

  int images() {
    return (int) words[begin + 2];
  }

  long word() {
    return words[word++];
  }

  Object reference() {
    return references[reference++];
  }

  /** Returns where the next word is. */
  int at() {
    return word;
  }

  void skip(int count) {
    word += count;
  }

  long[] words() {
    return words;
  }

  /** Returns the next class or task that an output does not know; null: there is none any more. */
  @Nullable Object nextNew(ImageOutput output) {
    int count = (int) words[begin + 3];
    while (looked < count) {
      Object each = references[begin + looked];
      boolean isKnown = output.knows(each, looked == 0);
      looked++;
      if (!isKnown) {
        return each;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return task() + ": " + Arrays.toString(Arrays.copyOfRange(words, begin, word));
  }
}
