package dev.takt.stress.woven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.safety.weave.Abi;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the weaver writes into classes is there in the runtime, under the same name and type. */
class AbiTest {
  static Stream<Abi.Method> methods() {
    return Abi.methods().stream();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void shouldFindEachMethodThatWovenCodeCalls(Abi.Method method) throws Exception {
    Class<?> owner = type(method.owner());
    assertThat(Modifier.isPublic(owner.getModifiers())).isTrue();
    Method found =
        Arrays.stream(owner.getMethods())
            .filter(each -> each.getName().equals(method.name()))
            .filter(each -> descriptor(each).equals(method.type()))
            .findFirst()
            .orElse(null);
    assertThat(found)
        .as("%s.%s%s", owner, method.name(), method.type().descriptorString())
        .isNotNull();
    assertThat(Modifier.isStatic(found.getModifiers())).isEqualTo(method.isStatic());
  }

  private static MethodTypeDesc descriptor(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .describeConstable()
        .orElseThrow();
  }

  private static Class<?> type(ClassDesc type) throws ClassNotFoundException {
    String descriptor = type.descriptorString();
    return Class.forName(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
  }

  @Test
  void shouldFindTypesFieldsAndTheSameVersion() throws Exception {
    String memory = "dev.takt.reflex.woven.";
    Class<?> woven = Class.forName(memory + "Woven");
    assertThat(woven.getField("ABI").get(null)).isEqualTo(Abi.VERSION);
    assertThat(Arrays.stream(woven.getDeclaredMethods()).map(Method::getName))
        .containsExactlyInAnyOrder(
            "abi",
            "verified",
            "fields",
            "transients",
            "arrays",
            "stables",
            "live",
            "code",
            "noAlloc");
    assertThat(Class.forName(memory + "TaskMemory").getField("epoch").getType())
        .isEqualTo(long.class);
    assertThat(Arrays.stream(Class.forName(memory + "Undoable").getMethods()).map(Method::getName))
        .containsExactlyInAnyOrder(
            "$takt$save",
            "$takt$stamp",
            "$takt$number",
            "$takt$number",
            "$takt$restore",
            "$takt$apply");
    assertThat(Arrays.stream(Class.forName(memory + "Pooled").getMethods()).map(Method::getName))
        .containsExactly("$takt$fresh");
    assertThat(Modifier.isPublic(Class.forName(memory + "ZeroedConstructorMarker").getModifiers()))
        .isTrue();
    assertThat(Class.forName("dev.takt.reflex.MaxLength").isAnnotation()).isTrue();
    assertThat(Class.forName("dev.takt.reflex.Atomic").isAnnotation()).isTrue();
    assertThat(Error.class).isAssignableFrom(Class.forName("dev.takt.reflex.limit.ReleaseError"));
    assertThat(Error.class).isAssignableFrom(Class.forName("dev.takt.space.Abort"));
  }
}
