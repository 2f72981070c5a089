package dev.takt.client.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of keys that one client has used, as a tree: each key below those that came before
 * it. A space keeps each sequence for good, so there may be only so many.
 *
 * <p><b>Memory:</b> some 150 bytes for each key, twice its length included.
 */
final class KeyTree {
  /** One key, with those that have come behind it. */
  static final class Node {
    private static final Node[] NONE = {};

    final String key;
    private final @Nullable Node before;
    private final byte[] bytes;
    private Node[] next = NONE;
    private int count;

    private Node(String key, @Nullable Node before, byte[] bytes) {
      this.key = key;
      this.before = before;
      this.bytes = bytes;
    }
  }

  final Node root = new Node("", null, new byte[0]);
  private final int limit;
  private int size;

  KeyTree(int limit) {
    this.limit = limit;
  }

  /** Takes a key that comes behind others. */
  Node take(ByteInput in, Node before) throws WireException {
    int length = in.u8("length of key");
    int from = in.take("key", length);
    byte[] bytes = in.bytes();
    for (int i = 0; i < before.count; i++) {
      Node known = before.next[i];
      if (Arrays.equals(known.bytes, 0, known.bytes.length, bytes, from, from + length)) {
        return known;
      }
    }
    return add(in, before, from, length);
  }

  /** What a sequence has to be is checked once, when it comes for the first time. */
  private Node add(ByteInput in, Node before, int from, int length) throws WireException {
    // interned, as the space has it: it compares keys by identity first
    String key = in.string(from, length).intern();
    for (Node each = before; each.before != null; each = each.before) {
      if (each.key.equals(key)) {
        throw in.wrong("key", from - 1, key, "another than those before it"); // at its length
      }
    }
    if (size == limit) {
      throw in.wrong(
          "key in a new sequence",
          from,
          key,
          "one of the " + limit + " that have come before, WireLimits.maxKeys");
    }
    Node fresh = new Node(key, before, Arrays.copyOfRange(in.bytes(), from, from + length));
    if (before.count == before.next.length) {
      before.next = Arrays.copyOf(before.next, Math.max(1, 2 * before.count));
    }
    before.next[before.count++] = fresh;
    size++;
    return fresh;
  }
}
