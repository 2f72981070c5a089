// A list of the JDK, for the time of a release.
// layer: both
package trading;

import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Sorting extends ReflexTask {
  private int best;

  @Override
  public void execute() {
    List<Integer> scores = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      scores.add(i ^ 5);
    }
    scores.remove(0);
    scores.set(1, 40);
    for (Integer score : scores) {
      best = Math.max(best, score);
    }
    if (scores.contains(40) && scores.indexOf(40) == 1) {
      best -= scores.size();
    }
  }
}
