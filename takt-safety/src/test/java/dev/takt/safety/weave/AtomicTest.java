package dev.takt.safety.weave;

import static dev.takt.safety.weave.Program.call;
import static dev.takt.safety.weave.Program.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AtomicTest {
  private static final String BANK =
      """
      package app;
      import dev.takt.reflex.*;
      import java.util.*;
      import java.util.function.*;
      public class Bank extends ReflexTask {
        int count; long total; double mean; float f; boolean odd; byte b; char c; short s;
        private final long[] slots = new long[4];
        private byte[] bytes = new byte[3];
        private boolean[] flags = new boolean[2];
        Account first;
        public void execute() { count++; }
        @Atomic public long deposit(int slot, long amount, double factor) {
          count++; odd = !odd; b++; c += 1; s--; f = (float) factor;
          total += amount;
          mean = (double) total / count * factor;
          slots[slot] += amount;
          bytes[1] += 2;
          flags[0] |= true;
          first = new Account(first, amount);
          for (Account a = first; a != null; a = a.next) {
            a.add(1);
          }
          return slots[slot] + sum(first);
        }
        private static long sum(Account a) { return a == null ? 0 : a.balance() + sum(a.next); }
        @Atomic public int fillAndCopy(int[] from) {
          long[] copy = new long[4];
          System.arraycopy(slots, 0, copy, 0, 4);
          Arrays.fill(slots, 7);
          int n = 0;
          for (int x : from) n += x;
          Comparator<Account> order = first;
          return n + (int) copy[1] + order.compare(first, first) + (int) slots[0];
        }
        @Atomic public int lambda(int x) {
          IntUnaryOperator add = y -> { count += y; return count; };
          Supplier<Account> get = this::firstAccount;
          return add.applyAsInt(x) + (int) get.get().balance();
        }
        private Account firstAccount() { return first; }
        @Atomic public void fail() { count = 1000; throw new IllegalStateException("no"); }
        @Atomic public int nested() { count++; return (int) deposit(0, 1, 1.0); }
        void unguarded() { deposit(1, 5, 2.0); }
      }
      """;
  private static final String ACCOUNT =
      """
      package app;
      public class Account implements dev.takt.space.Stable, java.util.Comparator<Account> {
        Account next; private long balance;
        Account(Account next, long balance) { this.next = next; this.balance = balance; }
        void add(long n) { balance += n; }
        long balance() { return balance; }
        public int compare(Account a, Account b) { return (int) (balance = a.balance + b.balance); }
      }
      """;

  @Test
  void shouldWriteIntoLogOnlyAndSeeItsOwnWrites() {
    Program program = Program.of(BANK, ACCOUNT).verified();
    Object bank = program.make("app.Bank");

    assertThat(call(bank, "deposit", 1, 10L, 0.5)).isEqualTo(10L + 11);
    assertThat(call(bank, "deposit", 1, 20L, 0.5)).isEqualTo(30L + 21 + 12);

    assertThat(get(bank, "count")).isEqualTo(2);
    assertThat(get(bank, "total")).isEqualTo(30L);
    assertThat(get(bank, "mean")).isEqualTo(7.5);
    assertThat(get(bank, "f")).isEqualTo(0.5f);
    assertThat(get(bank, "odd")).isEqualTo(false);
    assertThat(get(bank, "b")).isEqualTo((byte) 2);
    assertThat(get(bank, "c")).isEqualTo((char) 2);
    assertThat(get(bank, "s")).isEqualTo((short) -2);
    assertThat(get(bank, "slots")).isEqualTo(new long[] {0, 30, 0, 0});
    assertThat(get(bank, "bytes")).isEqualTo(new byte[] {0, 4, 0});
    assertThat(get(bank, "flags")).isEqualTo(new boolean[] {true, false});
    assertThat(get(get(bank, "first"), "balance")).isEqualTo(21L);
    assertThat(get(get(calls(program), "last"), "made").toString()).contains("app.Account@");
  }

  private static Object calls(Program program) {
    return program.type("dev.takt.reflex.woven.AtomicCall");
  }

  @Test
  void shouldRunAgainWhenCommitFails() throws Exception {
    Program program = Program.of(BANK, ACCOUNT).verified();
    Object bank = program.make("app.Bank");
    program.type("dev.takt.reflex.woven.AtomicCall").getField("failures").set(null, 2);

    call(bank, "deposit", 1, 10L, 0.5);

    assertThat(get(calls(program), "starts")).isEqualTo(3);
    assertThat(get(bank, "count")).isEqualTo(1);
  }

  @Test
  void shouldChangeNothingWhenAtomicMethodThrows() {
    Program program = Program.of(BANK, ACCOUNT).verified();
    Object bank = program.make("app.Bank");

    assertThatThrownBy(() -> call(bank, "fail"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no");

    assertThat(get(bank, "count")).isEqualTo(0);
  }

  @Test
  void shouldRunBodyDirectlyOnTaskThread() {
    Program program = Program.of(BANK, ACCOUNT).verified();
    Object bank = program.make("app.Bank");
    Object memory = program.memory();
    call(memory, "begin");
    call(bank, "unguarded");

    assertThat(get(bank, "count")).isEqualTo(1);
    assertThat(get(calls(program), "starts")).isEqualTo(0);
    call(memory, "rollback");
    assertThat(get(bank, "count")).isEqualTo(0);
  }

  @Test
  void shouldCallClonesOfNestedAtomicMethodsAndBehindForeignInterfaces() {
    Program program = Program.of(BANK, ACCOUNT).verified();
    Object bank = program.make("app.Bank");

    assertThat(call(bank, "nested")).isEqualTo(1 + 2);
    assertThat(get(calls(program), "starts")).isEqualTo(1);
    assertThat(get(bank, "count")).isEqualTo(2);
    assertThat(call(bank, "fillAndCopy", new int[] {1, 2})).isEqualTo(3 + 0 + 4 + 7);
    assertThat(get(bank, "slots")).isEqualTo(new long[] {7, 7, 7, 7});
    assertThat(get(get(bank, "first"), "balance")).isEqualTo(4L);
  }

  @Test
  void shouldRunLambdasOfAtomicMethodsAgainstLog() {
    Program program = Program.of(BANK, ACCOUNT).verified();
    Object bank = program.make("app.Bank");
    call(bank, "deposit", 0, 5L, 1.0);

    assertThat(call(bank, "lambda", 3)).isEqualTo(4 + 6);
    assertThat(get(bank, "count")).isEqualTo(4);
    assertThat(get(get(calls(program), "last"), "log").toString()).contains("=4");
  }

  @Test
  void shouldCallLambdasAndClassesThroughInterfacesAndAbstractClasses() {
    Program program =
        Program.of(
                "package app; interface Fee { long of(long amount); }",
                "package app; abstract class Base implements Fee { abstract long rate(int x); }",
                """
                package app;
                class Flat extends Base {
                  public long of(long amount) { return rate(5); }
                  long rate(int x) { return x; }
                }
                """,
                """
                package app;
                import dev.takt.reflex.*;
                public class Till extends ReflexTask {
                  long sum;
                  public void execute() {}
                  @Atomic long charge(boolean flat, long amount) {
                    Fee fee = flat ? new Flat() : x -> x / 100;
                    sum += fee.of(amount);
                    return sum;
                  }
                  @Atomic long counted(long amount) {
                    Fee fee = x -> sum += x;
                    return fee.of(amount);
                  }
                  @Atomic long rated() {
                    Base base = new Flat();
                    return base.rate(7);
                  }
                }
                """)
            .verified();
    Object till = program.make("app.Till");

    assertThat(call(till, "charge", true, 1000L)).isEqualTo(5L);
    assertThat(call(till, "charge", false, 1000L)).isEqualTo(15L);
    assertThat(call(till, "counted", 4L)).isEqualTo(19L);
    assertThat(get(get(calls(program), "last"), "log").toString()).contains("=19");
    assertThat(call(till, "rated")).isEqualTo(7L);
    assertThat(get(till, "sum")).isEqualTo(19L);
  }
}
