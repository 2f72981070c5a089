package dev.takt.persist.journal;

import dev.takt.persist.store.FolderStorage;
import dev.takt.space.EventSpace;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A program that commits for as long as it lives, and says what has returned. */
final class KilledProgram {
  static final int THREADS = 3;

  private KilledProgram() {}

  /** Begins where the journal in the folder that is the only argument ends. */
  @SuppressWarnings("resource") // it is never closed
  public static void main(String[] folder) throws IOException {
    EventSpace space = EventSpace.create();
    Journal.open(
        FolderStorage.open(Path.of(folder[0])),
        space,
        JournalSettings.DEFAULTS.withSizes(1 << 17, 1 << 16, 1 << 16));
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      int from = Steps.counter(space, thread);
      new Thread(
              () -> {
                try {
                  for (int n = from + 1; ; n++) {
                    Steps.step(space, thread, n);
                    // one write, so that lines do not mix and none is kept back
                    out.write((thread + " " + n + "\n").getBytes(StandardCharsets.US_ASCII));
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              })
          .start();
    }
  }
}
