package dev.takt.client.wire;

import dev.takt.space.KeySequence;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of keys that one client has used, as a tree: each key below those that came before
 * it. A space keeps each sequence for good, so there may be only so many; a host keeps the tree of
 * a client while it is away, because otherwise each connection could bring as many again.
 *
 * <p><b>Thread rule:</b> any thread, of several readers. A key that is known is found without a
 * lock.
 *
 * <p><b>Memory:</b> some 150 bytes for each key, twice its length included.
 */
public final class KeyTree {
  /** One key, with those that have come behind it. */
  static final class Node {
    private static final Node[] NONE = {};

    /** All keys up to this one. */
    final KeySequence keys;

    private final byte[] bytes;

    /** Replaced whole when one is added. */
    private volatile Node[] next = NONE;

    private Node(KeySequence keys, byte[] bytes) {
      this.keys = keys;
      this.bytes = bytes;
    }

    @Nullable Node find(byte[] in, int from, int length) {
      for (Node known : next) {
        if (Arrays.equals(known.bytes, 0, known.bytes.length, in, from, from + length)) {
          return known;
        }
      }
      return null;
    }
  }

  final Node root = new Node(KeySequence.EMPTY, new byte[0]);
  private final int limit;
  private int size;

  /**
   * Makes an empty one.
   *
   * @param limit how many keys its sequences may have together, from 1 on
   */
  public KeyTree(int limit) {
    this.limit = limit;
  }

  /** Takes a key that comes behind others. */
  Node take(ByteInput in, Node before) throws WireException {
    int length = in.u8("length of key");
    int from = in.take("key", length);
    Node known = before.find(in.bytes(), from, length);
    return known != null ? known : add(before, in.bytes(), from, length, in.string(from, length));
  }

  /**
   * Takes the keys of an event or template that comes as text, before that is made: an {@code
   * Event} keeps each sequence of keys for good.
   *
   * @param keys in their order, each once
   * @throws WireException if one is too long, or has no place
   */
  public void take(Iterable<String> keys) throws WireException {
    Node node = root;
    for (String key : keys) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      if (bytes.length > WireLimits.MOST_KEY_BYTES) {
        throw new WireException(
            "key", 0, key, "at most " + WireLimits.MOST_KEY_BYTES + " bytes of UTF-8");
      }
      Node known = node.find(bytes, 0, bytes.length);
      node = known != null ? known : add(node, bytes, 0, bytes.length, key);
    }
  }

  /** Returns what to throw for a key that has no place. */
  WireException tooMany(int offset, String key) {
    return WireException.ofKeys(
        offset,
        key,
        ("one of the %s that have come before, WireLimits.maxKeys; put what varies into values, or"
                + " have ./takt serve allow the client more (--max-keys, or keys in the file of"
                + " --tokens)")
            .formatted(limit));
  }

  /** What a sequence has to be is checked once, when it comes for the first time. */
  private synchronized Node add(Node before, byte[] in, int from, int length, String key)
      throws WireException {
    Node known = before.find(in, from, length);
    if (known != null) {
      return known; // another reader was first
    }
    for (int i = 0; i < before.keys.size(); i++) {
      if (before.keys.key(i).equals(key)) {
        int atLength = from - 1;
        throw new WireException("key", atLength, key, "another than those before it");
      }
    }
    if (size == limit) {
      throw tooMany(from, key);
    }
    KeySequence keys;
    try {
      keys = before.keys.with(key);
    } catch (IllegalStateException full) {
      throw WireException.ofKeys(from, full.getMessage(), "room for it");
    }
    Node fresh = new Node(keys, Arrays.copyOfRange(in, from, from + length));
    Node[] old = before.next;
    Node[] more = Arrays.copyOf(old, old.length + 1);
    more[old.length] = fresh;
    before.next = more;
    size++;
    return fresh;
  }
}
