// The feed's library is absent at run time, but only ordinary code uses it.
// layer: both
// library: vendor/Feed.java
// missing: vendor.Feed
package trading;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Event;
import dev.takt.space.EventSpace;
import vendor.Feed;

class Follower extends ReflexTask {
  private double last;

  @Override
  public void execute() {
    Event tick = take(new Event("tick", null));
    if (tick != null) {
      last = tick.getDouble("tick");
    }
  }
}

class Gateway {
  private final Feed feed = new Feed();

  void pump(EventSpace space) {
    space.write(new Event("tick", feed.latest()));
  }
}
