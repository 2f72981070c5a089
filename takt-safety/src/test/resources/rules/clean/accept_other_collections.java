// Linked, constant and enumerated collections.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

class Assorted extends ReflexTask {
  private int x;

  enum Side {
    LEFT,
    RIGHT
  }

  @Override
  public void execute() {
    Set<Integer> set = new HashSet<>();
    set.add(x);
    LinkedList<Integer> linked = new LinkedList<>(set);
    linked.addFirst(3);
    Map<String, Integer> inOrder = new LinkedHashMap<>();
    inOrder.put("a", linked.size());
    for (int value : inOrder.values()) {
      x += value;
    }
    List<Integer> constant = List.of(1, 2, 3);
    x += constant.get(x & 1) + new ArrayList<>(constant).size();
    Optional<Integer> found = Optional.of(x);
    x += found.orElse(0) + found.map(value -> value + 1).get();
    EnumMap<Side, Integer> sides = new EnumMap<>(Side.class);
    sides.put(Side.LEFT, 4);
    x += sides.get(Side.LEFT);
    BitSet bits = new BitSet(64);
    bits.set(x & 63);
    x += bits.nextSetBit(0);
  }
}
