package dev.takt.persist.journal;

/**
 * The images of one task that one record has.
 *
 * @param number of the segment
 * @param revision of the unit that they belong to
 * @param flags which part of it they are
 * @param words as {@link ImageCursor} draws it
 * @param references likewise, with the descriptions of classes
 */
record ImageUnit(long number, long revision, int flags, long[] words, Object[] references) {
  boolean isFirst() {
    return (flags & ImageBuffer.FIRST) != 0;
  }

  boolean isLast() {
    return (flags & ImageBuffer.LAST) != 0;
  }

  boolean isWhole() {
    return (flags & ImageBuffer.WHOLE) != 0;
  }

  ImageCursor cursor() {
    ImageCursor cursor = new ImageCursor(words, references);
    cursor.begin(0);
    return cursor;
  }
}
