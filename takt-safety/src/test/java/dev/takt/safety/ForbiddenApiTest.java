package dev.takt.safety;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForbiddenApiTest {
  @ParameterizedTest
  @CsvSource({
    "java.lang.Class, forName, R3",
    "java.lang.reflect.Proxy, newProxyInstance, R3",
    "java.lang.invoke.MethodHandles$Lookup, findVirtual, R3",
    "java.lang.Thread, <init>, R4",
    "java.lang.Thread, sleep, R5",
    "java.util.concurrent.locks.ReentrantLock, lock, R5",
    "java.io.PrintStream, println, R28",
    "java.io.FileOutputStream, write, R5",
    "java.util.Collection, stream, R5",
    "java.lang.System, exit, R28",
    "java.lang.Runtime, freeMemory, R2",
  })
  void shouldNameRuleWhenApiIsForbidden(String className, String method, Rule rule) {
    ForbiddenApi found = ForbiddenApi.find(className, method);

    assertThat(found).isNotNull();
    assertThat(found.rule()).isEqualTo(rule);
    assertThat(found.why()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.Class, getName",
    "java.lang.Thread, currentThread",
    "java.lang.System, nanoTime",
    "java.lang.String, equals",
    "java.util.ArrayList, add",
    "java.util.concurrent.ConcurrentHashMap, get",
    "java.lang.Object, hashCode",
  })
  void shouldStaySilentWhenApiIsHarmless(String className, String method) {
    assertThat(ForbiddenApi.find(className, method)).isNull();
  }

  @Test
  void shouldNotTakeOnePackageForAnother() {
    assertThat(ForbiddenApi.find("java.langer.reflect.Proxy", "<init>")).isNull();
    assertThat(ForbiddenApi.find("java.nio.fileformats.Reader", "read")).isNull();
  }
}
