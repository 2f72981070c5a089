// A visitor that refers to stable objects, kept in a static.
// layer: both
// neighbour: R15, because R12 itself only permits
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Stable;

class Rounds extends ReflexTask {
  private static Visitor visitor;
  private final Post post = new Post();

  record Visitor(Post at) {}

  @Override
  public void execute() {
    visitor = new Visitor(post); // expect: R15 "visitor"
  }
}

class Post implements Stable {
  int visits;
}
