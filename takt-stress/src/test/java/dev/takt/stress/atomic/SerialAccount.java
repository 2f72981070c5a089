package dev.takt.stress.atomic;

import dev.takt.stress.atomic.Account.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What an account is when one step comes after the other: the reference. */
final class SerialAccount {
  /**
   * What a thread did.
   *
   * @param isStep whether it changed the account
   * @param input the input of the step
   * @param seen what it found
   */
  record Deed(boolean isStep, int input, Seen seen) {}

  private final long[] cells = new long[Steps.CELLS];
  private int number;
  private double mark = 1;
  private long top;

  private void step(int input) {
    number++;
    mark = Steps.nextMark(mark, input);
    cells[Steps.first(input)] += input;
    cells[Steps.second(input)] -= input;
    top += input + (input & 1);
  }

  private Seen seen() {
    long digest = Steps.mix(Double.doubleToLongBits(mark), top);
    for (long cell : cells) {
      digest = Steps.mix(digest, cell);
    }
    return new Seen(number, digest);
  }

  /** Returns what is wrong with what some threads did, each in its order, or null. */
  static String violation(List<List<Deed>> threads) {
    List<Deed> all = new ArrayList<>();
    for (List<Deed> deeds : threads) {
      int last = 0;
      for (Deed deed : deeds) {
        int number = deed.seen().number();
        if (number < last || (deed.isStep() && number == last)) {
          return "a thread goes back in time, after number " + last + ": " + deed;
        }
        last = number;
        all.add(deed);
      }
    }
    // A look comes after the step whose number it has seen.
    all.sort(
        Comparator.<Deed>comparingInt(deed -> deed.seen().number())
            .thenComparing(deed -> !deed.isStep()));
    SerialAccount account = new SerialAccount();
    for (Deed deed : all) {
      if (deed.isStep()) {
        account.step(deed.input());
      }
      if (!account.seen().equals(deed.seen())) {
        return deed + " should have seen " + account.seen();
      }
    }
    return null;
  }
}
