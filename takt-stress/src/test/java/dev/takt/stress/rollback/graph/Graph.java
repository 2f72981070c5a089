package dev.takt.stress.rollback.graph;

import dev.takt.reflex.stable.StableList;
import dev.takt.reflex.stable.StableLongArray;
import dev.takt.reflex.stable.StableMap;
import dev.takt.reflex.stable.StableQueue;
import dev.takt.reflex.stable.StableStringMap;
import dev.takt.space.Stable;
import dev.takt.stress.rollback.Steps;

/** Some objects that refer to each other, and all collections. */
public final class Graph implements Stable, Steps {
  private static final int NODES = 12;

  private final StableList<Node> nodes = new StableList<>(NODES);
  private final StableQueue<Node> queue = new StableQueue<>(3);
  private final StableMap<Node> byNumber = new StableMap<>(6);
  private final StableStringMap<Node> byName = new StableStringMap<>(3);
  private final StableLongArray longs = new StableLongArray(70);
  private final int[] ints = new int[3];
  private final double[] doubles = new double[3];
  private final byte[] bytes = new byte[3];
  private int made;

  /** Makes a graph with chance. */
  public Graph(long seed) {
    for (int i = 0; i < NODES; i++) {
      nodes.add(newNode(i));
    }
    long random = seed;
    for (int i = 0; i < 200; i++) {
      random = Case.next(random);
      step(random);
    }
  }

  private Node newNode(long random) {
    Node node = (random & 1) == 0 ? new Leaf(made) : new Twig(made);
    node.give(new Box<>());
    made++;
    return node;
  }

  @Override
  public void step(long random) {
    Node node = nodes.get(Case.below(random, NODES));
    Node other = nodes.get((int) (random >>> 45) % NODES);
    int kind = (int) (random >>> 57);
    if (kind < 80) {
      node.change(Case.next(random), other);
    } else if (kind < 100) {
      objects(kind, random >>> 24, node);
    } else if (kind < 127) {
      numbers(kind, random >>> 24);
    } else if ((random >>> 20 & 31) == 0) {
      nodes.set(Case.below(random, NODES), newNode(random >>> 50));
    }
  }

  /** Puts a new object into the place of another one. */
  void replace() {
    nodes.set(made % NODES, newNode(made));
  }

  private void objects(int kind, long random, Node node) {
    switch (kind % 9) {
      case 0 -> nodes.add(nodes.remove((int) (random & 7)));
      case 1 -> {
        Node last = nodes.removeLast();
        nodes.insert((int) (random & 7), last);
      }
      case 2 -> {
        if (!queue.offer(node)) {
          queue.clear();
        }
      }
      case 3 -> {
        Node oldest = queue.poll();
        if (oldest != null) {
          oldest.wide++;
        }
      }
      case 4, 5 -> {
        byNumber.remove(random & 7);
        if (!byNumber.isFull()) {
          byNumber.put(random >>> 3 & 15, node);
        }
      }
      case 6 -> {
        byName.remove(name(random));
        if (!byName.isFull()) {
          byName.put(name(random >>> 3), node);
        }
      }
      case 7 -> {
        for (Node each : nodes) {
          each.own++;
        }
      }
      default -> {
        if ((random & 15) == 0) {
          byNumber.clear();
        }
      }
    }
  }

  private void numbers(int kind, long random) {
    switch (kind % 7) {
      case 0 -> longs.add((int) (random & 63), random);
      case 1 -> longs.set(64 + (int) (random & 3), random);
      case 2 -> ints[(int) (random & 1)] += 3;
      case 3 -> doubles[2] = doubles[1] + 0.5;
      case 4 -> bytes[(int) (random & 1)] = (byte) random;
      case 5 -> longs.fill(random);
      default -> doubles[(int) (random & 1)] = random;
    }
  }

  private static String name(long random) {
    return switch ((int) (random & 3)) {
      case 0 -> "Aa";
      case 1 -> "BB"; // has the same hash
      case 2 -> "C";
      default -> "D";
    };
  }
}
