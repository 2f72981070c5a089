package dev.takt.realtime.counters;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The MBeans of the rows, in the platform MBean server of this JVM once it has one: making that
 * server costs some 50 to 100 ms, which only programs with JMX clients pay. These make it first,
 * jconsole and the JVM's own agent among them.
 *
 * <p><b>Thread rule:</b> one thread at a time.
 */
final class CounterBeans {
  /** Which row: its owner is no part of what {@link RowKind#RUNTIME} is called. */
  record Key(RowKind kind, String owner, String name) {
    ObjectName objectName() throws MalformedObjectNameException {
      String quoted = ObjectName.quote(name);
      String between = name.equals(owner) ? "" : "owner=" + owner + ",";
      return new ObjectName("dev.takt:type=" + kind.type() + "," + between + "name=" + quoted);
    }
  }

  private final Counters counters;
  private final Map<Key, ObjectName> registered = new HashMap<>();
  private @Nullable MBeanServer server;

  CounterBeans(Counters counters) {
    this.counters = counters;
  }

  /** Registers what has come and removes what has gone. */
  void refresh(CounterRows rows) {
    MBeanServer server = platformServer();
    if (server == null) {
      return;
    }
    Set<Key> present = new HashSet<>();
    for (int row = 0; row < rows.size(); row++) {
      Key key =
          new Key(rows.kind(row), rows.text(row, RowText.OWNER), rows.text(row, RowText.NAME));
      if (present.add(key) && !registered.containsKey(key)) {
        register(server, key);
      }
    }
    removeUnless(present);
  }

  private void register(MBeanServer server, Key key) {
    try {
      ObjectName name = key.objectName();
      server.registerMBean(new RowBean(counters, key), name);
      registered.put(key, name);
    } catch (InstanceAlreadyExistsException e) {
      // of another loader's Takt in this JVM; it keeps the name
    } catch (JMException e) {
      throw new IllegalStateException(key + " cannot be registered as an MBean: " + e, e);
    }
  }

  void removeOwner(String owner) {
    Set<Key> others = new HashSet<>(registered.keySet());
    others.removeIf(key -> key.owner().equals(owner));
    removeUnless(others);
  }

  void removeAll() {
    removeUnless(Set.of());
  }

  private void removeUnless(Set<Key> present) {
    Iterator<Map.Entry<Key, ObjectName>> all = registered.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Key, ObjectName> each = all.next();
      if (!present.contains(each.getKey())) {
        all.remove();
        try {
          if (server != null) {
            server.unregisterMBean(each.getValue());
          }
        } catch (JMException e) {
          // somebody else has removed it
        }
      }
    }
  }

  private @Nullable MBeanServer platformServer() {
    if (server == null) {
      for (MBeanServer each : MBeanServerFactory.findMBeanServer(null)) {
        if (isPlatform(each)) {
          server = each;
        }
      }
    }
    return server;
  }

  private static boolean isPlatform(MBeanServer server) {
    try {
      return server.isRegistered(new ObjectName("java.lang:type=Runtime"));
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }
}
