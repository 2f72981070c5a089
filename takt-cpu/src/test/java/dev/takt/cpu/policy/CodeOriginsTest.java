package dev.takt.cpu.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.cpu.AuthenticationClass;
import dev.takt.cpu.CodeClass;
import dev.takt.cpu.CpuManager;
import dev.takt.cpu.InstalledManager;
import dev.takt.cpu.ManagedTask;
import dev.takt.cpu.ManagedTask.State;
import dev.takt.cpu.ManagerSettings;
import dev.takt.cpu.OverrunPolicy;
import dev.takt.cpu.Profile;
import dev.takt.realtime.Admission;
import dev.takt.realtime.AdmissionAnswer;
import dev.takt.realtime.AdmissionRequest;
import dev.takt.realtime.Aperiodic;
import dev.takt.realtime.Periodic;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes of code that loaders of applications have loaded, and what a manager makes of it. */
class CodeOriginsTest {
  private static final long MS = 1_000_000;

  /** Code of an application: what it hands out is released as a task. */
  public static final class App implements Callable<List<Runnable>> {
    private static final class Named implements Runnable {
      @Override
      public void run() {}
    }

    private void method() {}

    @Override
    public List<Runnable> call() {
      return List.of(
          new Named(),
          () -> {},
          this::method,
          new Runnable() {
            @Override
            public void run() {}
          });
    }
  }

  private static final String CLASSES =
      """
      takt-policy 1
      class control
        rank 10
        max-cost 2ms
        max-period 1s
        max-share 40%
        on-overrun drop
      class guest
        max-cost 1ms
        max-period 1s
        max-share 10%
      """;

  @TempDir private Path folder;
  private PolicyFile open;
  private PolicyFile closed;
  private CodeOrigins origins;

  @BeforeEach
  void readPolicies() throws PolicyException {
    open = policy("unsigned guest");
    closed = policy("unsigned refused");
    origins = new CodeOrigins(open, Instant::now);
  }

  @AfterEach
  void checkThatNothingIsLeft() {
    assertThat(CpuManager.installed()).isEmpty();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("takt-") && !name.equals("takt-system"));
  }

  private PolicyFile policy(String more) throws PolicyException {
    return new PolicyParser(folder.resolve("p")).parse(Keys.bytes(CLASSES + more));
  }

  /** Loads the application from a jar of its own, which is of the class of unsigned code. */
  private URLClassLoader load(String application) throws IOException {
    Path jar = folder.resolve(application + ".jar");
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (String each : List.of("", "$App", "$App$Named", "$App$1")) {
      String name = CodeOriginsTest.class.getName().replace('.', '/') + each + ".class";
      try (InputStream in = CodeOriginsTest.class.getClassLoader().getResourceAsStream(name)) {
        entries.put(name, in.readAllBytes());
      }
    }
    Keys.write(jar, entries);
    VerifiedJar verified =
        new JarVerifier(Files.createDirectory(folder.resolve(application))).verify(jar);
    URL place = verified.copy().toUri().toURL();
    // Without a parent: the JDK's loaders would find the module that these tests run in.
    URLClassLoader loader = new URLClassLoader(new URL[] {place}, null);
    origins.add(application, loader, place, verified);
    return loader;
  }

  @SuppressWarnings("unchecked")
  private static List<Runnable> tasks(ClassLoader loader) throws Exception {
    return ((Callable<List<Runnable>>)
            loader.loadClass(App.class.getName()).getConstructor().newInstance())
        .call();
  }

  @Test
  void shouldKnowTheCodeOfAJarAlsoInLambdasAndMethodReferences() throws Exception {
    try (URLClassLoader loader = load("one")) {
      List<Runnable> tasks = tasks(loader);
      assertThat(tasks.get(1).getClass().isHidden()).isTrue();
      for (Runnable each : tasks) {
        assertThat(origins.apply(each.getClass()))
            .as("%s", each)
            .isEqualTo(CodeClass.of("one", open.classes().get("guest")));
      }
    }
  }

  @Test
  void shouldTakeWhatItDoesNotKnowForUnsignedCode() throws Exception {
    try (URLClassLoader loader = load("one")) {
      Object proxy =
          Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (p, m, a) -> null);
      Runnable future = new FutureTask<>(() -> null);

      assertThat(origins.apply(proxy.getClass())).isEqualTo(CodeClass.of("one", open.unsigned()));
      assertThat(origins.apply(future.getClass()))
          .isEqualTo(CodeClass.of("unknown", open.unsigned()));
      assertThat(origins.apply(CodeOriginsTest.class).application())
          .as("so that its tasks take no name of an application's")
          .isEqualTo("unknown");

      origins.change(closed);
      assertThat(origins.apply(future.getClass()).reason())
          .contains("FutureTask is of no jar that the policy was asked about");
    }
  }

  @Test
  void shouldDecideAnewAboutWhatIsRegisteredAfterAChangeOfThePolicy() throws Exception {
    try (URLClassLoader loader = load("one");
        CpuManager manager = CpuManager.start(ManagerSettings.defaults().withClasses(origins))) {
      Runnable work = tasks(loader).getFirst();
      Profile profile = Profile.of("task", 10 * MS).withBudgetNs(MS / 10);
      ManagedTask before = manager.register(profile, work);

      assertThat(origins.change(policy("unsigned control")))
          .singleElement()
          .asString()
          .contains("one.jar: it is not signed; class control, as unsigned code");
      ManagedTask after = manager.register(Profile.of("other", 10 * MS).withBudgetNs(MS), work);

      assertThat(before.profile().authentication().name())
          .as("a task that runs keeps the class that it was admitted in")
          .isEqualTo("guest");
      assertThat(before.state()).isEqualTo(State.ADMITTED);
      assertThat(after.profile().authentication().name()).isEqualTo("control");

      assertThat(origins.change(policy("unsigned control"))).as("nothing changed").isEmpty();
      origins.change(closed);
      ManagedTask refused = manager.register(Profile.of("third", 10 * MS), work);
      assertThat(refused.state()).isEqualTo(State.REJECTED);
      assertThat(refused.decision().reason()).contains("the policy refuses unsigned code");
      assertThat(before.state()).isEqualTo(State.ADMITTED);
    }
  }

  @Test
  void shouldNotBelieveTheClassThatAProfileNames() throws Exception {
    try (URLClassLoader loader = load("one");
        CpuManager manager = CpuManager.start(ManagerSettings.defaults().withClasses(origins))) {
      Runnable work = tasks(loader).get(1);
      Profile asked = Profile.of("task", 10 * MS).in(open.classes().get("control"));

      ManagedTask task = manager.register(asked.withBudgetNs(MS), work);
      assertThat(task.profile().authentication().name()).isEqualTo("guest");
      ManagedTask large = manager.register(asked.withBudgetNs(2 * MS), work);
      assertThat(large.state()).isEqualTo(State.REJECTED);
      assertThat(large.decision().reason())
          .contains("a budget of 2 ms (limit of class guest with that period: 1 ms");
    }
  }

  /** Names are of an application, and of a runtime. */
  @Test
  void shouldAdmitTasksOfOneNameFromTwoApplications() throws Exception {
    try (URLClassLoader one = load("one");
        URLClassLoader two = load("two");
        CpuManager manager = CpuManager.start(ManagerSettings.defaults().withClasses(origins))) {
      Profile profile = Profile.of("task", 10 * MS).withBudgetNs(MS / 2);
      manager.register(profile, tasks(one).get(1));
      manager.register(profile, tasks(two).get(1));
      assertThat(manager.tasks())
          .extracting(ManagedTask::name)
          .containsExactly("one/task", "two/task");

      Admission admission = manager.admission(AuthenticationClass.DEFAULT);
      assertThat(admission.decide(request("loop", tasks(one).get(0))).refusal()).isNull();
      AdmissionAnswer second = admission.decide(request("loop", tasks(two).get(0)));
      assertThat(second.refusal()).isNull();
      second.ended();
      assertThat(manager.tasks())
          .extracting(ManagedTask::name)
          .containsExactly("one/task", "two/task", "one/loop");
    }
  }

  private static AdmissionRequest request(String name, Runnable code) {
    return new AdmissionRequest(
        name, code.getClass(), Periodic.ofNs(10 * MS).withBudgetNs(MS / 10), 5);
  }

  @Test
  void shouldGiveProgramsTheManagerThatIsInstalledAndNoOther() {
    CpuManager manager = CpuManager.start(ManagerSettings.defaults().withClasses(origins));
    try (InstalledManager installed = manager.install()) {
      assertThat(installed).isNotNull();
      assertThat(CpuManager.installed()).contains(manager);
      assertThat(Admission.installed().isBinding()).isTrue();
      assertThatThrownBy(() -> CpuManager.start(ManagerSettings.defaults()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("use CpuManager.installed()");
      assertThatThrownBy(manager::install).hasMessageContaining("has a CPU manager already");

      manager.close();

      assertThat(manager.register(Profile.of("task", 10 * MS), () -> {}).state())
          .as("a program cannot close what all use")
          .isEqualTo(State.TRIAL);
    }
    assertThat(Admission.installed()).isSameAs(Admission.ALL);
    assertThatThrownBy(() -> manager.register(Profile.of("task", MS), () -> {}))
        .hasMessageContaining("is closed");
  }

  @Test
  void shouldKeepToTheClassesOfCodeInTheAdmissionOfRuntimes() {
    try (CpuManager manager = CpuManager.start(ManagerSettings.defaults().withClasses(origins))) {
      Admission forged =
          manager.admission(open.classes().get("control").withOnOverrun(OverrunPolicy.COUNT));
      assertThat(forged.decide(request("task", () -> {})).refusal()).isNull();
      assertThat(manager.tasks().getFirst().profile().authentication()).isEqualTo(open.unsigned());
      AdmissionRequest passive =
          new AdmissionRequest("passive", getClass(), Aperiodic.ofCapacity(1), 5);
      assertThat(forged.server(passive, null).parameters().budgetNs())
          .as("no more than the class of unsigned code allows")
          .isLessThanOrEqualTo(MS);

      origins.change(closed);

      AdmissionRequest bestEffort =
          new AdmissionRequest("effort", getClass(), Periodic.ofNs(10 * MS), 5, true);
      for (AdmissionRequest each : List.of(request("late", () -> {}), passive, bestEffort)) {
        assertThat(forged.decide(each).refusal()).contains("the policy refuses unsigned code");
      }
      assertThat(forged.server(passive, null).refusal())
          .contains("the policy refuses unsigned code");
    }
  }
}
