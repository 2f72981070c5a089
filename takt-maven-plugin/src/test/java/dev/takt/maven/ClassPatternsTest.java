package dev.takt.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassPatternsTest {
  @ParameterizedTest
  @CsvSource({
    "com.acme.Order, com/acme/Order, true",
    "com.acme.Order, com/acme/Order$Line, true",
    "com.acme.Order, com/acme/Orders, false",
    "com.acme.*, com/acme/Order$Line, true",
    "com.acme.*, com/acme/deep/Order, false",
    "com.acme.**, com/acme/deep/Order, true",
    "com.acme.**, com/acme/Order, true",
    "com.acme.**, com/acmeother/Order, false",
    "com.acme.Order*, com/acme/OrderBook, true",
  })
  void shouldMatchByNamePackageOrTree(String pattern, String name, boolean matches) {
    assertThat(ClassPatterns.matching(List.of(pattern)).test(name)).isEqualTo(matches);
  }

  @Test
  void shouldMatchEverythingWhenThereIsNoPattern() {
    assertThat(ClassPatterns.matching(List.of())).as("all").isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "com/acme/*", "com.acme.[a-z]", "com.**.Order"})
  void shouldSayWhatAPatternLooksLikeWhenOneIsMalformed(String pattern) {
    assertThatThrownBy(() -> ClassPatterns.matching(List.of(pattern)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("\"" + pattern + "\"", "com.acme.**");
  }
}
