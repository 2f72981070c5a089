package dev.takt.stress.bypass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.ReflexRuntime;
import dev.takt.reflex.ReflexTask;
import dev.takt.reflex.Schedule;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the runtime finds when classes are not those that were verified. */
class RegistrationTest {
  private static final String TASK =
      """
      package app;
      public final class Task extends dev.takt.reflex.ReflexTask {
        private final Price price;
        private int at;
        public Task(Price price) { this.price = price; }
        @Override public void execute() { at = Helper.twice(at) + price.cents(); }
        @dev.takt.reflex.Atomic public int at() { return at; }
      }
      """;

  private static final String PRICE =
      """
      package app;
      public class Price {
        private final int cents;
        public Price(int cents) { this.cents = cents; }
        public int cents() { return cents; }
      }
      """;

  private static final String HELPER =
      """
      package app;
      public final class Helper {
        public static int twice(int n) { for (int i = 0; i < 1; i++) { n += n; } return n; }
      }
      """;

  @TempDir private Path folder;

  private Application program() throws IOException {
    return new Application(folder)
        .with("app", "app.Price", PRICE)
        .with("app", "app.Helper", HELPER)
        .with("app", "app.Task", TASK);
  }

  private static ReflexTask task(ClassLoader loader, String price) throws Exception {
    Object given = loader.loadClass(price).getConstructor(int.class).newInstance(3);
    Class<?> type = loader.loadClass("app.Task");
    return (ReflexTask) type.getConstructor(loader.loadClass("app.Price")).newInstance(given);
  }

  private static void register(ReflexTask task) {
    try (ReflexRuntime runtime = ReflexRuntime.create(EventSpace.create())) {
      runtime.active("task", task, Schedule.periodic(1_000_000));
    }
  }

  @Test
  void shouldTakeWhatAFolderOrALoaderHasWoven() throws Exception {
    Application application = program();
    try (var loader = application.loader()) {
      register(task(loader, "app.Price"));
    }
    application.weave();
    try (URLClassLoader loader = application.plainLoader("app")) {
      register(task(loader, "app.Price"));
    }
    try (var loader = application.loader()) {
      register(task(loader, "app.Price"));
    }
  }

  @Test
  void shouldNameAClassThatWasExchangedAfterTheWeaving() throws Exception {
    Application application =
        new Application(folder)
            .with("library", "app.Price", PRICE)
            .with("app", "app.Helper", HELPER)
            .with("app", "app.Task", TASK);
    application.weave();
    application.with("other", "app.Price", PRICE.replace("return cents", "return cents + 1"));
    try (URLClassLoader loader = application.plainLoader("other", "app", "library")) {
      assertThatThrownBy(() -> register(task(loader, "app.Price")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("R1")
          .hasMessageContaining("app.Price")
          .hasMessageContaining("exchanged");
    }
  }

  @Test
  void shouldNameAHelperThatWasWovenForAnotherProgram() throws Exception {
    String blocking =
        HELPER.replace(
            "public static int twice",
            "public static int other(int n) { return n + 1; }"
                + " public static synchronized int twice");
    Application other =
        new Application(folder.resolve("second"))
            .with("app", "app.Price", PRICE)
            .with("app", "app.Helper", blocking)
            .with("app", "app.Task", TASK.replace("Helper.twice", "Helper.other"));
    other.weave();
    Application application = program();
    application.weave();
    Files.copy(
        other.folder("app").resolve("app/Helper.class"),
        application.folder("app").resolve("app/Helper.class"),
        StandardCopyOption.REPLACE_EXISTING);

    try (URLClassLoader loader = application.plainLoader("app")) {
      assertThatThrownBy(() -> register(task(loader, "app.Price")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("R1")
          .hasMessageContaining("app.Helper")
          .hasMessageContaining("woven for another program");
    }
  }

  @Test
  void shouldNameAMarkWithoutASeal() throws Exception {
    Application application =
        new Application(folder)
            .with(
                "app",
                "app.Task",
                """
                package app;
                import dev.takt.reflex.woven.*;
                @Woven(abi = Woven.ABI, verified = true)
                public final class Task extends dev.takt.reflex.ReflexTask implements Undoable {
                  private int at;
                  public void execute() { synchronized (this) { at++; } }
                  public void $takt$save(TaskMemory memory) {}
                  public long $takt$stamp() { return 0; }
                  public int $takt$number() { return 0; }
                  public void $takt$number(int number) {}
                  public void $takt$restore(TaskMemory memory) {}
                  public void $takt$apply(int field, long bits, Object reference) {}
                }
                """);
    try (URLClassLoader loader = application.plainLoader("app")) {
      ReflexTask task = (ReflexTask) loader.loadClass("app.Task").getConstructor().newInstance();
      assertThatThrownBy(() -> register(task))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("R1")
          .hasMessageContaining("app.Task")
          .hasMessageContaining("the weaver did not make it");
    }
  }

  @Test
  void shouldNameTheClassOfAnObjectThatTheVerifierHasNotSeen() throws Exception {
    Application application = program();
    application.weave();
    application.with(
        "late",
        "late.Odd",
        """
        package late;
        public class Odd extends app.Price {
          public static int calls;
          public Odd(int cents) { super(cents); }
          @Override public int cents() { synchronized (this) { return ++calls; } }
        }
        """);
    try (URLClassLoader loader = application.plainLoader("app", "late")) {
      assertThatThrownBy(() -> register(task(loader, "late.Odd")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("R1")
          .hasMessageContaining("late.Odd");
    }
    assertThat(application.check()).isNotEmpty();
  }
}
