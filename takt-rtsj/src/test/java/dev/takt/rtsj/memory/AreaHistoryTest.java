package dev.takt.rtsj.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random programs of nested entries, executions in outer areas and allocations, on three threads by
 * turns, against a model that follows the rules word by word.
 */
class AreaHistoryTest {
  private static final int SIZE_BYTES = 512;
  private static final int STEPS = 400;

  /** What the rules say about one area. */
  private static final class Model {
    private int count;
    private String parent = "";
    private int epoch;
    private long used;
  }

  private final Map<String, Model> models = new HashMap<>();
  private final Map<String, ScopedArea> areas = new HashMap<>();

  @Test
  void shouldFollowTheModelInRandomHistories() {
    long seed = Seeds.seed();
    int histories = Boolean.getBoolean("takt.full") ? 20_000 : 300;
    for (int i = 0; i < histories; i++) {
      try {
        run(new Random(seed + i));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("replay with -Dtakt.seed=" + (seed + i), e);
      }
    }
  }

  private void run(Random random) {
    for (String name : List.of("a", "b", "c", "d")) {
      models.put(name, new Model());
      areas.put(
          name,
          random.nextBoolean()
              ? ScopedArea.linearTime(name, SIZE_BYTES)
              : ScopedArea.variableTime(name, 64, SIZE_BYTES));
    }
    List<Walker> walkers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      walkers.add(new Walker(this));
    }
    try {
      for (int step = 0; step < STEPS / 3; step++) {
        walkers.get(random.nextInt(3)).step(random.nextInt(), random.nextInt());
        checkFigures();
      }
    } finally {
      walkers.forEach(Walker::close);
    }
    areas.values().forEach(ScopedArea::close);
  }

  private void checkFigures() {
    models.forEach(
        (name, model) -> {
          ScopedArea area = areas.get(name);
          assertThat(area.referenceCount()).as("count of %s", name).isEqualTo(model.count);
          assertThat(area.state().epoch()).as("epoch of %s", name).isEqualTo(model.epoch);
          assertThat(area.parent() == null ? "" : area.parent().name())
              .as("parent of %s", name)
              .isEqualTo(model.parent);
          assertThat(area.consumedBytes()).as("used of %s", name).isEqualTo(model.used);
        });
  }

  /**
   * What the rules say about one thread: the areas that it is in, as far as they are not hidden.
   */
  private static final class Walker {
    private final AreaHistoryTest test;
    private final Visitor thread = new Visitor();

    /** The visible stacks, the present one last; hidden areas are in the earlier ones. */
    private final List<List<String>> stacks = new ArrayList<>(List.of(List.of()));

    /** Whether a push was an entry, which counts, or an execution in an outer area. */
    private final List<String> entries = new ArrayList<>();

    private final MemoryView view = new MemoryView();
    private String viewOf = "";
    private int viewEpoch;

    Walker(AreaHistoryTest test) {
      this.test = test;
    }

    void step(int choice, int detail) {
      String name = List.of("a", "b", "c", "d").get(Math.floorMod(detail, 4));
      switch (Math.floorMod(choice, 8)) {
        case 0, 1 -> enter(name);
        case 2 -> executeIn(name);
        case 3, 4 -> leave();
        case 5, 6 -> allocate(name, Math.floorMod(detail >> 2, 200));
        default -> useView();
      }
      assertThat(thread.<Integer>call(MemoryArea::depth)).isEqualTo(stack().size() + 1);
    }

    private List<String> stack() {
      return stacks.getLast();
    }

    private String scope() {
      return stack().isEmpty() ? "" : stack().getLast();
    }

    private void enter(String name) {
      Model model = test.models.get(name);
      ScopedArea area = test.areas.get(name);
      boolean mayEnter = model.count == 0 || model.parent.equals(scope());
      if (!mayEnter) {
        assertThat(thread.refusal(() -> area.enter(() -> {})))
            .isInstanceOf(ScopedCycleException.class);
        return;
      }
      if (entries.size() > 20) {
        return;
      }
      thread.enter(area::enter);
      model.parent = scope();
      model.count++;
      push(name, name, with(stack(), name));
    }

    private void executeIn(String name) {
      ScopedArea area = test.areas.get(name);
      int index = stack().indexOf(name);
      if (index < 0) {
        assertThat(thread.refusal(() -> area.executeInArea(() -> {})))
            .isInstanceOf(InaccessibleAreaException.class);
      } else if (entries.size() <= 20) {
        thread.enter(area::executeInArea);
        push(name, "", stack().subList(0, index + 1));
      }
    }

    private void push(String name, String counted, List<String> stack) {
      entries.add(counted);
      stacks.add(List.copyOf(stack));
      assertThat(thread.<String>call(() -> MemoryArea.current().name())).isEqualTo(name);
    }

    private static List<String> with(List<String> stack, String name) {
      List<String> more = new ArrayList<>(stack);
      more.add(name);
      return more;
    }

    private void leave() {
      if (entries.isEmpty()) {
        return;
      }
      thread.leave();
      stacks.removeLast();
      String counted = entries.removeLast();
      if (!counted.isEmpty()) {
        Model model = test.models.get(counted);
        if (--model.count == 0) {
          model.epoch++;
          model.parent = "";
          model.used = 0;
        }
      }
    }

    private void allocate(String name, int bytes) {
      ScopedArea area = test.areas.get(name);
      if (!stack().contains(name)) {
        assertThat(thread.refusal(() -> area.allocate(view, bytes, 8)))
            .isInstanceOf(InaccessibleAreaException.class);
        return;
      }
      Model model = test.models.get(name);
      long used = place(area.settings(), model.used, bytes);
      boolean isDone = thread.call(() -> area.tryAllocate(view, bytes, 8));
      assertThat(isDone).isEqualTo(used >= 0);
      if (isDone) {
        model.used = used;
        viewOf = name;
        viewEpoch = model.epoch;
        assertThat(thread.<Boolean>call(() -> isZeroThenFill(bytes))).isTrue();
      }
    }

    private boolean isZeroThenFill(int bytes) {
      for (int i = 0; i < bytes; i++) {
        if (view.getByte(i) != 0) {
          return false;
        }
        view.putByte(i, (byte) 0xFF);
      }
      return true;
    }

    /** Tries every place in turn; returns what is used afterwards, or -1. */
    private static long place(ScopeSettings settings, long used, int bytes) {
      int taken = Math.max(bytes, 1);
      for (long at = used; at + taken <= settings.maxBytes(); at++) {
        long first = settings.initialBytes();
        long growth = settings.growthBytes();
        long start = at < first ? 0 : first + (at - first) / growth * growth;
        long end = at < first ? first : Math.min(start + growth, settings.maxBytes());
        if ((at - start) % 8 == 0 && at + taken <= end) {
          return at + taken;
        }
      }
      return -1;
    }

    private void useView() {
      boolean isLive = !viewOf.isEmpty() && test.models.get(viewOf).epoch == viewEpoch;
      assertThat(view.isLive()).isEqualTo(isLive);
      if (!viewOf.isEmpty() && !isLive) {
        assertThat(thread.refusal(() -> view.copyTo(0, ANYWHERE, 0, 0)))
            .isInstanceOf(IllegalReferenceException.class);
      }
    }

    private static final MemorySegment ANYWHERE = MemorySegment.ofArray(new byte[1]);

    void close() {
      while (!entries.isEmpty()) {
        leave();
      }
      thread.close();
    }
  }
}
