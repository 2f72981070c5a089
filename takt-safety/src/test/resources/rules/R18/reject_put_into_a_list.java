// The caller's record is put into a list of the JDK.
// layer: both
package plant;

import dev.takt.reflex.Atomic;
import dev.takt.reflex.ReflexTask;
import java.util.ArrayList;
import java.util.List;

class Queue extends ReflexTask {
  private int longest;

  record Job(int number) {}

  @Atomic
  public void submit(Job job) {
    List<Job> jobs = new ArrayList<>();
    jobs.add(job); // expect: R18 "job"
    longest = Math.max(longest, jobs.size());
  }

  @Override
  public void execute() {
    longest--;
  }
}
