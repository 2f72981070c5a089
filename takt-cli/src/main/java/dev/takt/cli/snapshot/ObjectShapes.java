package dev.takt.cli.snapshot;

import dev.takt.persist.inspect.StoredType;
import java.io.IOException;
import java.util.Arrays;

/**
 * What the objects of a graph are paired by: hashes of their classes, of their own values, and of
 * their values with those of what they refer to, up to {@value #DEPTH} references away. Numbers of
 * objects are in none of them.
 *
 * <p><b>Memory:</b> 36 bytes for each object, 4 for each reference.
 */
final class ObjectShapes {
  private static final int DEPTH = 3;
  private static final int NULL = -1;

  private long[] types = new long[1_024];
  private long[] own = new long[1_024];

  /** Where the references of each object end. */
  private int[] ends = new int[1_024];

  private int[] references = new int[1_024];
  private int objects;
  private int referenceCount;

  private ObjectShapes() {}

  /** Reads all objects of a root; returns the hashes of each, the strictest first. */
  static long[][] of(SnapshotSeries series, int root) throws IOException {
    ObjectShapes shapes = new ObjectShapes();
    Values values = new Values();
    SeriesObjects<int[]> from = series.objects(root, values);
    while (from.next()) {
      shapes.add(from.type(), values.ownOf(from.values()), from.values());
    }
    return new long[][] {shapes.deep(), shapes.own(), shapes.types()};
  }

  private void add(StoredType type, long hash, int[] read) {
    if (objects == own.length) {
      types = Arrays.copyOf(types, 2 * objects);
      own = Arrays.copyOf(own, 2 * objects);
      ends = Arrays.copyOf(ends, 2 * objects);
    }
    types[objects] = mix(type.kindName().hashCode(), type.name());
    own[objects] = mix(types[objects], hash);
    int count = read.length - Values.HASH_INTS;
    if (referenceCount + count > references.length) {
      references =
          Arrays.copyOf(references, Math.max(2 * references.length, referenceCount + count));
    }
    System.arraycopy(read, Values.HASH_INTS, references, referenceCount, count);
    referenceCount += count;
    ends[objects++] = referenceCount;
  }

  private long[] types() {
    return Arrays.copyOf(types, objects);
  }

  private long[] own() {
    return Arrays.copyOf(own, objects);
  }

  private long[] deep() {
    long[] before = own();
    long[] deep = new long[objects];
    for (int depth = 0; depth < DEPTH; depth++) {
      int at = 0;
      for (int i = 0; i < objects; i++) {
        long hash = own[i];
        for (; at < ends[i]; at++) {
          int to = references[at];
          hash = mix(hash, to < 0 || to >= objects ? NULL : before[to]);
        }
        deep[i] = hash;
      }
      long[] next = before;
      before = deep;
      deep = next;
    }
    return before;
  }

  static long mix(long hash, long bits) {
    long mixed = (hash ^ bits) * 0x9E37_79B9_7F4A_7C15L;
    return mixed ^ mixed >>> 29;
  }

  static long mix(long hash, CharSequence text) {
    long mixed = mix(hash, text.length());
    for (int i = 0; i < text.length(); i++) {
      mixed = mix(mixed, text.charAt(i));
    }
    return mixed;
  }

  /** Takes the hash of the own values of an object, in two ints, and its references. */
  private static final class Values implements SeriesObjects.Taker<int[]> {
    static final int HASH_INTS = 2;

    private int[] taken = new int[16];
    private int count = HASH_INTS;
    private long hash;

    @Override
    public int[] take() {
      taken[0] = (int) hash;
      taken[1] = (int) (hash >>> Integer.SIZE);
      int[] all = Arrays.copyOf(taken, count);
      count = HASH_INTS;
      hash = 0;
      return all;
    }

    long ownOf(int[] all) {
      return Integer.toUnsignedLong(all[0]) | (long) all[1] << Integer.SIZE;
    }

    @Override
    public void primitive(String field, char type, long bits) {
      hash = mix(mix(mix(hash, field), type), bits);
    }

    @Override
    public void reference(String field, long object) {
      hash = mix(hash, field);
      element(object);
    }

    @Override
    public void text(String text) {
      hash = mix(hash, text);
    }

    @Override
    public void length(int elements) {
      hash = mix(hash, elements);
    }

    @Override
    public void element(char type, long bits) {
      hash = mix(hash, bits);
    }

    @Override
    public void element(long object) {
      if (count == taken.length) {
        taken = Arrays.copyOf(taken, 2 * count);
      }
      taken[count++] = (int) object;
      hash = mix(hash, object < 0 ? 1 : 0);
    }
  }
}
