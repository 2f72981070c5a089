// A task that serializes its report.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

class Reporter extends ReflexTask {
  private int failures;

  @Override
  public void execute() {
    try {
      report(null);
    } catch (IOException e) {
      failures++;
    }
  }

  private static void report(OutputStream to) throws IOException {
    new ObjectOutputStream(to); // expect: R3 "ObjectOutputStream"
  }
}
