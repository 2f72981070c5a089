package dev.takt.bench.programs;

import dev.takt.reflex.NoAlloc;
import dev.takt.reflex.ReflexTask;
import org.openjdk.jmh.annotations.CompilerControl;

/** A list of transient objects, 100 or a given number: none of them can stay in registers. */
@NoAlloc
public final class NewTask extends ReflexTask {
  private final int count;
  private long sum;

  /** Makes the task. */
  public NewTask() {
    this(100);
  }

  /** Makes the task with a number of objects. */
  public NewTask(int count) {
    this.count = count;
  }

  private static final class Node {
    final long value;
    final Node next;

    Node(long value, Node next) {
      this.value = value;
      this.next = next;
    }
  }

  @Override
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public void execute() {
    Node newest = null;
    for (int i = 0; i < count; i++) {
      newest = new Node(i, newest);
    }
    sum += valueOf(newest);
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static long valueOf(Node node) {
    return node.value;
  }
}
