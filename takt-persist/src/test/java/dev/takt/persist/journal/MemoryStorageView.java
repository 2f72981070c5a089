package dev.takt.persist.journal;

import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A storage that asks before it forces something. */
abstract class MemoryStorageView implements Storage {
  private final Storage storage;

  MemoryStorageView(Storage storage) {
    this.storage = storage;
  }

  abstract void beforeForce() throws IOException;

  @Override
  public List<String> names() throws IOException {
    return storage.names();
  }

  @Override
  public Output create(String name) throws IOException {
    Output output = storage.create(name);
    return new Output() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        output.write(bytes);
      }

      @Override
      public void force() throws IOException {
        beforeForce();
        output.force();
      }

      @Override
      public void close() throws IOException {
        output.close();
      }
    };
  }

  @Override
  public Input open(String name) throws IOException {
    return storage.open(name);
  }

  @Override
  public void rename(String name, String newName) throws IOException {
    storage.rename(name, newName);
  }

  @Override
  public void delete(String name) throws IOException {
    storage.delete(name);
  }

  @Override
  public void forceNames() throws IOException {
    storage.forceNames();
  }
}
