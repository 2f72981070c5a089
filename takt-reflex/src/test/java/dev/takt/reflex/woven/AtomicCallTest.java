package dev.takt.reflex.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.takt.realtime.NanoClock;
import dev.takt.reflex.limit.AtomicCallRejected;
import dev.takt.reflex.limit.AtomicCallRejected.Reason;
import dev.takt.reflex.limit.AtomicStats;
import dev.takt.reflex.limit.StableMemoryExhausted;
import dev.takt.space.EventPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AtomicCallTest {
  private final AtomicLong nowNs = new AtomicLong();
  private Runnable whileParked = () -> {};

  private final NanoClock clock =
      new NanoClock() {
        @Override
        public long nanoTime() {
          return nowNs.get();
        }

        @Override
        public void parkNanos(long durationNs) {
          nowNs.addAndGet(durationNs);
          whileParked.run();
        }
      };

  private final AtomicGate gate = Ledger.gate(16, clock);
  private final Ledger ledger = new Ledger();

  private void release() {
    gate.enter();
    gate.exit();
  }

  private void setNumber(int value) {
    Ledger.call(
        gate,
        call -> {
          ledger.setNumber(value, call);
          return null;
        });
  }

  private int number() {
    return Ledger.call(gate, ledger::getNumber);
  }

  @Test
  void shouldLeaveMemoryAloneUntilReleaseTakesOver() {
    setNumber(7);
    assertThat(ledger.number).isZero();
    release();
    assertThat(ledger.number).isEqualTo(7);
  }

  @Test
  void shouldShowWritesToLaterCallsBeforeAnyRelease() {
    setNumber(7);
    assertThat(number()).isEqualTo(7);
  }

  @Test
  void shouldReadOwnWrites() {
    int seen =
        Ledger.call(
            gate,
            call -> {
              ledger.setNumber(3, call);
              ledger.setNumber(ledger.getNumber(call) + 1, call);
              return ledger.getNumber(call);
            });
    assertThat(seen).isEqualTo(4);
  }

  @Test
  void shouldTakeOverValuesOfAllTypes() {
    Ledger next = new Ledger();
    Ledger.call(
        gate,
        call -> {
          ledger.setNumber(-1, call);
          ledger.setSum(Long.MIN_VALUE, call);
          ledger.setNext(next, call);
          ledger.setRate(-0.0, call);
          ledger.setLevel(Float.NaN, call);
          ledger.setFlag(true, call);
          return null;
        });
    assertThat(Ledger.call(gate, ledger::getRate)).isEqualTo(-0.0);
    assertThat(Ledger.call(gate, ledger::getLevel)).isNaN();
    assertThat(Ledger.call(gate, ledger::getNext)).isSameAs(next);
    assertThat(Ledger.call(gate, ledger::getFlag)).isTrue();
    release();
    assertThat(ledger.number).isEqualTo(-1);
    assertThat(ledger.sum).isEqualTo(Long.MIN_VALUE);
    assertThat(ledger.next).isSameAs(next);
    assertThat(ledger.rate).isEqualTo(-0.0);
    assertThat(ledger.level).isNaN();
    assertThat(ledger.flag).isTrue();
  }

  @Test
  void shouldTakeOverNullReference() {
    ledger.next = new Ledger();
    Ledger.call(
        gate,
        call -> {
          ledger.setNext(null, call);
          return null;
        });
    assertThat(Ledger.call(gate, ledger::getNext)).isNull();
    release();
    assertThat(ledger.next).isNull();
  }

  @Test
  void shouldStartAgainWhenReleaseComesBetween() {
    AtomicInteger attempts = new AtomicInteger();
    int seen =
        Ledger.call(
            gate,
            call -> {
              if (attempts.incrementAndGet() == 1) {
                gate.enter();
                ledger.number = 5;
                gate.exit();
              }
              int number = ledger.getNumber(call);
              ledger.setNumber(number + 1, call);
              return number;
            });
    assertThat(attempts).hasValue(2);
    assertThat(seen).isEqualTo(5);
    release();
    assertThat(ledger.number).isEqualTo(6);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(1, 1, 1, 0, 0));
  }

  @Test
  void shouldStartAgainWhenReleaseComesBeforeCommitOfBlindWrite() {
    AtomicInteger attempts = new AtomicInteger();
    Ledger.call(
        gate,
        call -> {
          ledger.setNumber(9, call);
          if (attempts.incrementAndGet() == 1) {
            release();
          }
          return null;
        });
    assertThat(attempts).hasValue(2);
    assertThat(number()).isEqualTo(9);
  }

  @Test
  void shouldNotUseValueReadWhileReleaseRuns() {
    AtomicInteger used = new AtomicInteger();
    whileParked = gate::exit;
    Ledger.call(
        gate,
        call -> {
          if (used.get() == 0 && ledger.number == 0) {
            gate.enter();
            ledger.number = 1;
          }
          int number = ledger.getNumber(call);
          used.incrementAndGet();
          return number;
        });
    assertThat(used).as("uses of the value of number").hasValue(1);
  }

  @Test
  void shouldThrowExceptionOfBodyAndForgetItsWrites() {
    assertThatThrownBy(
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      ledger.setNumber(7, call);
                      throw new ArithmeticException("body");
                    }))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("body");
    assertThat(number()).isZero();
    assertThat(gate.stats()).isEqualTo(new AtomicStats(2, 1, 0, 0, 0));
  }

  @Test
  void shouldStartAgainWhenBodySwallowsTheRetry() {
    AtomicInteger attempts = new AtomicInteger();
    Ledger.call(
        gate,
        call -> {
          if (attempts.incrementAndGet() == 1) {
            release();
          }
          try {
            ledger.getNumber(call);
          } catch (AtomicRetry e) {
            assertThat(attempts).hasValue(1);
          }
          ledger.setNumber(attempts.get(), call);
          return null;
        });
    assertThat(number()).isEqualTo(2);
  }

  @Test
  void shouldStartAgainWhenFinallyHidesTheRetry() {
    AtomicInteger attempts = new AtomicInteger();
    Ledger.call(
        gate,
        call -> {
          if (attempts.incrementAndGet() == 1) {
            release();
            try {
              ledger.getNumber(call);
            } catch (AtomicRetry e) {
              throw new IllegalStateException("of a call that was in vain", e);
            }
          }
          return null;
        });
    assertThat(attempts).hasValue(2);
  }

  @Test
  void shouldWaitUntilReleaseEnds() {
    gate.enter();
    ledger.number = 4;
    whileParked = gate::exit;
    assertThat(number()).isEqualTo(4);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(1, 1, 0, 1, 0));
  }

  @Test
  void shouldGiveUpWhenReleaseDoesNotEnd() {
    gate.enter();
    AtomicCallRejected error = catchThrowableOfType(AtomicCallRejected.class, () -> setNumber(1));
    assertThat(error.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(error)
        .hasMessageContaining("ledger")
        .hasMessageContaining("atomicTimeoutNs=1000000000")
        .hasMessageContaining("raise RuntimeSettings.atomicTimeoutNs");
    gate.exit();
    assertThat(number()).isZero();
    assertThat(gate.stats()).isEqualTo(new AtomicStats(2, 1, 0, 1, 1));
  }

  @Test
  void shouldGiveUpWhenReleasesAlwaysComeBetween() {
    AtomicCallRejected error =
        catchThrowableOfType(
            AtomicCallRejected.class,
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      nowNs.addAndGet(1_000_000);
                      release();
                      return ledger.getNumber(call);
                    }));
    assertThat(error.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(gate.stats().aborts()).isBetween(1_000L, 1_003L);
  }

  @Test
  void shouldRejectCallThatWritesTooMuch() {
    AtomicCallRejected error =
        catchThrowableOfType(
            AtomicCallRejected.class,
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      for (int i = 0; i < 17; i++) {
                        new Ledger().setNumber(i, call);
                      }
                      return null;
                    }));
    assertThat(error.reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(error).hasMessageContaining("maxAtomicEntries=16").hasMessageContaining("raise");
    setNumber(1);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(2, 1, 0, 0, 1));
  }

  @Test
  void shouldRejectCallThatSwallowsItsRejection() {
    assertThatThrownBy(
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      try {
                        for (int i = 0; i < 17; i++) {
                          new Ledger().setNumber(i, call);
                        }
                      } catch (AtomicCallRejected e) {
                        return null;
                      }
                      throw new AssertionError("not rejected");
                    }))
        .isInstanceOf(AtomicCallRejected.class);
  }

  @Test
  void shouldWaitForReleaseWhenLogIsFull() {
    Ledger other = new Ledger();
    for (int i = 0; i < 2; i++) {
      Ledger ledger = i == 0 ? this.ledger : other;
      whileParked = this::release;
      Ledger.call(
          gate,
          call -> {
            int[] values = ledger.getValues(call);
            for (int j = 0; j < 8; j++) {
              AtomicArrays.storeInt(values, j, j + 1, call);
            }
            ledger.setNumber(1, call);
            return null;
          });
    }
    assertThat(ledger.values).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(other.values).as("not taken over yet").containsOnly(0);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(2, 2, 1, 1, 0));
  }

  @Test
  void shouldGiveUpWhenLogStaysFull() {
    for (int i = 0; i < 16; i++) {
      Ledger each = new Ledger();
      Ledger.call(
          gate,
          call -> {
            each.setNumber(1, call);
            return null;
          });
    }
    assertThatThrownBy(() -> setNumber(1))
        .isInstanceOf(AtomicCallRejected.class)
        .hasMessageContaining("maxAtomicEntries=16")
        .hasMessageContaining("release the task more often");
    assertThat(number()).as("reading goes on").isZero();
  }

  @Test
  void shouldEndCallThatFailsBeforeItsFirstAttempt() {
    gate.enter();
    whileParked =
        () -> {
          throw new ArithmeticException("no clock");
        };
    assertThatThrownBy(() -> setNumber(1)).isInstanceOf(ArithmeticException.class);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(1, 0, 0, 1, 0));
    gate.exit();
    setNumber(2);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(2, 1, 0, 1, 0));
  }

  @Test
  void shouldJoinCallOfSameTask() {
    int seen =
        Ledger.call(
            gate,
            call -> {
              ledger.setNumber(1, call);
              setNumber(number() + 1);
              assertThat(ledger.number).isZero();
              return ledger.getNumber(call);
            });
    assertThat(seen).isEqualTo(2);
    assertThat(gate.stats()).isEqualTo(new AtomicStats(1, 1, 0, 0, 0));
  }

  @Test
  void shouldForgetJoinedCallWhenOuterOneFails() {
    assertThatThrownBy(
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      setNumber(5);
                      throw new ArithmeticException();
                    }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(number()).isZero();
  }

  @Test
  void shouldGoOnWhenBodyCatchesExceptionOfJoinedCall() {
    Ledger.call(
        gate,
        call -> {
          assertThatThrownBy(
                  () ->
                      Ledger.call(
                          gate,
                          joined -> {
                            throw new ArithmeticException();
                          }))
              .isInstanceOf(ArithmeticException.class);
          ledger.setNumber(6, call);
          return null;
        });
    assertThat(number()).isEqualTo(6);
  }

  @Test
  void shouldRefuseCallOfAnotherTaskInsideCall() {
    AtomicGate other = Ledger.gate(16, clock);
    assertThatThrownBy(
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      ledger.setNumber(1, call);
                      return Ledger.call(other, ledger::getNumber);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("R30");
    assertThat(number()).isZero();
    assertThat(Ledger.call(other, ledger::getNumber)).isZero();
  }

  @Test
  void shouldRunBodyItselfInReleaseOfSameTaskAndRefuseThatOfAnother() throws Exception {
    TaskMemory memory = new TaskMemory("other", 1_024, 1_024);
    AtomicGate other = Ledger.gate(memory, 16, clock);
    Throwable[] thrown = new Throwable[2];
    int[] direct = new int[1];
    Thread thread =
        new TaskThread(
            () -> {
              memory.enter(new TransientArea(), new EventPool(1));
              memory.begin();
              try {
                direct[0] = Ledger.guarded(other, call -> -1, () -> 42);
              } catch (Throwable e) {
                thrown[0] = e;
              }
              try {
                Ledger.guarded(gate, call -> -1, () -> -1);
              } catch (Throwable e) {
                thrown[1] = e;
              }
              memory.commit();
              memory.exit();
            },
            "release");
    thread.start();
    thread.join();
    assertThat(thrown[0]).isNull();
    assertThat(direct[0]).isEqualTo(42);
    assertThat(thrown[1])
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("task ledger")
        .hasMessageContaining("a release of other");
  }

  @Test
  void shouldChargeMadeObjectsWhenReleaseTakesOver() {
    TaskMemory memory = new TaskMemory("maker", 1_024, 256);
    AtomicGate gate = Ledger.gate(memory, 16, clock);
    long[] sizeBytes = new long[1];
    for (int i = 0; i < 2; i++) {
      Ledger.call(
          gate,
          call -> {
            Ledger made = new Ledger();
            call.made(made);
            ledger.setNext(made, call);
            return null;
          });
      sizeBytes[0] += Layout.sizeOf(Ledger.class);
    }
    assertThat(memory.stable.usedBytes()).isZero();
    gate.enter();
    gate.exit();
    assertThat(memory.stable.usedBytes()).isEqualTo(sizeBytes[0]);
  }

  @Test
  void shouldThrowStableMemoryExhaustedToCaller() {
    TaskMemory memory = new TaskMemory("maker", 1_024, 64);
    AtomicGate gate = Ledger.gate(memory, 16, clock);
    assertThatThrownBy(
            () ->
                Ledger.call(
                    gate,
                    call -> {
                      ledger.setNumber(3, call);
                      call.made(new int[100]);
                      return null;
                    }))
        .isInstanceOf(StableMemoryExhausted.class)
        .hasMessageContaining("task maker")
        .hasMessageContaining("asked=416 bytes, used=0, limit=64")
        .hasMessageContaining("stableSizeBytes");
    assertThat(Ledger.call(gate, ledger::getNumber)).isZero();
  }

  @Test
  void shouldRefuseToRunTwoReleasesAtOnce() {
    gate.enter();
    assertThatThrownBy(gate::enter).isInstanceOf(IllegalStateException.class);
  }
}
