// In the iterator of a loop over a class of the program.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;
import java.util.Iterator;

class Task extends ReflexTask {
  private long x;

  @Override
  public void execute() {
    for (Integer each : new Range(3)) {
      x += each;
    }
  }
}

record Range(int end) implements Iterable<Integer> {
  @Override
  public Iterator<Integer> iterator() {
    return new Cursor(end);
  }
}

class Cursor implements Iterator<Integer> {
  private final int end;
  private int at;

  Cursor(int end) {
    this.end = end;
  }

  @Override
  public boolean hasNext() {
    return at < end;
  }

  @Override
  public Integer next() {
    System.gc(); // expect: R28 "System.gc"
    return at++;
  }
}
