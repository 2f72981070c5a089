// An object that is handed to a template is called by the space, within the release.
// layer: both
package plant;

import dev.takt.reflex.ReflexTask;
import dev.takt.space.Template;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

class Watcher extends ReflexTask {
  static final Slow SLOW = new Slow();
  private int found;

  static final class Slow implements LongPredicate {
    @Override
    public boolean test(long value) {
      Thread.yield(); // expect: R5 "yield"
      return value > 3;
    }
  }

  static final class Named implements Predicate<String> {
    @Override
    public boolean test(String value) {
      return value.intern() == "pump"; // expect: R2 "intern"
    }
  }

  @Override
  public void execute() {
    Template template = new Template("level", null).matchingLong("level", SLOW);
    template.add("name", null).matchingString("name", new Named());
    found += test(template) ? 1 : 0;
  }
}
