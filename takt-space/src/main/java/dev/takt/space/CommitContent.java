package dev.takt.space;

/**
 * Reads what {@link Commit#copyInto} has written.
 *
 * <pre>
 *   words       taken:32 | written:32, number of each that was taken,
 *               of each that was written: its number, its slot's META and TYPES, its words, its extra
 *   references  of each that was written: its shape, its references
 * </pre>
 *
 * <p><b>Thread rule:</b> one thread.
 */
public final class CommitContent {
  static final int HEADER = 1;

  /** What comes before the words of an event. */
  static final int EVENT = 3;

  private final long[] words;
  private final Object[] references;
  private int word;
  private int reference;
  private int taken;
  private int written;

  /** Makes a reader of two arrays, which may be written again between two commits. */
  public CommitContent(long[] words, Object[] references) {
    this.words = words;
    this.references = references;
  }

  /** Goes to a commit that was copied to a place. */
  public void begin(int at) {
    taken = (int) (words[at] >>> 32);
    written = (int) words[at];
    word = at + HEADER;
    reference = at;
  }

  /** Returns how many events were taken. */
  public int takenCount() {
    return taken;
  }

  /** Returns how many events were written. */
  public int writtenCount() {
    return written;
  }

  /** Returns the number of the next event that was taken; all of them come first. */
  public long nextTaken() {
    return words[word++];
  }

  /** Copies the next event that was written, and returns its number. */
  public long nextWritten(Event into) {
    long number = words[word];
    long meta = words[word + 1];
    long types = words[word + 2];
    int keys = EventSlots.keyCount(meta);
    int extra = EventSlots.extraCount(meta);
    int count = EventSlots.refCount(meta);
    int at = word + EVENT;
    Shape shape = (Shape) references[reference];
    into.load(
        shape, types, 0, words, at, words, at + keys, extra, references, reference + 1, count);
    word = at + keys + extra;
    reference += 1 + count;
    return number;
  }
}
