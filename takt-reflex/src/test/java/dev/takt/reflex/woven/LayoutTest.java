package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.takt.scripted.Account;
import dev.takt.scripted.Node;
import dev.takt.scripted.SavingsAccount;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The layout model counts what this JVM really allocates. */
class LayoutTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int COUNT = 1_000;

  static class Empty {}

  static class OneByte {
    byte a;
  }

  static class ByteAfterByte extends OneByte {
    byte b;
  }

  static class OneLong {
    long a;
  }

  /** The long leaves a gap of 4 after the header. */
  static class LongThenInt extends OneLong {
    int b;
  }

  static class Mixed {
    boolean a;
    long b;
    short c;
    Object d;
    int e;
    char f;
    byte g;
    double h;
    float i;
    String j;
  }

  static class MixedChild extends Mixed {
    Object k;
    byte l;
    long m;
    short n;
  }

  static class MixedGrandchild extends MixedChild {
    boolean o;
    int p;
    Object q;
    byte r;
  }

  static class Bytes {
    byte a;
    byte b;
    byte c;
    byte d;
    byte e;
  }

  static class BytesThenLong extends Bytes {
    long f;
    short g;
    byte h;
  }

  static class ShortThenReferences extends OneByte {
    short a;
    Object b;
    Object c;
    Object d;
  }

  record Point(int x, double y, Object z) {}

  /** What the thread allocates for each object, without the place it is kept in. */
  private static long measured(Supplier<Object> maker) {
    Object[] kept = new Object[COUNT];
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < COUNT; i++) {
        kept[i] = maker.get();
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(kept).doesNotContainNull();
    return least / COUNT;
  }

  @Test
  void shouldCountObjectsAsJvmDoes() {
    Map<Class<?>, Supplier<Object>> makers = new LinkedHashMap<>();
    makers.put(Empty.class, Empty::new);
    makers.put(OneByte.class, OneByte::new);
    makers.put(ByteAfterByte.class, ByteAfterByte::new);
    makers.put(OneLong.class, OneLong::new);
    makers.put(LongThenInt.class, LongThenInt::new);
    makers.put(Mixed.class, Mixed::new);
    makers.put(MixedChild.class, MixedChild::new);
    makers.put(MixedGrandchild.class, MixedGrandchild::new);
    makers.put(Bytes.class, Bytes::new);
    makers.put(BytesThenLong.class, BytesThenLong::new);
    makers.put(ShortThenReferences.class, ShortThenReferences::new);
    makers.put(Point.class, () -> new Point(1, 2, null));
    makers.put(Node.class, () -> Node.of(1, null));
    makers.put(Account.class, () -> Account.of(0));
    makers.put(SavingsAccount.class, () -> SavingsAccount.of(0));
    makers.forEach(
        (type, maker) ->
            assertThat(Layout.sizeOf(type)).as(type.getName()).isEqualTo((int) measured(maker)));
  }

  @Test
  void shouldCountArraysAsJvmDoes() {
    Class<?>[] components = {
      boolean.class,
      byte.class,
      short.class,
      char.class,
      int.class,
      long.class,
      float.class,
      double.class,
      String.class,
      int[].class
    };
    Random random = new Random(42);
    for (Class<?> component : components) {
      for (int length : new int[] {0, 1, 3, 8, random.nextInt(100)}) {
        assertThat(Layout.arraySize(component, length))
            .as("%s[%d]", component, length)
            .isEqualTo((int) measured(() -> Array.newInstance(component, length)));
      }
    }
  }
}
