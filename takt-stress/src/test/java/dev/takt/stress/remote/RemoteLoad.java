package dev.takt.stress.remote;

import dev.takt.client.ClientSettings;
import dev.takt.client.RemoteSpace;
import dev.takt.client.Takt;
import dev.takt.space.Abort;
import dev.takt.space.Event;
import dev.takt.space.SpaceTransaction;
import dev.takt.testkit.History.Fact;
import dev.takt.testkit.History.Kind;
import dev.takt.testkit.History.Op;
import dev.takt.testkit.History.Outcome;
import dev.takt.testkit.History.Pattern;
import dev.takt.testkit.History.Unit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A client process that runs a few random transactions for each seed that it reads, and says what
 * they did. All processes of a machine have one monotonic clock.
 */
final class RemoteLoad {
  static final int TRANSACTIONS = 10;

  /** Transactions have priorities from 0 on. */
  static final int PRIORITIES = 2;

  static final String END = "end";

  private static final int ANY = dev.takt.testkit.History.ANY;
  private static final int KEYS = 3;
  private static final int IDS = 2;
  private static final int OPS = 4;

  private final int thread;
  private final RemoteSpace space;
  private final SplittableRandom random;
  private final List<Unit> units = new ArrayList<>();
  private List<Op> ops = new ArrayList<>();
  private long begin;
  private boolean isBegun;

  private RemoteLoad(int thread, RemoteSpace space, long seed) {
    this.thread = thread;
    this.space = space;
    this.random = new SplittableRandom(seed);
  }

  public static void main(String[] arguments) throws IOException {
    int thread = Integer.parseInt(arguments[1]);
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    ClientSettings patient =
        new ClientSettings(ClientSettings.DEFAULTS.wire(), 20_000, RemoteHistoryTest.HELLO_NS);
    try (RemoteSpace space = Takt.connect(Path.of(arguments[0]), patient)) {
      out.println(END);
      out.flush();
      for (String seed = in.readLine(); seed != null; seed = in.readLine()) {
        RemoteLoad load = new RemoteLoad(thread, space, Long.parseLong(seed) * 31 + thread);
        load.run();
        load.units.forEach(unit -> out.println(write(unit)));
        out.println(END);
        out.flush();
      }
    }
  }

  static Event event(Fact fact) {
    return new Event("key", fact.key()).add("id", fact.id());
  }

  static Fact fact(Event event) {
    return new Fact((int) event.getLong("key"), (int) event.getLong("id"));
  }

  private static Event template(Pattern pattern) {
    Event template = new Event();
    return number(number(template, "key", pattern.key()), "id", pattern.id());
  }

  private static Event number(Event template, String key, int number) {
    return number == ANY ? template.add(key, (Object) null) : template.add(key, number);
  }

  static Fact randomFact(SplittableRandom random) {
    return new Fact(random.nextInt(KEYS), random.nextInt(IDS));
  }

  private Pattern randomPattern() {
    int kind = random.nextInt(10);
    return new Pattern(
        kind < 2 ? ANY : random.nextInt(KEYS), kind == 0 || kind > 4 ? ANY : random.nextInt(IDS));
  }

  private void run() {
    for (int i = 0; i < TRANSACTIONS; i++) {
      if (random.nextInt(3) == 0) {
        alone();
      } else {
        together();
      }
    }
  }

  private void begin() {
    begin = System.nanoTime();
    ops = new ArrayList<>();
    isBegun = true;
  }

  private void end(Outcome outcome) {
    if (isBegun) {
      units.add(new Unit(thread, begin, System.nanoTime(), outcome, ops));
      isBegun = false;
    }
  }

  /** An operation that is a transaction of its own. */
  private void alone() {
    begin();
    Fact fact = randomFact(random);
    Pattern pattern = randomPattern();
    Event into = new Event();
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        space.write(event(fact));
        ops.add(new Op(Kind.WRITE, null, fact));
      }
      case 2 -> found(Kind.TAKE, pattern, space.take(template(pattern), into), into);
      case 3 -> found(Kind.POLL, pattern, space.poll(template(pattern), into), into);
      case 4 -> found(Kind.READ, pattern, space.read(template(pattern), into), into);
      default -> present(pattern, space.test(template(pattern)));
    }
    end(Outcome.COMMITTED);
  }

  private void together() {
    SplittableRandom plan = random.split();
    boolean givesUp = random.nextInt(12) == 0;
    try {
      space.transact(
          random.nextInt(PRIORITIES),
          transaction -> {
            end(Outcome.ABORTED); // the attempt before
            begin();
            SplittableRandom again = plan.split();
            for (int i = again.nextInt(OPS); i >= 0; i--) {
              perform(transaction);
            }
            if (givesUp) {
              transaction.abort();
            }
            return null;
          });
      end(Outcome.COMMITTED);
    } catch (Abort abort) {
      end(Outcome.ABORTED);
    }
  }

  private void perform(SpaceTransaction transaction) {
    Fact fact = randomFact(random);
    Pattern pattern = randomPattern();
    Event into = new Event();
    switch (random.nextInt(9)) {
      case 0, 1, 2 -> {
        transaction.write(event(fact));
        ops.add(new Op(Kind.WRITE, null, fact));
      }
      case 3, 4 -> found(Kind.TAKE, pattern, transaction.take(template(pattern), into), into);
      case 5 -> found(Kind.POLL, pattern, transaction.poll(template(pattern), into), into);
      case 6 -> found(Kind.READ, pattern, transaction.read(template(pattern), into), into);
      case 7 -> present(pattern, transaction.test(template(pattern)));
      default -> {
        List<Fact> all = new ArrayList<>();
        transaction.forEach(template(pattern), each -> all.add(fact(each)));
        ops.add(new Op(Kind.READ_ALL, pattern, null, all));
      }
    }
  }

  private void found(Kind kind, Pattern pattern, boolean isFound, Event event) {
    ops.add(new Op(kind, pattern, isFound ? fact(event) : null));
  }

  private void present(Pattern pattern, boolean is) {
    ops.add(new Op(is ? Kind.PRESENT : Kind.ABSENT, pattern, null));
  }

  // ---- a unit as a line

  private static String write(Unit unit) {
    StringBuilder line = new StringBuilder();
    line.append(unit.thread()).append(' ').append(unit.begin()).append(' ').append(unit.end());
    line.append(' ').append(unit.outcome());
    for (Op op : unit.ops()) {
      line.append(';').append(op.kind().name().toUpperCase(Locale.ROOT));
      Pattern pattern = op.pattern();
      line.append(' ').append(pattern == null ? "- -" : pattern.key() + " " + pattern.id());
      List<Fact> facts = op.fact() == null ? op.all() : List.of(op.fact());
      facts.forEach(fact -> line.append(' ').append(fact.key()).append(' ').append(fact.id()));
    }
    return line.toString();
  }

  /** Reads what a process has said. */
  static Unit read(String line) {
    String[] parts = line.split(";");
    String[] head = parts[0].split(" ");
    List<Op> ops = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      ops.add(readOp(parts[i].split(" ")));
    }
    return new Unit(
        Integer.parseInt(head[0]),
        Long.parseLong(head[1]),
        Long.parseLong(head[2]),
        Outcome.valueOf(head[3]),
        ops);
  }

  private static Op readOp(String[] words) {
    Kind kind = Kind.valueOf(words[0]);
    Pattern pattern =
        words[1].equals("-")
            ? null
            : new Pattern(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    List<Fact> facts = new ArrayList<>();
    for (int i = 3; i < words.length; i += 2) {
      facts.add(new Fact(Integer.parseInt(words[i]), Integer.parseInt(words[i + 1])));
    }
    if (kind == Kind.READ_ALL) {
      return new Op(kind, pattern, null, facts);
    }
    return new Op(kind, pattern, facts.isEmpty() ? null : facts.getFirst());
  }
}
