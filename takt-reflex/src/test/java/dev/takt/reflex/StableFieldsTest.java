package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.space.Event;
import dev.takt.space.Handle;
import dev.takt.space.Stable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StableFieldsTest {
  enum Side {
    BUY,
    SELL
  }

  record Quote(String symbol, double price, Side side) {}

  record Chain(int value, Chain next) {}

  record Mutable(int[] values) {}

  record D0(int value) {}

  record D1(D0 inner) {}

  record D2(D1 inner) {}

  record D3(D2 inner) {}

  record D4(D3 inner) {}

  record D5(D4 inner) {}

  record D6(D5 inner) {}

  record D7(D6 inner) {}

  record D8(D7 inner) {}

  /** One array of each type. */
  static final class Arrays extends ReflexTask {
    private long[] longs;
    private double[] doubles;
    private int[] ints;
    private float[] floats;
    private short[] shorts;
    private char[] chars;
    private byte[] bytes;
    private boolean[] booleans;

    void set(Object array) {
      switch (array) {
        case long[] a -> longs = a;
        case double[] a -> doubles = a;
        case int[] a -> ints = a;
        case float[] a -> floats = a;
        case short[] a -> shorts = a;
        case char[] a -> chars = a;
        case byte[] a -> bytes = a;
        case boolean[] a -> booleans = a;
        default -> throw new IllegalArgumentException();
      }
    }

    @Override
    public void execute() {}
  }

  static class Base extends ReflexTask {
    private int inherited = 1;
    protected final int constant = 5;

    @Override
    public void execute() {}

    void changeInherited() {
      inherited = 99;
    }

    int inherited() {
      return inherited;
    }
  }

  static final class Book implements Stable {
    private final long[] levels = new long[4];
    private int size = 2;
    private String name = "book";
    private final Book self = this;

    void change() {
      levels[1] = 77;
      size++;
      name = "changed";
    }
  }

  static final class Everything extends Base {
    static int shared;
    boolean flag = true;
    byte b = 1;
    short s = 2;
    char c = 'c';
    int i = 3;
    long l = 4;
    float f = 5;
    double d = 6;
    Integer boxed = 7;
    String text = "text";
    Side side = Side.BUY;
    Quote quote = new Quote("A", 1, Side.SELL);
    Chain chain = new Chain(1, new Chain(2, null));
    Handle handle;
    final Book book = new Book();
    final double[] prices = {1, 2, 3};
    int[] counts = {4, 5};
    byte[] none;
    transient List<String> scratch = new ArrayList<>();
    transient int counter = 8;

    void change() {
      shared = 1;
      flag = false;
      b++;
      s++;
      c++;
      i++;
      l++;
      f++;
      d++;
      boxed = 1000;
      text = null;
      side = Side.SELL;
      quote = null;
      chain = chain.next;
      book.change();
      prices[2] = 100;
      counts[0] = 100;
      counts = new int[10];
      none = new byte[3];
      scratch.add("kept");
      counter++;
      changeInherited();
    }

    void assertUnchanged() {
      assertThat(flag).isTrue();
      assertThat(new long[] {b, s, c, i, l}).containsExactly(1, 2, 'c', 3, 4);
      assertThat(new double[] {f, d}).containsExactly(5, 6);
      assertThat(boxed).isEqualTo(7);
      assertThat(text).isEqualTo("text");
      assertThat(side).isEqualTo(Side.BUY);
      assertThat(quote).isEqualTo(new Quote("A", 1, Side.SELL));
      assertThat(chain.value).isEqualTo(1);
      assertThat(book.levels).containsExactly(0, 0, 0, 0);
      assertThat(book.size).isEqualTo(2);
      assertThat(book.name).isEqualTo("book");
      assertThat(prices).containsExactly(1, 2, 3);
      assertThat(counts).containsExactly(4, 5);
      assertThat(none).isNull();
      assertThat(inherited()).isEqualTo(1);
    }
  }

  private static StableFields plan(ReflexTask task) {
    return new StableFields.Planner(1_000).plan("t", task);
  }

  @Nested
  class Restoring {
    @Test
    void shouldPutEveryFieldBack() {
      Everything task = new Everything();
      StableFields fields = plan(task);
      fields.save();
      task.change();
      fields.restore();
      task.assertUnchanged();
    }

    @Test
    void shouldPutEveryFieldBackAgainAfterEachAttempt() {
      Everything task = new Everything();
      StableFields fields = plan(task);
      fields.save();
      for (int attempt = 0; attempt < 3; attempt++) {
        task.change();
        fields.restore();
        task.assertUnchanged();
      }
    }

    @Test
    void shouldLeaveTransientAndStaticFieldsAlone() {
      Everything task = new Everything();
      StableFields fields = plan(task);
      fields.save();
      task.change();
      fields.restore();
      assertThat(task.scratch).containsExactly("kept");
      assertThat(task.counter).isEqualTo(9);
      assertThat(Everything.shared).isEqualTo(1);
    }

    @Test
    void shouldFollowNewArrayAtNextSave() {
      Everything task = new Everything();
      StableFields fields = plan(task);
      task.counts = new int[] {7, 8, 9};
      fields.save();
      task.counts[2] = 0;
      fields.restore();
      assertThat(task.counts).containsExactly(7, 8, 9);
    }

    @Test
    void shouldKeepInstancesOfOneClassApart() {
      Everything one = new Everything();
      Everything other = new Everything();
      StableFields.Planner planner = new StableFields.Planner(1_000);
      StableFields fieldsOfOne = planner.plan("one", one);
      StableFields fieldsOfOther = planner.plan("other", other);
      one.i = 10;
      other.i = 20;
      fieldsOfOne.save();
      fieldsOfOther.save();
      one.i = 11;
      other.i = 21;
      fieldsOfOne.restore();
      assertThat(one.i).isEqualTo(10);
      assertThat(other.i).isEqualTo(21);
    }

    @Test
    void shouldNeedNothingForTaskWithoutChangeableFields() {
      class Constant extends ReflexTask {
        private final int value = 3;

        @Override
        public void execute() {}
      }
      assertThat(plan(new Constant())).isNull();
    }
  }

  @Nested
  class Refusing {
    static final class WithList extends ReflexTask {
      private final List<String> names = new ArrayList<>();

      @Override
      public void execute() {}
    }

    static final class WithMap extends ReflexTask {
      final Map<String, Long> totals = new HashMap<>();

      @Override
      public void execute() {}
    }

    static final class WithEvent extends ReflexTask {
      final Event template = new Event();

      @Override
      public void execute() {}
    }

    static final class WithMutableRecord extends ReflexTask {
      Mutable mutable;

      @Override
      public void execute() {}
    }

    static final class WithObjects extends ReflexTask {
      String[] names = {};

      @Override
      public void execute() {}
    }

    static final class WithChangingStable extends ReflexTask {
      Book book = new Book();

      @Override
      public void execute() {}
    }

    static final class WithTask extends ReflexTask {
      final WithList other = new WithList();

      @Override
      public void execute() {}
    }

    final class Inner extends ReflexTask {
      @Override
      public void execute() {
        assertThat(Refusing.this).isNotNull();
      }
    }

    static final class WithBadStable extends ReflexTask {
      static final class Holder implements Stable {
        Object anything;
      }

      final Holder holder = new Holder();

      @Override
      public void execute() {}
    }

    @Test
    void shouldNameTaskFieldTypeAndRemedy() {
      assertThatThrownBy(() -> plan(new WithList()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "task t: field "
                  + WithList.class.getName()
                  + ".names of type java.util.List cannot be restored when a"
                  + " release is undone; make it transient if it is scratch or shared on purpose; otherwise use"
                  + " primitives, primitive arrays, strings, enums, records of these, or final references to Stable"
                  + " objects made of them");
    }

    @Test
    void shouldRefuseEverythingElseThatCanChange() {
      for (ReflexTask task :
          List.of(
              new WithMap(),
              new WithEvent(),
              new WithMutableRecord(),
              new WithObjects(),
              new WithTask(),
              new WithBadStable())) {
        assertThatThrownBy(() -> plan(task))
            .as(task.getClass().getSimpleName())
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("make it transient");
      }
    }

    @Test
    void shouldAskForFinalReferenceToStableObject() {
      assertThatThrownBy(() -> plan(new WithChangingStable()))
          .hasMessageContaining("make it final");
    }

    @Test
    void shouldAskForStaticClassWhenTaskKeepsItsOuterObject() {
      assertThatThrownBy(() -> plan(new Inner()))
          .hasMessageContaining("make the class static or top-level");
    }

    @Test
    void shouldRefuseArraysBeyondLimit() {
      class Large extends ReflexTask {
        private final long[] values = new long[126];

        @Override
        public void execute() {}
      }
      assertThatThrownBy(() -> plan(new Large()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "task t: its array fields hold 1008 bytes, limit=1000; raise RuntimeSettings.maxStableArrayBytes, or make"
                  + " arrays transient that are scratch");
    }

    @Test
    void shouldCountElementsOfEachTypeToTheByte() {
      Object[] fitting = {
        new long[125],
        new double[125],
        new int[250],
        new float[250],
        new short[500],
        new char[500],
        new byte[1_000],
        new boolean[1_000]
      };
      for (Object array : fitting) {
        String name = array.getClass().getSimpleName();
        Arrays arrays = new Arrays();
        StableFields fields = plan(arrays);
        assertThatCode(() -> grow(fields, arrays, array, 0)).as(name).doesNotThrowAnyException();
        assertThatThrownBy(() -> grow(fields, arrays, array, 1))
            .as(name)
            .hasMessageContaining("bytes, limit=1000");
        Arrays full = new Arrays();
        full.set(array);
        assertThatCode(() -> plan(full)).as(name).doesNotThrowAnyException();
      }
    }

    private void grow(StableFields fields, Arrays arrays, Object array, int by) {
      int length = java.lang.reflect.Array.getLength(array) + by;
      arrays.set(java.lang.reflect.Array.newInstance(array.getClass().componentType(), length));
      fields.save();
      fields.restore();
    }

    @Test
    void shouldTakeRecordsInRecordsForImmutableUpToSomeDepth() {
      class Deep extends ReflexTask {
        private D7 value = new D7(null);

        @Override
        public void execute() {}
      }
      class TooDeep extends ReflexTask {
        private D8 value = new D8(null);

        @Override
        public void execute() {}
      }
      assertThatCode(() -> plan(new Deep())).doesNotThrowAnyException();
      assertThatThrownBy(() -> plan(new TooDeep())).hasMessageContaining("cannot be restored");
    }

    @Test
    void shouldRefuseReleaseWhenArrayHasGrownBeyondLimit() {
      Everything task = new Everything();
      StableFields fields = plan(task);
      task.counts = new int[1_000];
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(fields::save).hasMessageContaining("hold 4000 bytes, limit=1000");
      }
      task.counts = new int[] {1};
      fields.save();
      task.counts[0] = 2;
      fields.restore();
      assertThat(task.counts).containsExactly(1);
    }

    @Test
    void shouldRefuseTooManyObjects() {
      class Many extends ReflexTask {
        static final class Node implements Stable {
          final Node next;

          Node(Node next) {
            this.next = next;
          }
        }

        final Node first;

        Many(int count) {
          Node node = null;
          for (int i = 0; i < count; i++) {
            node = new Node(node);
          }
          first = node;
        }

        @Override
        public void execute() {}
      }
      assertThat(plan(new Many(StableFields.MAX_OBJECTS - 1))).isNull();
      assertThatThrownBy(() -> plan(new Many(StableFields.MAX_OBJECTS)))
          .hasMessageContaining("more than 1000");
    }
  }
}
