package dev.takt.space;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that have a given set of keys, by the fingerprint of the values of some of them: one
 * branch of the event tree, and, with the subscriptions of the same fingerprints, one of its
 * reverse.
 *
 * <p><b>Purpose:</b> to find the oldest event that matches a template, and the subscriptions that
 * match an event, in time that depends neither on the number of events nor on the number of
 * subscriptions. There is one index for each signature in use: the keys of a template, divided into
 * those with a concrete value and those with a wildcard. An event is in an index if it has all keys
 * of the signature; its bucket follows from its values for the concrete ones.
 *
 * <p><b>Structure:</b> a bucket is a linked list in the order of writing. A node belongs to a slot
 * for good; a link carries the slot's generation and is stale when the slot has been reused.
 *
 * <pre>
 * bucket:  head link, and apart tail hint      link:  gen:36 | slot+1:27 | mark:1
 * node:    next link | prev hint | gen:36, fingerprint:28 | position:64
 * </pre>
 *
 * <p>Insertion is at the end only (one compare-and-set on the last node's {@code next}). Removal
 * marks the node's own {@code next}, which freezes it, then swings the predecessor's; a node is out
 * once no unmarked node links to it. An empty {@code next} carries the node's own generation, so
 * that an append to a node that has left the list, or has come back in another, fails. {@code prev}
 * and {@code tail} are hints: they make both ends of the work O(1), and nothing but speed depends
 * on them; a bucket of one node needs no tail. Positions rise along a list; they tell a removal
 * that it has passed its node. They have 64 bits and are compared by their difference, so an event
 * may stay while 2^63 others come and go behind it.
 *
 * <p><b>Guarantees:</b> (1) from the append's compare-and-set to the removal's, a node is reachable
 * from the head. (2) A walk sees every node that is in the list from before its start to after its
 * end. (3) After {@link #remove} returns, no walk that starts later sees the node, so its slot may
 * be reused. (4) Lock-free: an operation repeats a step only when another thread's step succeeded.
 *
 * <p><b>Thread rule:</b> any thread; a slot is appended by the transaction that writes it and
 * removed by the one that frees it, each once.
 *
 * <p><b>Memory:</b> 32 bytes for each slot and 16 for each bucket; there are one to two buckets for
 * each slot.
 */
final class Index {
  static final int NEXT = 0;
  static final int PREV = 1;
  private static final int KEY = 2;
  static final int POSITION = 3;
  private static final int NODE_SHIFT = 2;

  /** Nothing is beyond it. */
  private static final int NOWHERE = -1;

  private static final long MARK = 1;
  private static final long SLOT = 0xFFF_FFFEL;
  private static final int GEN_SHIFT = 28;

  /** The bits of a node's key that come from the fingerprint; a bucket's number is less. */
  private static final long FINGERPRINT = (1L << GEN_SHIFT) - 1;

  final int id;

  /** The keys: the concrete ones, sorted, then those with a wildcard, sorted. */
  final String[] keys;

  final int concrete;

  private final EventSlots slots;
  final long seed;
  private final int bucketMask;
  private final long[] heads;
  private final long[] tails;
  final long[] nodes;

  /**
   * The plan that was made last for a template of this index: templates of one kind share it. Any
   * value is right.
   */
  volatile @Nullable LookupPlan plan;

  /** The events that were there before this index; null until someone has looked. */
  private volatile @Nullable IndexBackfill backfill;

  final SubscriptionTable notified;

  /** Subscriptions without notification. */
  private final SubscriptionTable polled;

  Index(int id, String[] keys, int concrete, EventSlots slots, int maxSubscriptions) {
    this.id = id;
    this.keys = keys;
    this.concrete = concrete;
    this.slots = slots;
    this.seed = OrderedAccess.mix64(Arrays.hashCode(keys) * 31L + concrete ^ slots.start.seed());
    int size = concrete == 0 ? 1 : buckets(slots.capacity);
    bucketMask = size - 1;
    heads = new long[size];
    tails = new long[size];
    nodes = new long[node(slots.count)];
    int buckets = concrete == 0 ? 1 : buckets(maxSubscriptions);
    notified = new SubscriptionTable(buckets);
    polled = new SubscriptionTable(buckets);
  }

  /** Returns how many buckets there are for so many entries: one to two for each. */
  static int buckets(int entries) {
    return Integer.highestOneBit(Math.max(1, entries * 2 - 1));
  }

  /** Returns how much of the heap one takes at most, with references of four bytes. */
  static long heapBytes(SpaceSettings settings) {
    int slots = EventSlots.count(settings);
    long lists = ((long) slots << NODE_SHIFT) + 2L * buckets(settings.capacity());
    long subscribed = 2L * buckets(settings.maxSubscriptions());
    return lists * Long.BYTES + subscribed * Integer.BYTES + IndexBackfill.heapBytes(slots);
  }

  // ---- fingerprints

  static long fingerprintStep(long fingerprint, int type, long word) {
    return OrderedAccess.hashStep(
        fingerprint ^ (Types.isScalar(type) ? word : word & 0xFFFF_FFFFL));
  }

  int bucket(long fingerprint) {
    return (int) fingerprint & bucketMask;
  }

  // ---- links

  static long link(int slot, long gen) {
    return gen << GEN_SHIFT | (long) (slot + 1) << 1;
  }

  static boolean isEnd(long link) {
    return (link & SLOT) == 0;
  }

  static boolean isMarked(long link) {
    return (link & MARK) != 0;
  }

  static int slot(long link) {
    return (int) ((link & SLOT) >>> 1) - 1;
  }

  static long gen(long link) {
    return link >>> GEN_SHIFT;
  }

  static int node(int slot) {
    return EventSlots.TO_LINE + (slot << NODE_SHIFT);
  }

  private static long end(long gen) {
    return gen << GEN_SHIFT;
  }

  /**
   * What a predecessor must hold to link to what {@code next} links to; {@code before} is 0 for the
   * bucket's head.
   */
  private static long successor(long next, long before) {
    return isEnd(next) ? (before == 0 ? 0 : end(gen(before))) : next & ~MARK;
  }

  // ---- walking

  long headAcquire(int bucket) {
    return OrderedAccess.getAcquire(heads, bucket);
  }

  /** The head of a fingerprint's list; opaque, for a caller that does not follow it. */
  long headOpaque(long fingerprint) {
    return OrderedAccess.getOpaque(heads, bucket(fingerprint));
  }

  long nextAcquire(int slot) {
    return OrderedAccess.getAcquire(nodes, node(slot) + NEXT);
  }

  /**
   * Whether a link's node may have a fingerprint; plain, the walk validates the generation
   * afterwards. Of the fingerprint it has some bits only, and a caller that finds one compares the
   * values anyway.
   */
  boolean mayHave(long link, long fingerprint) {
    return nodes[node(slot(link)) + KEY] == (link & ~FINGERPRINT | fingerprint & FINGERPRINT);
  }

  /**
   * Whether a link's node has been reused for another event, so that what was read of it before may
   * be the other's. A node that has left its list and was not reused still leads on to what came
   * after it.
   */
  boolean isStale(long link) {
    OrderedAccess.loadLoadFence();
    return gen(OrderedAccess.getAcquire(nodes, node(slot(link)) + KEY)) != gen(link);
  }

  /** Whether a position is after that of the node {@code sought} in the same list. */
  private boolean isBeyond(long position, int sought) {
    return sought != NOWHERE && position - nodes[sought + POSITION] > 0;
  }

  // ---- appending

  /** Adds a slot at the end of its bucket. */
  void append(int slot, long gen, long fingerprint) {
    final long[] nodes = this.nodes;
    int bucket = bucket(fingerprint);
    int node = node(slot);
    long self = link(slot, gen);
    nodes[node + KEY] = gen << GEN_SHIFT | fingerprint & FINGERPRINT;
    OrderedAccess.storeStoreFence();
    nodes[node + NEXT] = end(gen);
    while (true) {
      long last = last(bucket);
      OrderedAccess.setOpaque(nodes, node + PREV, last);
      if (last == 0) {
        nodes[node + POSITION] = slots.start.position();
        if (OrderedAccess.compareAndSet(heads, bucket, 0, self)) {
          return;
        }
      } else {
        int lastNode = node(slot(last));
        nodes[node + POSITION] = nodes[lastNode + POSITION] + 1;
        if (OrderedAccess.compareAndSet(nodes, lastNode + NEXT, end(gen(last)), self)) {
          OrderedAccess.setOpaque(tails, bucket, self);
          return;
        }
      }
    }
  }

  /** Returns the link of the last node that is not marked, or 0 if the bucket is empty. */
  private long last(int bucket) {
    long head = OrderedAccess.getAcquire(heads, bucket);
    if (head == 0 || isLast(head)) {
      return head;
    }
    long tail = OrderedAccess.getOpaque(tails, bucket);
    return !isEnd(tail) && isLast(tail) && isIn(tail, bucket) ? tail : lastSlowPath(bucket, tail);
  }

  /**
   * An empty {@code next} with the link's own generation: the node is in the list, and nothing
   * comes after it.
   */
  private boolean isLast(long link) {
    return nextAcquire(slot(link)) == end(gen(link));
  }

  /**
   * A tail hint can be older than a whole turn of its slot's generations, and its node then be the
   * last one of another bucket.
   */
  private boolean isIn(long link, int bucket) {
    return bucket(nodes[node(slot(link)) + KEY]) == bucket;
  }

  private long lastSlowPath(int bucket, long tail) {
    return traverse(bucket, living(tail, bucket, NOWHERE), NOWHERE);
  }

  // ---- removing

  /** Takes a slot out of its bucket; afterwards no new walk finds it. */
  void remove(int slot, long gen) {
    int node = node(slot);
    long self = link(slot, gen);
    long before = OrderedAccess.getOpaque(nodes, node + PREV);
    long next = freeze(node);
    int bucket = bucketOf(slot);
    boolean alone = before == 0 && isEnd(next);
    if (alone
        ? !OrderedAccess.compareAndSet(heads, bucket, self, 0)
        : !swing(bucket, before, self, self, next)) {
      removeSlowPath(slot);
    }
  }

  /**
   * Takes several slots out of their buckets, as {@link #remove} does; those that follow one
   * another in a list leave it in one step. May be done again if it was cut off.
   */
  void removeAll(int[] group, int from, int count) {
    int end;
    for (int begin = from; begin < count; begin = end) {
      end = begin + 1;
      int first = group[begin];
      if (!isIn(first)) {
        continue;
      }
      long next = freeze(node(first));
      while (end < count && slot(next) == group[end]) {
        next = freeze(node(group[end]));
        end++;
      }
      long before = OrderedAccess.getOpaque(nodes, node(first) + PREV);
      if (!swing(bucketOf(first), before, self(first), self(group[end - 1]), next)) {
        for (int i = begin; i < end; i++) {
          removeSlowPath(group[i]);
        }
      }
    }
  }

  private void removeSlowPath(int slot) {
    int node = node(slot);
    int bucket = bucketOf(slot);
    traverse(bucket, living(OrderedAccess.getOpaque(nodes, node + PREV), bucket, node), node);
  }

  /** Marks a node, so that nothing is appended to it any more, and returns what it links to. */
  private long freeze(int node) {
    final long[] nodes = this.nodes;
    long next = OrderedAccess.getAcquire(nodes, node + NEXT);
    while (!isMarked(next) && !OrderedAccess.compareAndSet(nodes, node + NEXT, next, next | MARK)) {
      next = OrderedAccess.getAcquire(nodes, node + NEXT);
    }
    return next;
  }

  /** The bucket of a slot that is in this index. */
  int bucketOf(int slot) {
    return bucket(nodes[node(slot) + KEY]);
  }

  private long self(int slot) {
    return link(slot, gen(nodes[node(slot) + KEY]));
  }

  private boolean isIn(int slot) {
    return (slots.linkedAcquire(slot) >>> id & 1) != 0;
  }

  /**
   * Lets the predecessor link past marked nodes that follow one another; false if {@code before} is
   * not the predecessor of the first any more.
   *
   * @param next what the last one links to
   */
  private boolean swing(int bucket, long before, long first, long last, long next) {
    boolean done =
        before == 0
            ? OrderedAccess.compareAndSet(heads, bucket, first, successor(next, 0))
            : OrderedAccess.compareAndSet(
                nodes, node(slot(before)) + NEXT, first, successor(next, before));
    if (done) {
      if (!isEnd(next)) {
        OrderedAccess.setOpaque(nodes, node(slot(next)) + PREV, before);
      } else if (before != 0 && OrderedAccess.getOpaque(tails, bucket) == last) {
        OrderedAccess.setOpaque(tails, bucket, before);
      }
    }
    return done;
  }

  /**
   * Follows the hints backwards from {@code link} to a node that is in this bucket and not after
   * the node {@code sought}, or to 0, the head. A hint can have been meant for a former event of
   * the slot, and then lead into another bucket: hence the check.
   */
  private long living(long link, int bucket, int sought) {
    while (!isEnd(link)) {
      int node = node(slot(link));
      long next = OrderedAccess.getAcquire(nodes, node + NEXT);
      long before = OrderedAccess.getOpaque(nodes, node + PREV);
      boolean here =
          bucket(nodes[node + KEY]) == bucket && !isBeyond(nodes[node + POSITION], sought);
      if (!here || isStale(link)) {
        return 0;
      }
      if (!isMarked(next)) {
        return link;
      }
      link = before;
    }
    return 0;
  }

  /**
   * Walks from {@code start} (in the list, or 0 for the head), swinging past every marked node,
   * until the end or a node after the node {@code sought}; returns the last unmarked node, or 0.
   */
  private long traverse(int bucket, long start, int sought) {
    restart:
    while (true) {
      long before = start;
      start = 0;
      while (true) {
        long link =
            before == 0
                ? OrderedAccess.getAcquire(heads, bucket)
                : OrderedAccess.getAcquire(nodes, node(slot(before)) + NEXT);
        if (before != 0 && (isMarked(link) || isStale(before))) {
          continue restart;
        }
        if (isEnd(link)) {
          return before;
        }
        int node = node(slot(link));
        long next = OrderedAccess.getAcquire(nodes, node + NEXT);
        long position = nodes[node + POSITION];
        if (isStale(link)) {
          continue restart;
        }
        if (isMarked(next)) {
          if (!swing(bucket, before, link, link, next)) {
            continue restart;
          }
        } else {
          if (isBeyond(position, sought)) {
            return before;
          }
          before = link;
        }
      }
    }
  }

  // ---- the events from before this index

  IndexBackfill backfill() {
    IndexBackfill backfill = this.backfill;
    return backfill != null ? backfill : backfillSlowPath();
  }

  private IndexBackfill backfillSlowPath() {
    throw new AssertionError("index " + id + " is in use before its elders are known");
  }

  boolean hasBackfill() {
    return backfill != null;
  }

  /**
   * Anyone may work them out; all who do find the same, and the last to say so is as right as the
   * first.
   */
  void backfill(IndexBackfill backfill) {
    if (this.backfill == null) {
      this.backfill = backfill;
    }
  }

  // ---- subscriptions

  void subscribe(Handle handle) {
    subscriptions(handle).add(handle);
  }

  void unsubscribe(Handle handle) {
    subscriptions(handle).remove(handle);
  }

  private SubscriptionTable subscriptions(Handle handle) {
    return handle.isNotified ? notified : polled;
  }

  /** Returns the subscriptions; for {@code dump}. */
  List<Handle> handles() {
    List<Handle> handles = notified.handles();
    handles.addAll(polled.handles());
    return handles;
  }

  /** Returns how many subscriptions there are; for {@code dump}. */
  int subscriptionCount() {
    return notified.count() + polled.count();
  }
}
