// The call goes through a bridge method that the compiler has made.
// layer: both
package reach;

import dev.takt.reflex.ReflexTask;

class Task extends ReflexTask {
  private int x;

  @Override
  public void execute() {
    Codec<Frame> codec = new FrameCodec();
    x = codec.size(new Frame(x));
  }
}

interface Codec<T> {
  int size(T item);
}

record Frame(int length) {}

class FrameCodec implements Codec<Frame> {
  @Override
  public int size(Frame frame) {
    System.gc(); // expect: R28 "System.gc"
    return frame.length();
  }
}
