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

  @ParameterizedTest
  @CsvSource({
    "java.lang.Thread, sleep, period",
    "java.lang.Thread, join, subscribe",
    "java.lang.Thread, <init>, second task",
    "java.util.concurrent.Executors, newFixedThreadPool, second task",
    "java.util.concurrent.locks.ReentrantLock, lock, leave locks out",
    "java.lang.Object, wait, subscribe",
    "java.lang.ThreadLocal, get, field of the task",
    "java.lang.StringBuffer, append, StringBuilder",
    "java.util.Hashtable, put, StableMap",
    "java.util.concurrent.ConcurrentHashMap, put, StableMap",
    "java.util.Collection, stream, for loop",
    "java.io.PrintStream, println, write an event",
    "java.nio.file.Files, readString, ordinary code",
    "java.lang.System$Logger, log, ordinary code",
    "java.lang.String, format, write an event",
    "java.lang.System, getProperty, constructor",
    "java.util.Arrays, parallelSort, without parallel",
    "java.util.Random, <init>, keep a long",
    "java.math.BigInteger, multiply, Math.multiplyExact",
    "java.util.ServiceLoader, load, ordinary code",
  })
  void shouldSayWhatToDoInsteadOfACommonCall(String className, String method, String instead) {
    ForbiddenApi found = ForbiddenApi.find(className, method);

    assertThat(found).isNotNull();
    assertThat(found.why()).contains(instead);
  }

  @Test
  void shouldSayWhatToDoInsteadOfEachCall() {
    assertThat(ForbiddenApi.all()).allSatisfy(each -> assertThat(each.why()).contains(": "));
  }

  @Test
  void shouldNotTakeOnePackageForAnother() {
    assertThat(ForbiddenApi.find("java.langer.reflect.Proxy", "<init>")).isNull();
    assertThat(ForbiddenApi.find("java.nio.fileformats.Reader", "read")).isNull();
  }
}
