// A task that reads its settings from a file.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class Settings extends ReflexTask {
  private long sizeBytes;

  @Override
  public void execute() {
    try {
      sizeBytes = load();
    } catch (IOException e) {
      sizeBytes = 0;
    }
  }

  private static long load() throws IOException {
    return Files.size(Path.of("settings")); // expect: R5 "java.nio.file"
  }
}
