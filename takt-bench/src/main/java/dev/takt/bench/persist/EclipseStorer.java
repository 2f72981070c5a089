package dev.takt.bench.persist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.eclipse.store.storage.embedded.types.EmbeddedStorage;
import org.eclipse.store.storage.embedded.types.EmbeddedStorageManager;

/**
 * EclipseStore, each time into an empty folder for temporary files: it knows no memory to store to,
 * and does not store again what is stored already.
 */
final class EclipseStorer extends PeerStorer {
  private final Path folder = Files.createTempDirectory("takt-eclipsestore");
  private final Object[] holder = {null};
  private EmbeddedStorageManager storage;

  EclipseStorer(StoredShape shape, int size) throws ReflectiveOperationException, IOException {
    super(shape, size);
  }

  @Override
  public void prepare() throws IOException {
    close();
    holder[0] = null;
    storage = EmbeddedStorage.start(holder, folder);
  }

  @Override
  public long store() throws IOException {
    holder[0] = graph().root();
    storage.store(holder);
    return sizes();
  }

  private long sizes() throws IOException {
    long sum = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        sum += Files.size(each);
      }
    }
    return sum;
  }

  /** Starts it again, which loads everything. */
  @Override
  public Object load() {
    storage.shutdown();
    storage = EmbeddedStorage.start(folder);
    return ((Object[]) storage.root())[0];
  }

  @Override
  public void close() throws IOException {
    if (storage != null) {
      storage.shutdown();
      storage = null;
    }
    TemporaryFolder.delete(folder);
  }
}
