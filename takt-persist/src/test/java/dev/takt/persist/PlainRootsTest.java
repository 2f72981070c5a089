package dev.takt.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.kept.Account;
import dev.takt.kept.Selected;
import dev.takt.kept.Shelf;
import dev.takt.kept.Tray;
import dev.takt.kept.Vault;
import dev.takt.reflex.stable.StableArray;
import dev.takt.reflex.woven.UpdateGate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program without tasks keeps its objects. */
@Timeout(60)
class PlainRootsTest {
  private final MemoryStorage storage = new MemoryStorage();
  private Persistence persistence = open(Scheme.ANNOTATING);

  private Persistence open(Scheme scheme) {
    return Persistence.open(storage, PersistSettings.DEFAULTS.withScheme(scheme));
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackRootsByNameWithSharingCirclesAndFinalFields(Scheme scheme) throws IOException {
    persistence = open(scheme);
    Account first = new Account("first", 100);
    Account second = new Account("second", 7);
    first.move(40, second);
    first.link(second);
    second.link(first);
    persistence.addRoot("a", first);
    persistence.addRoot("b", second);
    assertThat(persistence.begin().run().objects()).isGreaterThan(6);

    try (Recovery recovery = open(scheme).recover()) {
      assertThat(recovery.isWarm()).isTrue();
      Account a = recovery.root("a", Account.class);
      assertThat(a.owner()).isEqualTo("first");
      assertThat(a.balance()).isEqualTo(60);
      assertThat(a.next().balance()).isEqualTo(47);
      assertThat(a.next().history(1)).isEqualTo(1);
      assertThat(a.next()).isSameAs(recovery.root("b", Account.class)).isSameAs(a.partner(0));
      assertThat(a.next().next()).isSameAs(a).isSameAs(a.partner(1));
      assertThat(recovery.root("c", Account.class)).isNull();
      assertThatThrownBy(() -> recovery.root("a", Selected.class))
          .hasMessageContainingAll("root a", "dev.takt.kept.Account", "dev.takt.kept.Selected");
    }
  }

  @Test
  void shouldNameTheRootsThatNobodyHasAskedFor() throws IOException {
    persistence.addRoot("a", new Account("a", 1));
    persistence.addRoot("b", new Account("b", 1));
    persistence.begin().run();
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.unclaimed()).as("not looked at yet").containsExactly("(roots)");
      assertThat(recovery.root("b", Account.class)).isNotNull();
      assertThat(recovery.unclaimed()).containsExactly("a");
    }
  }

  @Test
  void shouldSkipARootWhoseClassIsNotDeclaredOrGone() throws IOException {
    persistence.addRoot("a", new Account("a", 1));
    persistence.addRoot("v", new Vault("which only it leads to"));
    persistence.begin().run();
    try (Recovery recovery = open(Scheme.ANNOTATING).recover()) {
      assertThat(recovery.root("a", Account.class).balance()).isEqualTo(1);
      assertThat(recovery.unclaimed()).containsExactly("v");
      assertThatThrownBy(() -> recovery.root("v", Vault.class))
          .hasMessageContainingAll(
              "root v", "dev.takt.kept.Vault", "declare(Vault.class)", "@FormerName");
    }
    persistence = open(Scheme.ANNOTATING);
    persistence.declare(Vault.class);
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class).balance()).isEqualTo(1);
      assertThat(recovery.root("v", Vault.class).anything()).isEqualTo("which only it leads to");
    }
  }

  @Test
  void shouldSayAtTheFirstStartAlreadyWhichRootsCouldNotBeRecovered() throws IOException {
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class)).isNull();
      assertThatThrownBy(() -> recovery.root("v", Vault.class))
          .hasMessageContainingAll("root v", "declare(Vault.class)");
    }
    persistence.declare(Vault.class);
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class)).isNull();
      assertThat(recovery.root("v", Vault.class)).isNull();
    }
  }

  @Test
  void shouldNameTheFieldThatRefersToAnObjectOfAClassThatIsNotDeclared() throws IOException {
    persistence.declare(Account.class);
    persistence.addRoot("v", new Vault(new Account("a", 1)));
    persistence.begin().run();
    try (Recovery recovery = open(Scheme.ANNOTATING).recover()) {
      assertThatThrownBy(() -> recovery.root("v", Vault.class))
          .hasMessageContainingAll(
              "class dev.takt.kept.Account was stored in field dev.takt.kept.Vault.anything",
              "Persistence.declare",
              "@FormerName(\"dev.takt.kept.Account\")");
    }
  }

  @Test
  void shouldTellAColdStartFromAWarmOne() throws IOException {
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.isWarm()).isFalse();
      assertThat(recovery.root("a", Account.class)).isNull();
    }
  }

  @Test
  void shouldStoreTheFieldsThatAClassSelectsAndLeaveOutTransientOnes() throws IOException {
    Selected account = new Selected("s", 9);
    account.setBalance(3);
    assertThat(account.cache()).isEqualTo(3);
    persistence.addRoot("s", account);
    persistence.begin().run();
    try (Recovery recovery = persistence.recover()) {
      Selected recovered = recovery.root("s", Selected.class);
      assertThat(recovered.kept()).isEqualTo(9);
      assertThat(recovered.leftOut()).isZero();
      assertThat(recovered.cache()).isZero();
      assertThat(recovered.balance()).isEqualTo(3);
    }
  }

  @Test
  void shouldGoOnWithWhatWasRecovered() throws IOException {
    persistence.addRoot("a", new Account("a", 1));
    persistence.begin().run();
    for (int i = 1; i < 4; i++) {
      persistence = open(Scheme.MARKING);
      try (Recovery recovery = persistence.recover()) {
        Account account = recovery.root("a", Account.class);
        assertThat(account.balance()).isEqualTo(i);
        account.move(-1, new Account("other", 0));
        persistence.addRoot("a", account);
      }
      persistence.begin().run();
    }
  }

  @Test
  void shouldForgetARootThatIsRemoved() throws IOException {
    persistence.addRoot("a", new Account("a", 1));
    persistence.addRoot("b", new Account("b", 1));
    persistence.removeRoot("a");
    persistence.begin().run();
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class)).isNull();
      assertThat(recovery.root("b", Account.class)).isNotNull();
    }
    persistence.removeRoot("b");
    assertThatThrownBy(persistence::begin).hasMessageContaining("addRoot");
  }

  @Test
  void shouldRefuseARootOfAnotherClass() {
    assertThatThrownBy(() -> persistence.addRoot("list", new int[3]))
        .hasMessageContainingAll("root list", "class [I", "@Persistent");
  }

  @Test
  void shouldNotBeginInTheMiddleOfAnUpdate() throws Exception {
    Account account = new Account("a", 1);
    persistence.addRoot("a", account);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  UpdateGate.Slot slot = UpdateGate.enter();
                  account.setBalance(2);
                  entered.countDown();
                  await(leave);
                  account.setBalance(3);
                  UpdateGate.exit(slot);
                });
    await(entered);
    try (Cycle cycle = persistence.begin()) {
      assertThat(cycle.step(0)).isEqualTo(CycleState.WAITING);
      account.setBalance(10); // of another thread: goes on all the same
      assertThat(cycle.step(0)).isEqualTo(CycleState.WAITING);
      leave.countDown();
      thread.join();
      assertThat(cycle.hasBegun()).isFalse();
      cycle.run();
    }
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class).balance()).isEqualTo(3);
    }
  }

  @Test
  void shouldEndAnUpdateThatFails() throws IOException {
    Account account = new Account("a", 1);
    persistence.addRoot("a", account);
    assertThatThrownBy(() -> Account.fail(account)).hasMessage("on purpose");
    persistence.begin().run();
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class).balance()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldStoreWhatObjectsHeldWhenTheCycleBeganAndCountTheBarrier(Scheme scheme)
      throws IOException {
    persistence = open(scheme);
    Account account = new Account("a", 1);
    Account stranger = new Account("b", 1);
    persistence.addRoot("a", account);
    CycleStats stats;
    try (Cycle cycle = persistence.begin()) {
      while (!cycle.hasBegun()) {
        cycle.step(0);
      }
      for (int i = 0; i < 10; i++) {
        account.move(5, stranger);
      }
      stats = cycle.run();
    }
    assertThat(stats.barrierCalls()).as("10 times 2 fields and an array").isEqualTo(30);
    assertThat(stats.barrierSaves()).as("two accounts and an array").isEqualTo(3);
    assertThat(stats.extraObjects()).isEqualTo(2);
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("a", Account.class).balance()).isEqualTo(1);
    }
    account.move(1, stranger);
    assertThat(persistence.begin().run().barrierCalls()).isZero();
  }

  @Test
  void shouldStoreSetsOfRootsInCyclesOfTheirOwn() throws IOException {
    Persistence other = Persistence.open(new MemoryStorage(), PersistSettings.DEFAULTS);
    Account account = new Account("a", 1);
    persistence.addRoot("a", account);
    other.addRoot("a", account);
    try (Cycle first = persistence.begin()) {
      account.setBalance(2);
      try (Cycle second = other.begin()) {
        account.setBalance(3);
        first.run();
        account.setBalance(4);
        second.run();
      }
    }
    try (Recovery first = persistence.recover();
        Recovery second = other.recover()) {
      assertThat(first.root("a", Account.class).balance()).isEqualTo(1);
      assertThat(second.root("a", Account.class).balance()).isEqualTo(2);
    }
  }

  @Test
  void shouldSaveExactlyWhatIsInTheGraphOnceItIsMarked() throws IOException {
    assertThat(savesOfStrangers(Scheme.ANNOTATING)).isPositive();
    assertThat(savesOfStrangers(Scheme.MARKING)).isZero();
  }

  /** Changes objects of the same class that belong to no root when some were written. */
  private long savesOfStrangers(Scheme scheme) throws IOException {
    PersistSettings settings = PersistSettings.DEFAULTS.withScheme(scheme).withBlockBytes(8_192);
    persistence = Persistence.open(storage, settings);
    Account first = new Account("0", 0);
    for (int i = 1; i < 500; i++) {
      Account next = new Account("0", i);
      next.link(first);
      first = next;
    }
    persistence.addRoot("list", first);
    Account stranger = new Account("stranger", 0);
    try (Cycle cycle = persistence.begin()) {
      while (cycle.blocks() == 0) {
        assertThat(cycle.step(0)).isEqualTo(CycleState.RUNNING);
      }
      stranger.setBalance(7);
      return cycle.run().extraObjects();
    }
  }

  @Test
  void shouldSetUpWhatIsNotStoredByTheConstructorWithoutParameters() throws IOException {
    Vault inner = new Vault(null);
    persistence.addRoot("vault", new Vault(inner));
    persistence.begin().run();
    try (Recovery recovery = persistence.recover()) {
      Vault vault = recovery.root("vault", Vault.class);
      vault.put("which locks");
      assertThat(vault.changes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveToTheConstructorWhatAFinalFieldHoldsAndCannotBeStored(Scheme scheme)
      throws IOException {
    persistence = open(scheme);
    Shelf shelf = new Shelf("spices", new Shelf("inner", null));
    shelf.add(2);
    persistence.addRoot("shelf", shelf);
    try (Cycle cycle = persistence.begin()) {
      while (!cycle.hasBegun()) {
        cycle.step(0);
      }
      shelf.add(3); // so that the cycle takes the copy of the barrier
      cycle.run();
    }
    try (Recovery recovery = persistence.recover()) {
      Shelf recovered = recovery.root("shelf", Shelf.class);
      assertThat(recovered.name()).isEqualTo("spices");
      assertThat(recovered.size()).isEqualTo(2);
      assertThat(recovered.uses()).isZero();
      recovered.add(1);
      assertThat(recovered.uses()).isEqualTo(1);
      Shelf inner = (Shelf) recovered.content();
      assertThat(inner.content()).as("null was stored, and is no lock").isNull();
      inner.add(1);
    }
  }

  @Test
  void shouldNotLeaveToAConstructorWhatNoneWouldSetUp() throws IOException {
    persistence.addRoot("tray", new Tray(new ReentrantLock()));
    assertThatThrownBy(() -> persistence.begin().run())
        .hasMessageContaining("ReentrantLock cannot be stored: it is in field dev.takt.kept.Tray");
    persistence.addRoot("tray", new Tray("a string"));
    persistence.begin().run();
    try (Recovery recovery = persistence.recover()) {
      assertThat(recovery.root("tray", Tray.class).content()).isEqualTo("a string");
    }
  }

  @Test
  void shouldNotLoseACollectionInAFinalField() {
    persistence.addRoot("shelf", new Shelf("s", new ArrayList<>(List.of(1))));
    assertThatThrownBy(() -> persistence.begin().run())
        .hasMessageContaining(
            "java.util.ArrayList cannot be stored: it is in field dev.takt.kept.Shelf.content,");
  }

  @Test
  void shouldNameWhatItCannotStore() {
    Vault vault = new Vault(new ArrayList<>());
    persistence.addRoot("vault", vault);
    assertThatThrownBy(() -> persistence.begin().run())
        .hasMessageContainingAll(
            "an object of java.util.ArrayList cannot be stored: it is in field"
                + " dev.takt.kept.Vault.anything,",
            "List.copyOf");
    vault.put(this);
    assertThatThrownBy(() -> persistence.begin().run())
        .hasMessageContaining("annotate " + getClass().getName() + " with @Persistent");
    persistence.declare(StableArray.class);
    vault.put(new StableArray<>(3));
    assertThatThrownBy(() -> persistence.begin().run())
        .as("a stable object, which plain threads have no barrier for")
        .hasMessageContaining("StableArray");
  }

  @Test
  void shouldFailInsteadOfWaitingForTheUpdateThatItRunsIn() throws IOException {
    Vault vault = new Vault();
    persistence.addRoot("vault", vault);
    assertThatThrownBy(() -> vault.run(this::cycle)).hasMessageContaining("is in an update");
    persistence.begin().run();
  }

  private void cycle() {
    try {
      persistence.begin().run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldBeStoredByAPersistenceTask() throws Exception {
    Account account = new Account("a", 1);
    persistence.addRoot("a", account);
    PersistenceTaskSettings settings = PersistenceTaskSettings.DEFAULTS.withCyclePeriodNs(0);
    try (PersistenceTask task = PersistenceTask.of(persistence, persistence::begin, settings)) {
      task.start();
      for (int i = 1; i < 4; i++) {
        account.setBalance(i);
        assertThat(task.request().get(1, TimeUnit.MINUTES).generation()).isEqualTo(i);
        try (Recovery recovery = persistence.recover()) {
          assertThat(recovery.root("a", Account.class).balance()).isEqualTo(i);
        }
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
