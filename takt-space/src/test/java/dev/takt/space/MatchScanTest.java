package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a look finds that goes step by step, while events come and go between its steps. */
class MatchScanTest {
  private static final Event[] TEMPLATES = {
    new Template(),
    new Template("k", 1),
    new Template("id", null),
    new Template("k", 1).add("id", 5)
  };

  private static Event event(Random random, int id) {
    return new Event("k", random.nextInt(2)).add("id", id);
  }

  @Test
  void shouldFindWhatForEachAndCountFind() {
    for (int run = 0; run < Seeds.size(200, 20_000); run++) {
      long seed = Seeds.seed() + run;
      Random random = new Random(seed);
      EventSpace space = space(random);
      fill(space, random, 1);
      for (Event template : TEMPLATES) {
        List<String> expected = new ArrayList<>();
        space.forEach(template, each -> expected.add(each.toString()));
        List<String> found = new ArrayList<>();
        MatchScan scan = space.scan(template);
        look(scan, random, () -> {});
        give(scan, each -> found.add(each.toString()), () -> {});
        assertThat(found).as(Seeds.replay(seed)).isEqualTo(expected);

        MatchScan counting = space.scan(template);
        int steps = 1;
        int slots = 1 + random.nextInt(40);
        while (!counting.count(slots)) {
          steps++;
        }
        assertThat(counting.counted()).as(Seeds.replay(seed)).isEqualTo(space.count(template));
        assertThat(steps).isEqualTo((space.settings().capacity() + slots - 1) / slots);
      }
    }
  }

  @Test
  void shouldGiveOnceWhatIsThereAllTheTimeWhateverComesAndGoes() {
    for (int run = 0; run < Seeds.size(300, 30_000); run++) {
      long seed = Seeds.seed() + run;
      Random random = new Random(seed);
      EventSpace space = space(random);
      int[] next = {fill(space, random, 1)};
      Event template = TEMPLATES[random.nextInt(3)];
      Set<Long> isThereAllTheTime = ids(space, template);
      Set<Long> wasThere = new TreeSet<>(isThereAllTheTime);
      Runnable meanwhile =
          () -> {
            if (random.nextInt(3) == 0
                && space.poll(new Template("k", random.nextInt(2)), new Event())) {
              isThereAllTheTime.retainAll(ids(space, template));
            }
            if (random.nextInt(3) == 0 && space.offer(event(random, next[0]++))) {
              wasThere.addAll(ids(space, template));
            }
          };
      MatchScan scan = space.scan(template);
      look(scan, random, meanwhile);
      List<Long> given = new ArrayList<>();
      give(
          scan,
          each -> {
            given.add(each.getLong("id"));
            isThereAllTheTime.remove(each.getLong("id"));
          },
          meanwhile);
      assertThat(given).as(Seeds.replay(seed)).isSorted().doesNotHaveDuplicates();
      assertThat(wasThere).as(Seeds.replay(seed)).containsAll(given);
      assertThat(isThereAllTheTime).as("not given, %s", Seeds.replay(seed)).isEmpty();
    }
  }

  private static EventSpace space(Random random) {
    return EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(1 + random.nextInt(100)));
  }

  /** Writes some events and takes some; returns the next number. */
  private static int fill(EventSpace space, Random random, int first) {
    int id = first;
    for (int i = random.nextInt(150); i > 0; i--) {
      if (random.nextInt(4) > 0) {
        space.offer(event(random, id++));
      } else {
        space.poll(new Template("k", random.nextInt(2)), new Event());
      }
    }
    return id;
  }

  private static Set<Long> ids(EventSpace space, Event template) {
    Set<Long> ids = new TreeSet<>();
    space.forEach(template, each -> ids.add(each.getLong("id")));
    return ids;
  }

  private static void look(MatchScan scan, Random random, Runnable meanwhile) {
    while (!scan.look(1 + random.nextInt(random.nextBoolean() ? 5 : 100))) {
      meanwhile.run();
    }
  }

  private static void give(MatchScan scan, Consumer<Event> sink, Runnable meanwhile) {
    Event event = new Event();
    while (scan.hasNext()) {
      if (scan.next(event)) {
        sink.accept(event);
      }
      meanwhile.run();
    }
  }
}
