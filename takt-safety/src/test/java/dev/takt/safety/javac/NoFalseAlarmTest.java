package dev.takt.safety.javac;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoFalseAlarmTest {
  private static final String PLAIN_JAVA =
      """
      import java.util.ArrayList;
      import java.util.Comparator;
      import java.util.HashMap;
      import java.util.List;
      import java.util.Map;
      import java.util.function.LongUnaryOperator;

      class Trader extends dev.takt.reflex.ReflexTask {
        enum Side { BUY, SELL; Side other() { return this == BUY ? SELL : BUY; } }
        sealed interface Order permits Limit, Market {}
        record Limit(long price, Side side) implements Order {}
        record Market(Side side) implements Order {}
        static final class Node<T extends Node<T>> implements dev.takt.space.Stable {
          T next;
          long value;
        }
        static final class Level extends Node0 {}
        static class Node0 implements dev.takt.space.Stable { Node0 next; int depth; }
        static <T extends Comparable<T>> T max(List<T> all) {
          T best = all.get(0);
          for (T each : all) {
            if (each.compareTo(best) > 0) { best = each; }
          }
          return best;
        }
        class Cursor {
          int at;
          long next() { return prices[at++]; }
        }

        private static final String KEY = "price";
        private static final int MAX = 16;
        private final long[] prices = new long[MAX];
        private Map.Entry<String, Long> pair; // wrong
        private Level top;
        private long total;
        private Side side; // wrong: not final

        @Override
        public void execute() {
          long startNs = System.nanoTime();
          List<Order> orders = new ArrayList<>();
          orders.add(new Limit(total, Side.BUY));
          orders.add(new Market(Side.SELL.other()));
          Map<String, Long> byName = new HashMap<>();
          for (Order each : orders) {
            switch (each) {
              case Limit(long price, Side s) when price > 3 -> byName.merge(s.name(), price, Long::sum);
              case Limit limit -> total += limit.price();
              case Market market -> total += market.side().ordinal();
            }
          }
          StringBuilder text = new StringBuilder(KEY).append(total).append(orders.get(0));
          if (text.toString().equals(KEY) || "x".equals(KEY)) { return; }
          long offset = total;
          LongUnaryOperator shift = value -> value + offset;
          total = Math.max(shift.applyAsLong(total), Math.floorMod(total, 7L));
          List<Long> sorted = new ArrayList<>(byName.values());
          sorted.sort(Comparator.naturalOrder());
          try {
            total += sorted.isEmpty() ? 0 : max(sorted);
          } catch (IndexOutOfBoundsException e) {
            total = 0;
          } finally {
            total++;
          }
          if (top == null) { top = new Level(); }
          top.depth++;
          Runnable run = new Runnable() {
            @Override public void run() { total++; }
          };
          run.run();
          Cursor cursor = new Cursor();
          total += cursor.next() + (System.nanoTime() - startNs);
          System.arraycopy(prices, 0, prices, 1, MAX - 1);
          java.util.Arrays.fill(prices, total);
          if (total < 0) {
            throw new IllegalStateException(String.format("total=%d, %s", total, Limit.class.getName()));
          }
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"", "--release=25"})
  void shouldStaySilentOnPlainJava(String option) {
    String source =
        PLAIN_JAVA
            .lines()
            .filter(each -> !each.contains("// wrong"))
            .collect(Collectors.joining("\n"));

    Compilation compilation = Compilation.run(options(option), true, source);

    assertThat(compilation.messages()).isEmpty();
    assertThat(compilation.successful).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--release=25"})
  void shouldSpeakWhereTheSameTaskIsWrong(String option) {
    Compilation compilation = Compilation.run(options(option), true, PLAIN_JAVA);

    assertThat(compilation.findings()).containsExactly("R8 Trader.java:34", "R8 Trader.java:37");
  }

  private static List<String> options(String option) {
    return option.isEmpty() ? List.of() : List.of(option.split("="));
  }
}
