package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose guards there are, by the hash of a guard: what a writer has to look at. */
class GuardHoldersTest {
  private static final int LAST = 16_382;

  private final List<Transaction> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(Transaction::close);
  }

  /** The guards that share a word, as a list of their owners, next to the word. */
  @Test
  void shouldNameNobodyWhoHasNoGuardAndAllWhenItSaysSo() {
    long seed = Seeds.seed();
    System.out.println("GuardHoldersTest words seed=" + seed);
    Random random = new Random(seed);
    int[] owners = {0, 1, 2, LAST};
    for (int run = 0; run < 200; run++) {
      List<Integer> guards = new ArrayList<>();
      long word = 0;
      for (int step = 0; step < 200; step++) {
        if (guards.isEmpty() || guards.size() < 6 && random.nextBoolean()) {
          int owner = owners[random.nextInt(owners.length)];
          guards.add(owner);
          word = TransactionTable.with(word, owner);
        } else {
          int gone = guards.remove(random.nextInt(guards.size()));
          word = TransactionTable.without(word, gone);
        }
        assertThat(word == 0).isEqualTo(guards.isEmpty());
        List<Integer> names = names(word);
        for (int name : names) {
          assertThat(Collections.frequency(guards, name))
              .isGreaterThanOrEqualTo(Collections.frequency(names, name));
        }
        if (TransactionTable.namesAll(word)) {
          assertThat(names).containsExactlyInAnyOrderElementsOf(guards);
        }
      }
    }
  }

  private static List<Integer> names(long word) {
    List<Integer> names = new ArrayList<>(List.of(TransactionTable.first(word)));
    names.add(TransactionTable.second(word));
    names.removeIf(name -> name < 0);
    return names;
  }

  @Test
  void shouldNameUpToTwoGuardians() {
    long word = TransactionTable.with(TransactionTable.with(0, LAST), 0);
    assertThat(names(word)).containsExactly(LAST, 0);
    assertThat(TransactionTable.namesAll(word)).isTrue();
    long more = TransactionTable.with(word, 7);
    assertThat(names(more)).containsExactly(LAST, 0);
    assertThat(TransactionTable.namesAll(more)).isFalse();
    assertThat(TransactionTable.namesAll(TransactionTable.without(more, LAST))).isFalse();
    assertThat(TransactionTable.namesAll(TransactionTable.without(more, 7))).isTrue();
  }

  /** The longer the look at all transactions would be, the rarer it has to be. */
  @ParameterizedTest
  @CsvSource({"16_367, 100", "2_032, 1_000", "1_024, 4_000"})
  void shouldSeldomHaveToLookAtAllWhenEachTransactionHasAGuard(String most, String bound) {
    long seed = Seeds.seed();
    System.out.println("GuardHoldersTest table seed=" + seed);
    Random random = new Random(seed);
    int count = Integer.parseInt(most.replace("_", ""));
    TransactionTable descriptors = new TransactionTable(count, InitialCounters.fresh());
    for (int owner = 0; owner < count; owner++) {
      descriptors.count(owner, new long[1], 0, random.nextLong());
    }
    int looks = 0;
    for (int i = 0; i < 1_000_000; i++) {
      looks += TransactionTable.namesAll(descriptors.guardHolders(random.nextLong())) ? 0 : 1;
    }
    assertThat(looks).isLessThan(Integer.parseInt(bound.replace("_", "")));
  }

  /** Four guards on one absence: two of them are only counted. */
  @Test
  void shouldOvercomeEachOfManyWhoCountOnTheSameAbsence() {
    EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withPatience(1));
    for (int holders = 1; holders <= 4; holders++) {
      Event event = new Event("holders", holders);
      for (int i = 0; i < holders; i++) {
        Transaction transaction = space.newTransaction();
        open.add(transaction);
        transaction.begin();
        assertThat(transaction.test(event)).isFalse();
        transaction.write(new Event("done", i));
      }
      space.write(event);
      for (Transaction transaction : open) {
        assertThat(transaction.commit()).as("holders=%s", holders).isFalse();
        transaction.close();
      }
      open.clear();
      assertThat(space.take(event)).isNotNull();
      assertThat(space.take(new Event("done", null))).isNull();
    }
  }
}
