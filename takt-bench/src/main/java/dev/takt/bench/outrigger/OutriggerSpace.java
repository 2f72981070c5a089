package dev.takt.bench.outrigger;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.space.JavaSpace;

/** River's Outrigger as a space inside this JVM, without network, discovery, or persistence. */
final class OutriggerSpace implements AutoCloseable {
  /** Kept, because a logger without a reference forgets its level. */
  private static final Logger LOGGER = Logger.getLogger("com.sun.jini.outrigger");

  private final Object server;
  private final JavaSpace space;
  private final LocalTransactionManager manager = new LocalTransactionManager();

  private OutriggerSpace(Object server, JavaSpace space) {
    this.server = server;
    this.space = space;
  }

  /**
   * Starts one. Its classes are package-private, because River starts them by name; so does this.
   */
  static OutriggerSpace start() throws ReflectiveOperationException {
    LOGGER.setLevel(Level.WARNING);
    URL config = OutriggerSpace.class.getResource("outrigger.config");
    Constructor<?> constructor =
        Class.forName("com.sun.jini.outrigger.TransientOutriggerImpl")
            .getDeclaredConstructor(String[].class, Class.forName("com.sun.jini.start.LifeCycle"));
    constructor.setAccessible(true);
    Object server = constructor.newInstance(new String[] {config.toString()}, null);
    return new OutriggerSpace(server, (JavaSpace) call(server, "space"));
  }

  private static Object call(Object server, String name) throws ReflectiveOperationException {
    Method method = server.getClass().getSuperclass().getDeclaredMethod(name);
    method.setAccessible(true);
    return method.invoke(server);
  }

  JavaSpace space() {
    return space;
  }

  ServerTransaction begin() {
    return manager.begin();
  }

  @Override
  public void close() throws ReflectiveOperationException {
    call(server, "destroy");
  }
}
