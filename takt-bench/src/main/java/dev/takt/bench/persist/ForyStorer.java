package dev.takt.bench.persist;

import dev.takt.bench.programs.TreeNode;
import java.util.Arrays;
import org.apache.fory.Fory;
import org.apache.fory.logging.LoggerFactory;
import org.apache.fory.memory.MemoryBuffer;

/** Fory for Java objects, with classes registered and shared references kept. */
final class ForyStorer extends PeerStorer {
  static {
    LoggerFactory.disableLogging();
  }

  private final Fory fory;
  private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 16);

  ForyStorer(StoredShape shape, int size) throws ReflectiveOperationException {
    super(shape, size);
    fory =
        Fory.builder()
            .withXlang(false)
            .withRefTracking(true)
            .requireClassRegistration(true)
            .withMaxDepth(1_000)
            .build();
    fory.register(TreeNode.class);
  }

  @Override
  public long store() {
    buffer.writerIndex(0);
    fory.serialize(buffer, graph().root());
    return buffer.writerIndex();
  }

  /** Returns the array at whose begin is what was stored last, until something else is. */
  byte[] buffer() {
    return buffer.getHeapMemory();
  }

  /** Returns what was stored last. */
  byte[] bytes() {
    return Arrays.copyOf(buffer.getHeapMemory(), buffer.writerIndex());
  }

  @Override
  public Object load() {
    buffer.readerIndex(0);
    return fory.deserialize(buffer);
  }

  /** Loads what another one has stored. */
  Object load(byte[] bytes) {
    return fory.deserialize(bytes);
  }
}
