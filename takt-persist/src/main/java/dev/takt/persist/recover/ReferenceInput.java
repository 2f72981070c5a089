package dev.takt.persist.recover;

import dev.takt.persist.format.Format;
import dev.takt.persist.format.RecordInput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes references, lengths and chunks out of records, within the limits that the objects which are
 * there and the rest of the file give.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class ReferenceInput {
  private final ReadObjects objects;
  private RecordInput in;

  ReferenceInput(RecordInput in, ReadObjects objects) {
    this.in = in;
    this.objects = objects;
  }

  /** Returns what records are taken out of. */
  RecordInput in() {
    return in;
  }

  /** Goes on with another file. */
  void next(RecordInput next) {
    this.in = next;
  }

  /** Takes a reference; what it names first gets a candidate. Returns its number, or -1. */
  int reference(@Nullable Object candidate) throws IOException {
    int code = in.varint("reference", objects.named() + 1);
    return code == Format.NEXT ? objects.name(candidate) : known(code);
  }

  /** Returns the number that a code means which names nothing, or -1 for null. */
  int known(int code) {
    return code == Format.NULL ? -1 : objects.named() - 1 + Format.LAST - code;
  }

  /** Takes the length of what follows in chunks, of which each element takes so many bytes. */
  int length(String what, int elementBytes) throws IOException {
    return in.varint(what, (int) Math.min(ReadObjects.MAX, in.left() / elementBytes));
  }

  /** Takes the length of the next chunk. */
  int chunk(int rest, int limit) throws IOException {
    if (!in.hasNext()) {
      throw in.damaged("an array or string ends early: elements missing=" + rest);
    }
    int count = in.varint("elements of a chunk", Math.min(rest, limit));
    if (count == 0) {
      throw in.damaged("a chunk has no elements");
    }
    return count;
  }

  /** Takes a string. */
  String string() throws IOException {
    int length = length("length of a string", 1);
    char[] text = new char[length];
    int done = 0;
    while (done < length) {
      int count = chunk(length - done, Format.CHUNK_BYTES);
      in.characters(text, done, count, in.oneByte() != 0);
      done += count;
    }
    return new String(text);
  }

  /** Takes the numbers of all elements of a collection. */
  int[] elements() throws IOException {
    int[] numbers = new int[length("elements of a collection", 1)];
    int done = 0;
    while (done < numbers.length) {
      int end = done + chunk(numbers.length - done, Format.CHUNK_REFERENCES);
      while (done < end) {
        numbers[done++] = reference(null);
      }
    }
    return numbers;
  }
}
