package dev.takt.space;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A template that is mistyped matches nothing; this tells what was meant. */
class NearMissesTest {
  private final EventSpace space = EventSpace.create(SpaceSettings.DEFAULTS.withCapacity(2_000));

  private void serve(int events) {
    for (int i = 0; i < events; i++) {
      space.write(new Event("type", "served").add("latencyMs", (double) i));
    }
  }

  @Test
  void shouldNameTheKeyThatWasMeant() {
    serve(1_001);
    assertThat(space.nearMisses(new Event("type", "served").add("latncyMs", null)))
        .isEqualTo(
            "1001 events have instead of latncyMs the key latencyMs (type, latencyMs): did you mean"
                + " latencyMs?");
    assertThat(space.nearMisses(new Event("Type", "served"))).endsWith("did you mean type?");
  }

  @Test
  void shouldNameTheTypeOfTheValue() {
    serve(1);
    assertThat(space.nearMisses(new Event("latencyMs", 0)))
        .isEqualTo(
            "1 event has as latencyMs a value of type floating point, the template asks for"
                + " integer");
  }

  @Test
  void shouldSayWhatIsMeantWhenAStringIsSpelledOtherwise() {
    for (int i = 0; i < 3; i++) {
      space.write(new Event("type", "offer").add("price", 12.5));
      space.write(new Event("type", "buy").add("price", 12.5));
    }
    assertThat(space.nearMisses(new Event("type", "offr").add("price", null)))
        .isEqualTo(
            "3 events have as type the value \"offer\", the template asks for \"offr\": did you mean"
                + " \"offer\"?");
    assertThat(space.nearMisses(new Event("type", "Offer"))).contains("did you mean \"offer\"?");
    assertThat(space.nearMisses(new Event("type", "offr").add("price", 12.0))).isNull();
    space.write(new Event("type", "offr").add("price", 1.5));
    assertThat(space.nearMisses(new Event("type", "offr"))).isNull();
  }

  @Test
  void shouldSayNothingWhenTheStringsAreData() {
    for (int i = 0; i < 20; i++) {
      space.write(new Event("item", "item-" + i));
    }
    assertThat(space.nearMisses(new Event("item", "item-20"))).isNull();
  }

  @Test
  void shouldSayNothingWhenNothingComesNear() {
    assertThat(space.nearMisses(new Event("type", "served"))).isNull();
    serve(3);
    assertThat(space.nearMisses(new Event("type", "refused"))).isNull();
    assertThat(space.nearMisses(new Event("typ", 1).add("latency", null))).isNull();
    assertThat(space.nearMisses(new Event("id", null).add("type", null))).isNull();
    assertThat(NearMisses.isNear("a", "b")).isFalse();
    assertThat(NearMisses.isNear("id", "qty")).isFalse();
  }

  @Test
  void shouldShowInDumpHowManyMatchesEachSubscriptionHasTaken() {
    Handle good = space.subscribe(new Event("type", "served"));
    space.subscribe(new Event("latncyMs", null));
    serve(2);
    good.next();
    assertThat(good.taken()).isEqualTo(1);
    assertThat(space.dump(10))
        .contains("  subscription [type: \"served\"]: taken 1\n")
        .contains("  subscription [latncyMs: *]: taken 0, never matched; 1 event has instead of");
  }
}
