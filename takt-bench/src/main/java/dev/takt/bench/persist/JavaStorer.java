package dev.takt.bench.persist;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** Java serialization. */
final class JavaStorer extends PeerStorer {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  JavaStorer(StoredShape shape, int size) throws ReflectiveOperationException {
    super(shape, size);
  }

  @Override
  public long store() throws IOException {
    bytes.reset();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(graph().root());
    }
    return bytes.size();
  }

  @Override
  public Object load() throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
