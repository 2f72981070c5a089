package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableList;
import dev.takt.reflex.stable.StableLongArray;
import dev.takt.reflex.stable.StableQueue;
import dev.takt.reflex.stable.StableStringMap;

/**
 * A task that holds one of all that can be stored. The file of version 1 among the tests was made
 * of it: what is here must not change; another version has another class.
 */
public final class Everything extends ReflexTask {
  private boolean yes;
  private byte small;
  private short medium;
  private char letter;
  private int number;
  private long large;
  private float fraction;
  private double precise;
  private String text;
  private String wide;
  private String same;
  private Color color;
  private Pair pair;
  private Object boxed;
  private Object character;
  private boolean[] bits = new boolean[3];
  private byte[] bytes = new byte[5_000];
  private short[] shorts = new short[3];
  private char[] chars = new char[3];
  private int[] ints = new int[2_000];
  private long[] longs = new long[3];
  private float[] floats = new float[3];
  private double[] doubles = new double[3];
  private Node node;
  private Node again;
  private final StableList<Node> list = new StableList<>(3);
  private final StableQueue<Node> queue = new StableQueue<>(3);
  private final StableStringMap<Node> map = new StableStringMap<>(3);
  private final StableLongArray array = new StableLongArray(100);
  private transient int leftOut;

  /** Makes it with all fields zero and all collections empty, but for the nodes. */
  public Everything() {
    super(1 << 10, 1 << 20);
    node = new Node();
    list.add(new Node());
    queue.offer(new Node());
  }

  @Override
  public void execute() {}

  /** Sets all fields. */
  public Everything fill() {
    yes = true;
    small = -5;
    medium = -30_000;
    letter = '\u4e2d';
    number = Integer.MIN_VALUE;
    large = Long.MAX_VALUE;
    fraction = 1.5f;
    precise = -0.0;
    text = "caf\u00e9";
    wide = "\u4e2d\u6587".repeat(3_000);
    same = text;
    color = Color.GREEN;
    pair = new Pair(1, Double.NaN, text, new Pair(2, 0.5, null, null));
    boxed = Integer.valueOf(-7);
    character = Character.valueOf('x');
    bits[1] = true;
    bytes[4_999] = -1;
    shorts[2] = Short.MIN_VALUE;
    chars[0] = '\uffff';
    ints[1_999] = -2;
    longs[1] = Long.MIN_VALUE;
    floats[0] = Float.NEGATIVE_INFINITY;
    doubles[2] = Double.MIN_VALUE;
    node.count(1);
    node.left(node);
    again = node;
    list.get(0).left(node);
    list.get(0).count(2);
    queue.peek().left(list.get(0));
    map.put("key", list.get(0));
    array.set(99, 3);
    leftOut = 4;
    return this;
  }

  /** Returns whether two fields that held one string still do. */
  public boolean sharesText() {
    return same == text && pair.name() == text;
  }

  /** Returns what is not stored. */
  public int leftOut() {
    return leftOut;
  }
}
