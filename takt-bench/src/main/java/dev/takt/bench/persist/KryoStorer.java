package dev.takt.bench.persist;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.takt.bench.programs.TreeNode;

/** Kryo, with classes registered and shared references kept. */
final class KryoStorer extends PeerStorer {
  private final Kryo kryo = new Kryo();
  private final Output output = new Output(1 << 16, -1);

  KryoStorer(StoredShape shape, int size) throws ReflectiveOperationException {
    super(shape, size);
    kryo.setReferences(true);
    kryo.register(TreeNode.class);
    kryo.register(int[].class);
  }

  @Override
  public long store() {
    output.reset();
    kryo.writeClassAndObject(output, graph().root());
    return output.position();
  }

  @Override
  public Object load() {
    return kryo.readClassAndObject(new Input(output.getBuffer(), 0, output.position()));
  }
}
