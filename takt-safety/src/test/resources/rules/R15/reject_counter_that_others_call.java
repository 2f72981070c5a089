// A constant object counts how often the JDK and Takt call it.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Template;
import java.util.TreeMap;
import java.util.function.LongPredicate;

class Asked extends ReflexTask {
  static final Counting COUNTING = new Counting();
  static final Key KEY = new Key();
  private int found;

  static final class Counting implements LongPredicate {
    private int calls;

    @Override
    public boolean test(long value) {
      return calls++ > value; // expect: R15 "calls" "telemetry.Asked.COUNTING"
    }
  }

  static final class Key implements Comparable<Key> {
    private int compared;
    private int shown;

    @Override
    public int compareTo(Key other) {
      return compared++; // expect: R15 "compared" "telemetry.Asked.KEY"
    }

    @Override
    public String toString() {
      shown++; // expect: R15 "shown" "telemetry.Asked.KEY"
      return "key";
    }
  }

  @Override
  public void execute() {
    found += test(new Template("reading", null).matchingLong("reading", COUNTING)) ? 1 : 0;
    new TreeMap<Key, Key>().put(KEY, KEY);
    found += ("" + KEY).length();
  }
}
