package dev.takt.persist.journal;

import dev.takt.persist.format.Elements;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The images of a unit or a part of one, as the ring holds them: words and references, each in the
 * order in which they are read again. {@link ImageCursor} has the drawing.
 *
 * <p><b>Thread rule:</b> one thread. <b>Memory:</b> grows to what the largest unit needs.
 */
final class ImageBuffer {
  /** Revision, flags, number of images, number of references. */
  static final int HEADER = 4;

  /** The first part of a unit. */
  static final int FIRST = 1;

  /** The last one. */
  static final int LAST = 2;

  /** The unit has all objects of the task. */
  static final int WHOLE = 4;

  private long[] words = new long[256];
  private MemorySegment segment = MemorySegment.ofArray(words);
  private @Nullable Object[] references = new Object[128];
  private int wordCount;
  private int referenceCount;
  private int images;
  private long maxBytes;

  ImageBuffer() {}

  /** Begins with nothing, of a task. */
  void clear(String task) {
    Arrays.fill(references, 0, referenceCount, null);
    wordCount = HEADER;
    referenceCount = 0;
    images = 0;
    maxBytes = 6L * HEADER;
    reference(task);
  }

  /** Ends it. */
  void end(long revision, int flags) {
    words[0] = revision;
    words[1] = flags;
    words[2] = images;
    words[3] = referenceCount;
  }

  /** Counts an image, which takes so many bytes at most beside what is put by itself. */
  void image(long bytes) {
    images++;
    maxBytes += bytes;
  }

  void bytes(long more) {
    maxBytes += more;
  }

  void word(long value) {
    if (wordCount == words.length) {
      grow(1);
    }
    words[wordCount++] = value;
  }

  private void grow(int more) {
    words = Arrays.copyOf(words, Math.max(2 * words.length, wordCount + more));
    segment = MemorySegment.ofArray(words);
  }

  void reference(Object value) {
    if (referenceCount == references.length) {
      references = Arrays.copyOf(references, 2 * referenceCount);
    }
    references[referenceCount++] = value;
  }

  /** Puts elements of an array of primitives, packed into words. */
  void elements(Object array, int from, int count, int elementBytes) {
    int more = words(count, elementBytes);
    if (wordCount + more > words.length) {
      grow(more);
    }
    if (more > 0) {
      words[wordCount + more - 1] = 0;
    }
    Elements.copy(array, from, segment, (long) wordCount * Long.BYTES, count);
    wordCount += more;
  }

  /** Returns how many words elements take. */
  static int words(int count, int elementBytes) {
    return (int) (((long) count * elementBytes + Long.BYTES - 1) / Long.BYTES);
  }

  int images() {
    return images;
  }

  /** Returns how many bytes the encoding takes at most. */
  long maxBytes() {
    return maxBytes;
  }

  /** Returns how many places {@link #copyInto} takes. */
  int length() {
    return Math.max(wordCount, referenceCount);
  }

  void copyInto(long[] toWords, Object[] toReferences, int at) {
    System.arraycopy(words, 0, toWords, at, wordCount);
    System.arraycopy(references, 0, toReferences, at, referenceCount);
  }
}
