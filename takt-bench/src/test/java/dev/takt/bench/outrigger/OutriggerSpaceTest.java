package dev.takt.bench.outrigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jini.core.lease.Lease;
import net.jini.core.transaction.UnknownTransactionException;
import net.jini.core.transaction.server.ServerTransaction;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutriggerSpaceTest {
  private OutriggerSpace outrigger;
  private JavaSpace space;

  @BeforeEach
  void start() throws ReflectiveOperationException {
    outrigger = OutriggerSpace.start();
    space = outrigger.space();
  }

  @AfterEach
  void stop() throws ReflectiveOperationException {
    outrigger.close();
  }

  @Test
  void shouldTakeTheEntryWithTheId() throws Exception {
    space.write(OrderEntry.order(1), null, Lease.FOREVER);
    space.write(OrderEntry.order(2), null, Lease.FOREVER);

    OrderEntry taken = (OrderEntry) space.takeIfExists(OrderEntry.withId(2), null, 0);

    assertThat(taken.id).isEqualTo(2);
    assertThat(taken.sequence).isEqualTo(6);
    assertThat(space.takeIfExists(OrderEntry.withId(2), null, 0)).isNull();
    assertThat(space.takeIfExists(OrderEntry.withId(1), null, 0)).isNotNull();
  }

  @Test
  void shouldHideTheWritesOfATransactionUntilItCommits() throws Exception {
    ServerTransaction transaction = outrigger.begin();
    space.write(OrderEntry.order(1), transaction, Lease.FOREVER);

    assertThat(space.readIfExists(OrderEntry.withId(1), null, 0)).isNull();
    transaction.commit();
    assertThat(space.readIfExists(OrderEntry.withId(1), null, 0)).isNotNull();
  }

  @Test
  void shouldUndoWhatAnAbortedTransactionDid() throws Exception {
    space.write(OrderEntry.order(1), null, Lease.FOREVER);
    ServerTransaction transaction = outrigger.begin();
    assertThat(space.takeIfExists(OrderEntry.withId(1), transaction, 0)).isNotNull();
    space.write(OrderEntry.order(2), transaction, Lease.FOREVER);

    transaction.abort();

    assertThat(space.readIfExists(OrderEntry.withId(1), null, 0)).isNotNull();
    assertThat(space.readIfExists(OrderEntry.withId(2), null, 0)).isNull();
  }

  @Test
  void shouldRefuseToCommitTwice() throws Exception {
    ServerTransaction transaction = outrigger.begin();
    transaction.commit();

    assertThatThrownBy(transaction::commit).isInstanceOf(UnknownTransactionException.class);
  }

  @Test
  void shouldRunTheBenchmarksOfThePeer() throws Exception {
    OutriggerBenchmark benchmark = new OutriggerBenchmark();
    benchmark.start();
    for (int i = 1; i <= 3; i++) {
      assertThat(((OrderEntry) benchmark.pair()).id).isEqualTo(i);
    }
    benchmark.stop();
    benchmark = new OutriggerBenchmark();
    benchmark.start();
    for (int i = 0; i < 3; i++) {
      assertThat(((OrderEntry) benchmark.transaction()).id).isEqualTo(i);
    }
    benchmark.stop();
  }
}
