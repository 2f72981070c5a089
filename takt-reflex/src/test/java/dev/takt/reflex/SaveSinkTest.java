package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.reflex.stable.StableArray;
import dev.takt.reflex.woven.SaveSink;
import dev.takt.reflex.woven.StableLayout;
import dev.takt.reflex.woven.StableLayout.StableField;
import dev.takt.reflex.woven.TaskMemory;
import dev.takt.reflex.woven.Undoable;
import dev.takt.scripted.Account;
import dev.takt.scripted.SavingsAccount;
import dev.takt.testkit.Seeds;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a sink receives is what the memory of a task held when the cycle began. */
class SaveSinkTest extends StepByStep {
  private static final int ACCOUNTS = 6;

  /** A task whose releases and atomic calls do the same. */
  private static final class Bank extends ReflexTask {
    private final StableArray<Account> accounts = new StableArray<>(ACCOUNTS);
    private int[] numbers = new int[5];
    private Account last;
    private float level;
    private int made;
    private final int size = ACCOUNTS;

    // Not the task's own, and so not undone.
    private final AtomicLong order = new AtomicLong();
    private final AtomicBoolean aborts = new AtomicBoolean();

    Bank() {
      for (int i = 0; i < size; i++) {
        accounts.set(i, (i & 1) == 0 ? new SavingsAccount() : new Account());
      }
    }

    @Override
    public void initialize() {
      subscribe(ANY);
    }

    @Override
    public void execute() {
      take(ANY);
      long order = this.order.get();
      for (int i = (int) (order & 7); i >= 0; i--) {
        order = order * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        change(order >>> 20);
      }
      if (aborts.get()) {
        abort();
      }
    }

    @Atomic
    public void call(long first, long second) {
      change(first);
      change(second);
    }

    private void change(long order) {
      int value = (int) (order >>> 8);
      int place = (int) ((order & 0xff) % size);
      Account account = accounts.get(place);
      switch (value & 15) {
        case 0 -> account.open((value & 16) == 0);
        case 1 -> account.grade((byte) value);
        case 2 -> account.branch((short) value);
        case 3 -> account.letter((char) value);
        case 4 -> account.count(value);
        case 5 -> account.balance(order);
        case 6 -> account.rate(value);
        case 7 -> account.limit(value);
        case 8 -> account.owner((value & 16) == 0 ? "a" : null);
        case 9 -> account.next(last);
        case 10 -> account.history(0, order);
        case 11 -> account.history(2, -order);
        case 12 -> numbers[value & 3] = value;
        case 13 -> last = account;
        case 14 -> {
          if (made == 200) {
            return;
          }
          made++;
          Account fresh = new Account();
          fresh.next(last);
          fresh.history(1, order);
          last = fresh;
          numbers = new int[5];
        }
        default -> {
          level = value;
          accounts.set(place, last == null ? account : last);
        }
      }
    }
  }

  /** The copies of one cycle. */
  private static final class Snapshot implements SaveSink {
    private final Map<Object, Object[]> objects = new IdentityHashMap<>();
    private final Map<Object, Object> arrays = new IdentityHashMap<>();
    private final long cycle;

    Snapshot(TaskMemory memory) {
      cycle = memory.sink(this);
    }

    @Override
    public void saved(
        Undoable object,
        long[] primitives,
        int primitivesEnd,
        @Nullable Object[] references,
        int referencesEnd) {
      if (object.$takt$stamp() >= cycle) {
        return;
      }
      StableLayout layout = StableLayout.of(object.getClass());
      Object[] values = new Object[layout.fields().size()];
      for (int i = 0; i < values.length; i++) {
        StableField field = layout.fields().get(i);
        if (field.index() != StableLayout.FINAL) {
          values[i] =
              field.isPrimitive()
                  ? value(field, primitives[primitivesEnd - layout.primitives() + field.index()])
                  : references[referencesEnd - layout.references() + field.index()];
        }
      }
      assertThat(objects.put(object, values)).as("an earlier copy").isNull();
    }

    @Override
    public void savedArray(Object array, Object copy, int length) {
      assertThat(copy.getClass()).isSameAs(array.getClass());
      assertThat(Array.getLength(array)).isEqualTo(length);
      arrays.computeIfAbsent(array, key -> copyOf(copy));
    }

    private static Object value(StableField field, long bits) {
      return switch (field.descriptor()) {
        case "Z" -> bits != 0;
        case "B" -> (byte) bits;
        case "S" -> (short) bits;
        case "C" -> (char) bits;
        case "I" -> (int) bits;
        case "J" -> bits;
        case "F" -> Float.intBitsToFloat((int) bits);
        default -> Double.longBitsToDouble(bits);
      };
    }

    String picture(Undoable root) {
      return SaveSinkTest.picture(
          root,
          (object, index) -> {
            Object[] values = objects.get(object);
            StableField field = StableLayout.of(object.getClass()).fields().get(index);
            return values == null || field.index() == StableLayout.FINAL
                ? present(object, index)
                : values[index];
          },
          array -> arrays.getOrDefault(array, array));
    }
  }

  private static Object copyOf(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  private static Object present(Undoable object, int index) {
    StableField field = StableLayout.of(object.getClass()).fields().get(index);
    try {
      Field reflected = field.owner().getDeclaredField(field.name());
      assertThat(reflected.getType().descriptorString()).isEqualTo(field.descriptor());
      reflected.setAccessible(true);
      return reflected.get(object);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static String presentPicture(Undoable root) {
    return picture(root, SaveSinkTest::present, array -> array);
  }

  /** All that hangs together, as text: objects by number in the order in which they are found. */
  private static String picture(
      Undoable root, BiFunction<Undoable, Integer, Object> values, UnaryOperator<Object> arrays) {
    Map<Object, Integer> numbers = new IdentityHashMap<>();
    ArrayDeque<Object> todo = new ArrayDeque<>();
    StringBuilder text = new StringBuilder();
    reference(root, numbers, todo);
    while (!todo.isEmpty()) {
      Object next = todo.remove();
      text.append('\n').append(numbers.get(next)).append(next.getClass().getSimpleName());
      if (next instanceof Undoable object) {
        List<StableField> fields = StableLayout.of(object.getClass()).fields();
        for (int i = 0; i < fields.size(); i++) {
          String value = reference(values.apply(object, i), numbers, todo);
          text.append(' ').append(fields.get(i).name()).append('=').append(value);
        }
      } else {
        Object elements = arrays.apply(next);
        for (int i = 0; i < Array.getLength(elements); i++) {
          text.append(' ').append(reference(Array.get(elements, i), numbers, todo));
        }
      }
    }
    return text.toString();
  }

  private static String reference(
      Object value, Map<Object, Integer> numbers, ArrayDeque<Object> todo) {
    if (!(value instanceof Undoable) && (value == null || !value.getClass().isArray())) {
      return value instanceof AtomicLong || value instanceof AtomicBoolean ? "?" : "" + value;
    }
    Integer known = numbers.putIfAbsent(value, numbers.size());
    if (known == null) {
      todo.add(value);
    }
    return "#" + numbers.get(value);
  }

  private void release(PassiveRunner runner, Bank bank, Random random) {
    bank.order.set(random.nextLong());
    bank.aborts.set(random.nextInt(3) == 0);
    write();
    runQueued(runner);
    assertThat(runner.failure()).isNull();
    if (bank.aborts.get()) {
      space.take(ANY);
    }
  }

  /** Lets releases and, unless others make them, atomic calls change the task in many cycles. */
  private void runCycles(Bank bank, Random random, int cycles, int callsOf16) {
    onTaskThread(
        () -> {
          PassiveRunner runner = add(10, bank);
          release(runner, bank, random);
          for (int cycle = 0; cycle < cycles; cycle++) {
            String before = presentPicture((Undoable) (Object) bank);
            Snapshot snapshot = new Snapshot(runner.state.memory());
            for (int step = random.nextInt(12); step >= 0; step--) {
              if (random.nextInt(16) < callsOf16) {
                bank.call(random.nextLong() >>> 20, random.nextLong() >>> 20);
              } else {
                release(runner, bank, random);
              }
              assertThat(snapshot.picture((Undoable) (Object) bank))
                  .as("cycle %d, %s", cycle, Seeds.replay(Seeds.seed()))
                  .isEqualTo(before);
            }
          }
        });
  }

  @Test
  void shouldReceiveStateOfCyclesBeginWhileReleasesAndAtomicCallsGoOn() {
    runCycles(new Bank(), new Random(Seeds.seed()), Seeds.size(500, 20_000), 8);
  }

  @Test
  void shouldReceiveStateOfCyclesBeginWhileOtherThreadCalls() {
    Bank bank = new Bank();
    Random random = new Random(Seeds.seed());
    AtomicBoolean over = new AtomicBoolean();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  // Before it is registered, calls would run at once.
                  Await.until("registered", () -> over.get() || bank.$takt$gate() != null);
                  while (!over.get()) {
                    bank.call(random.nextLong() >>> 20, random.nextLong() >>> 20);
                  }
                });
    try {
      runCycles(bank, new Random(Seeds.seed() + 1), Seeds.size(500, 20_000), 0);
    } finally {
      over.set(true);
      Await.until("the caller", () -> !caller.isAlive());
    }
  }

  @Test
  void shouldReceiveNothingWhenCycleHasEnded() {
    Bank bank = new Bank();
    Random random = new Random(Seeds.seed());
    onTaskThread(
        () -> {
          PassiveRunner runner = add(10, bank);
          TaskMemory memory = runner.state.memory();
          Snapshot snapshot = new Snapshot(memory);
          bank.call(12 << 8, 12 << 8);
          memory.sink(null);
          release(runner, bank, random);
          assertThat(snapshot.objects).isEmpty();
          assertThat(snapshot.arrays).isEmpty();
        });
  }

  @Test
  void shouldDescribeFieldsOfSuperclassFirstAndWhichAreNeverSaved() {
    StableLayout layout = StableLayout.of(((Undoable) (Object) new SavingsAccount()).getClass());
    assertThat(layout.fields())
        .startsWith(new StableField(Account.class, "open", "Z", 0))
        .contains(new StableField(Account.class, "history", "[J", 2))
        .endsWith(
            new StableField(SavingsAccount.class, "bonus", "I", 8),
            new StableField(SavingsAccount.class, "tag", "Ljava/lang/String;", 3));
    assertThat(layout.primitives()).isEqualTo(9);
    assertThat(layout.references()).isEqualTo(4);
    StableLayout task = StableLayout.of(((Undoable) (Object) new Bank()).getClass());
    assertThat(task.fields())
        .contains(new StableField(Bank.class, "size", "I", StableLayout.FINAL))
        .contains(new StableField(Bank.class, "numbers", "[I", 0));
  }
}
