package dev.takt.kept;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A task with a list of leaves, which refer to others of it. */
public final class Branch extends ReflexTask {
  private Leaf first;

  /** Makes it without any. */
  public Branch() {
    super(1 << 10, 64 << 20);
  }

  /** Returns the first leaf. */
  public Leaf first() {
    return first;
  }

  /** Puts a leaf before the others. */
  @Override
  public void execute() {
    Leaf leaf = new Leaf();
    leaf.next(first);
    first = leaf;
  }

  /** Makes leaves with values of all widths. */
  public void fill(Random random, int count) {
    List<Leaf> leaves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      leaves.add(new Leaf());
    }
    for (int i = 0; i < count; i++) {
      Leaf back = random.nextInt(3) == 0 ? null : leaves.get(random.nextInt(count));
      Object any = random.nextInt(3) == 0 ? Integer.toString(i) : null;
      leaves.get(i).fill(random, i + 1 < count ? leaves.get(i + 1) : null, back, any);
    }
    first = leaves.getFirst();
  }

  /** Returns the values of all leaves, and which others they refer to. */
  public List<String> values() {
    Map<Leaf, Integer> numbers = new IdentityHashMap<>();
    for (Leaf leaf = first; leaf != null; leaf = leaf.next()) {
      numbers.put(leaf, numbers.size());
    }
    List<String> values = new ArrayList<>();
    for (Leaf leaf = first; leaf != null; leaf = leaf.next()) {
      values.add(leaf.values() + " " + numbers.get(leaf.back()));
    }
    return values;
  }
}
