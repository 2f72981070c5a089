package dev.takt.bench.persist;

import dev.takt.persist.PersistSettings;
import dev.takt.persist.store.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Fory as a program needs it that relies on what it has stored: its bytes in blocks of the size of
 * Takt's, each with a checksum that is looked at when they are loaded, in the same storage, by a
 * name of which there is always a complete file. A serializer alone ends with an array, of which
 * nobody knows later whether it is whole.
 */
final class SafeForyStorer implements Storer {
  private static final String NAME = "fory";
  private static final String NEXT = "fory.tmp";

  private final ForyStorer fory;
  private final MemoryStorage storage = new MemoryStorage();
  private final CRC32C checksum = new CRC32C();
  private final int blockBytes = PersistSettings.DEFAULTS.blockBytes();
  private final ByteBuffer trailer = ByteBuffer.allocate(Integer.BYTES);
  private byte[] read = {};
  private boolean isStored;

  SafeForyStorer(StoredShape shape, int size) throws ReflectiveOperationException {
    fory = new ForyStorer(shape, size);
  }

  @Override
  public StoredGraph graph() {
    return fory.graph();
  }

  @Override
  public long store() throws IOException {
    int length = (int) fory.store();
    byte[] bytes = fory.buffer();
    long written = 0;
    try (Storage.Output file = storage.create(NEXT)) {
      for (int at = 0; at < length; at += blockBytes) {
        int count = Math.min(blockBytes, length - at);
        file.write(ByteBuffer.wrap(bytes, at, count));
        file.write(trailer.clear().putInt(checksum(bytes, at, count)).flip());
        written += count + Integer.BYTES;
      }
      file.force();
    }
    if (isStored) {
      storage.delete(NAME);
    }
    storage.rename(NEXT, NAME);
    storage.forceNames();
    isStored = true;
    return written;
  }

  private int checksum(byte[] bytes, int at, int count) {
    checksum.reset();
    checksum.update(bytes, at, count);
    return (int) checksum.getValue();
  }

  @Override
  public Object load() throws IOException {
    try (Storage.Input file = storage.open(NAME)) {
      long size = file.size();
      if (read.length < size) {
        read = new byte[(int) size];
      }
      int length = 0;
      for (long from = 0; from < size; ) {
        int count = (int) Math.min(blockBytes, size - from - Integer.BYTES);
        file.read(ByteBuffer.wrap(read, length, count), from);
        file.read(trailer.clear(), from + count);
        if (trailer.getInt(0) != checksum(read, length, count)) {
          throw new IOException("the block at " + from + " is damaged");
        }
        length += count;
        from += count + Integer.BYTES;
      }
      return fory.load(read);
    }
  }

  @Override
  public void close() throws IOException {
    fory.close();
  }
}
