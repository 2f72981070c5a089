// The release asks a feed whose library is absent.
// layer: bytecode, because the compiler has the library and only the installation does not
// library: vendor/Feed.java
// missing: vendor.Feed
package trading;

import dev.takt.reflex.ReflexTask;
import vendor.Feed;

class Quoter extends ReflexTask {
  private double mid;

  @Override
  public void execute() {
    mid = new Feed().latest(); // expect: R1 "vendor.Feed"
  }
}
