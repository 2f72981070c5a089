// What a release has counted in an object that is not stable stays when the release is undone.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;

class Loader extends ReflexTask {
  private final Total total;
  private int attempts;

  static final class Total {
    long tonnes;
  }

  Loader(Total total) {
    this.total = total;
  }

  @Override
  public void execute() {
    total.tonnes += 2; // expect: R15 "plant.Loader$Total.tonnes" "plant.Loader.total"
    if (++attempts % 2 == 0) {
      abort();
    }
  }
}
