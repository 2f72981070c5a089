package dev.takt.samples.fix;

import dev.takt.persist.store.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Files in memory of a machine that goes down at a step: from then on nothing can be done, and what
 * was not forced may be there in part. Names are safe at once.
 */
final class CrashStorage implements Storage {
  private static final class Content {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int safe;
  }

  private final TreeMap<String, Content> files = new TreeMap<>();
  private int steps;
  private int downAt = Integer.MAX_VALUE;

  synchronized void downAt(int step) {
    downAt = step;
  }

  /** It goes down. */
  synchronized void down() {
    downAt = 0;
  }

  synchronized boolean isDown() {
    return steps >= downAt;
  }

  private void step() throws IOException {
    if (steps < downAt) {
      steps++;
    }
    if (steps >= downAt) {
      throw new IOException("the machine is down");
    }
  }

  /** Returns what there is when the machine starts again. */
  synchronized CrashStorage restarted(Random random) {
    CrashStorage after = new CrashStorage();
    files.forEach(
        (name, content) -> {
          Content left = new Content();
          int unsafe = content.bytes.size() - content.safe;
          left.bytes.write(
              content.bytes.toByteArray(), 0, content.safe + random.nextInt(unsafe + 1));
          left.safe = left.bytes.size();
          after.files.put(name, left);
        });
    return after;
  }

  @Override
  public synchronized List<String> names() throws IOException {
    step();
    return List.copyOf(files.keySet());
  }

  @Override
  public synchronized Output create(String name) throws IOException {
    step();
    Content content = new Content();
    if (files.putIfAbsent(name, content) != null) {
      throw new IOException(name + " is there");
    }
    return new Output() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        synchronized (CrashStorage.this) {
          byte[] copy = new byte[bytes.remaining()];
          bytes.get(copy);
          if (!isDown()) {
            content.bytes.writeBytes(copy); // it may be there although it goes down now
          }
          step();
        }
      }

      @Override
      public void force() throws IOException {
        synchronized (CrashStorage.this) {
          step();
          content.safe = content.bytes.size();
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized Input open(String name) throws IOException {
    step();
    byte[] bytes = files.get(name).bytes.toByteArray();
    return new Input() {
      @Override
      public long size() {
        return bytes.length;
      }

      @Override
      public int read(ByteBuffer into, long position) {
        int count = (int) Math.min(into.remaining(), bytes.length - position);
        if (count <= 0) {
          return -1;
        }
        into.put(bytes, (int) position, count);
        return count;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized void rename(String name, String newName) throws IOException {
    step();
    files.put(newName, files.remove(name));
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    step();
    files.remove(name);
  }

  @Override
  public synchronized void forceNames() throws IOException {
    step();
  }
}
