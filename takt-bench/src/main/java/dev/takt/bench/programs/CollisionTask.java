package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.stable.StableMap;
import dev.takt.space.Stable;

/**
 * An application full of small objects: a release gets a radar frame with the positions of all
 * aircraft, sorts their motions since the last frame into a red-black tree of the cells that they
 * cross, and looks for those in one cell that came too close. The last positions are stable;
 * vectors, motions, nodes and lists are transient, thousands of them.
 */
@NoAlloc
public final class CollisionTask extends ReflexTask {
  private static final int AIRCRAFT = 256;
  private static final int CELL = 40;
  private static final int SIDE = 1_000;
  private static final double NEAR = 5;

  private final StableMap<Position> positions = new StableMap<>(AIRCRAFT);
  private int frames;
  private long checksum;

  /** Makes the task. */
  public CollisionTask() {}

  /** Where an aircraft was. */
  private static final class Position implements Stable {
    private double x;
    private double y;
    private double z;

    void set(Vector at) {
      x = at.x;
      y = at.y;
      z = at.z;
    }
  }

  private record Vector(double x, double y, double z) {
    Vector plus(Vector other) {
      return new Vector(x + other.x, y + other.y, z + other.z);
    }

    Vector minus(Vector other) {
      return new Vector(x - other.x, y - other.y, z - other.z);
    }

    Vector times(double factor) {
      return new Vector(x * factor, y * factor, z * factor);
    }

    double dot(Vector other) {
      return x * other.x + y * other.y + z * other.z;
    }
  }

  private record Motion(long callSign, Vector from, Vector to) {
    Vector at(double time) {
      return from.plus(to.minus(from).times(time));
    }
  }

  /** One motion in a cell, where it is seen there, and those before it. */
  private record Entry(Motion motion, Vector at, Entry next) {}

  /** A node of a left-leaning red-black tree. */
  private static final class Cell {
    final int key;
    Entry entries;
    Cell left;
    Cell right;
    boolean red = true;

    Cell(int key, Entry entries) {
      this.key = key;
      this.entries = entries;
    }
  }

  @Override
  public void initialize() {
    for (int i = 0; i < AIRCRAFT; i++) {
      Position position = new Position();
      position.x = coordinate(0, i, 7);
      position.y = coordinate(0, i, 11);
      position.z = coordinate(0, i, 13) / 20;
      positions.put(callSign(i), position);
    }
  }

  @Override
  public void execute() {
    frames++;
    Cell root = null;
    for (int i = 0; i < AIRCRAFT; i++) {
      Motion motion = motion(callSign(i), frame(i));
      for (int step = 0; step <= 4; step++) {
        Vector at = motion.at(step * 0.25);
        root = insert(root, (int) (at.x / CELL) * SIDE + (int) (at.y / CELL), motion, at);
        root.red = false;
      }
    }
    checksum = checksum * 31 + collisions(root);
  }

  private static long callSign(int aircraft) {
    return 0x414243_0000L * 31 + aircraft * 7_919L;
  }

  private Vector frame(int i) {
    return new Vector(
        coordinate(frames, i, 7), coordinate(frames, i, 11), coordinate(frames, i, 13) / 20);
  }

  /** A triangle wave, so that aircraft come back. */
  private static double coordinate(int frame, int aircraft, int factor) {
    int phase = (frame * (1 + aircraft * factor % 17) + aircraft * factor * 97) % (2 * SIDE);
    return phase < SIDE ? phase : 2 * SIDE - phase;
  }

  private Motion motion(long callSign, Vector to) {
    Position last = positions.get(callSign);
    Vector from = new Vector(last.x, last.y, last.z);
    last.set(to);
    return new Motion(callSign, from, to);
  }

  private static Cell insert(Cell cell, int key, Motion motion, Vector at) {
    if (cell == null) {
      return new Cell(key, new Entry(motion, at, null));
    }
    if (key < cell.key) {
      cell.left = insert(cell.left, key, motion, at);
    } else if (key > cell.key) {
      cell.right = insert(cell.right, key, motion, at);
    } else if (cell.entries.motion != motion) {
      cell.entries = new Entry(motion, at, cell.entries);
    }
    return balanced(cell);
  }

  private static Cell balanced(Cell cell) {
    Cell top = cell;
    if (isRed(top.right) && !isRed(top.left)) {
      Cell right = top.right;
      top.right = right.left;
      right.left = top;
      right.red = top.red;
      top.red = true;
      top = right;
    }
    if (isRed(top.left) && isRed(top.left.left)) {
      Cell left = top.left;
      top.left = left.right;
      left.right = top;
      left.red = top.red;
      top.red = true;
      top = left;
    }
    if (isRed(top.left) && isRed(top.right)) {
      top.red = true;
      top.left.red = false;
      top.right.red = false;
    }
    return top;
  }

  private static boolean isRed(Cell cell) {
    return cell != null && cell.red;
  }

  private static long collisions(Cell cell) {
    if (cell == null) {
      return 0;
    }
    long found = collisions(cell.left) + collisions(cell.right);
    for (Entry one = cell.entries; one != null; one = one.next) {
      for (Entry other = one.next; other != null; other = other.next) {
        found += isNear(one.motion, other.motion) ? one.motion.callSign & 0xFF : 1;
      }
    }
    return found;
  }

  /** Whether two came near each other between the frames, at the time when they were nearest. */
  private static boolean isNear(Motion one, Motion other) {
    Vector distance = one.from.minus(other.from);
    Vector velocity = one.to.minus(one.from).minus(other.to.minus(other.from));
    double speed = velocity.dot(velocity);
    double time = speed == 0 ? 0 : Math.clamp(-distance.dot(velocity) / speed, 0.0, 1.0);
    Vector nearest = one.at(time).minus(other.at(time));
    return nearest.dot(nearest) < NEAR * NEAR;
  }
}
