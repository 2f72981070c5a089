package dev.takt.safety.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.Programs;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImmutabilityTest {
  private static Programs programs;
  private static ClassWorld world;

  @BeforeAll
  static void open() throws IOException {
    programs =
        Programs.compile(
            """
            package app;
            import dev.takt.space.*;
            import java.util.*;
            import java.util.function.*;
            public class Types {
              record Numbers(int a, double[] b, String c, Integer d) {}
              record Nested(Numbers n, Kind k) {}
              enum Kind { A, B { int weight() { return 2; } }; int weight() { return 1; } }
              static final class Counter { long count; final long[] buckets = new long[4]; }
              static final class Tree { final Tree left; final int v; Tree(Tree l) { left = l; v = 1; } }
              sealed interface Shape permits Circle, Square {}
              record Circle(int r) implements Shape {}
              record Square(int s) implements Shape {}
              static final class Failure extends RuntimeException { final int code = 1; }

              record WithList(List<String> l) {}
              record WithStrings(String[] l) {}
              static final class Mutable { String name; }
              enum Holder { A; final List<String> l = new ArrayList<>(); }
              static class Base { final int a = 1; }
              static class Spoiled extends Base { Object o; }
              static final class Loop { final Loop next; Object spoilt; Loop(Loop n) { next = n; } }
              record HasLoop(Loop l) {}
              interface Law { int f(int x); }
              record HasLaw(Law l) {}
              static final class Node implements Stable { int v; }
              static final class Carrier extends RuntimeException { Object what; }
            }
            """);
    world = programs.world();
  }

  @AfterAll
  static void close() throws IOException {
    world.close();
    programs.close();
  }

  private static boolean isImmutable(String name) {
    String internal = name.contains("/") ? name : "app/Types$" + name;
    return world.immutability().isImmutableClass(internal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Numbers",
        "Nested",
        "Kind",
        "Counter",
        "Tree",
        "Shape",
        "Circle",
        "Failure",
        "java/lang/String",
        "java/math/BigInteger",
        "java/time/LocalDate",
        "java/time/Duration",
        "java/util/concurrent/TimeUnit",
        "java/util/concurrent/atomic/AtomicLong"
      })
  void shouldAcceptClassesWithoutReferencesThatChange(String name) {
    assertThat(isImmutable(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WithList",
        "WithStrings",
        "Mutable",
        "Holder",
        "Base",
        "Spoiled",
        "Loop",
        "HasLoop",
        "Law",
        "HasLaw",
        "Node",
        "Carrier",
        "java/lang/Object",
        "java/util/List",
        "java/util/ArrayList",
        "java/lang/Number",
        "java/util/Date",
        "java/util/concurrent/atomic/AtomicReference",
        "no/Such"
      })
  void shouldRefuseClassesThatCanLeadToWhatChanges(String name) {
    assertThat(isImmutable(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"I", "J", "[D", "Ljava/lang/String;"})
  void shouldAcceptPrimitivesAndTheirArrays(String descriptor) {
    assertThat(world.immutability().isImmutable(descriptor)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[[I", "[Ljava/lang/String;", "Ljava/lang/Object;"})
  void shouldRefuseArraysOfReferences(String descriptor) {
    assertThat(world.immutability().isImmutable(descriptor)).isFalse();
  }
}
