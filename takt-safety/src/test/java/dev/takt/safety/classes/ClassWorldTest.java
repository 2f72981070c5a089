package dev.takt.safety.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.safety.Programs;
import dev.takt.safety.rules.Verifier;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassWorldTest {
  @TempDir Path folder;

  private static byte[] classNamed(String name, String superclass) {
    return ClassFile.of()
        .build(ClassDesc.of(name), code -> code.withSuperclass(ClassDesc.of(superclass)));
  }

  private Path jar(String manifest, Object... namesAndBytes) throws IOException {
    Path jar = Files.createTempFile(folder, "classes", ".jar");
    Manifest parsed = new Manifest();
    parsed.getMainAttributes().putValue("Manifest-Version", "1.0");
    if (!manifest.isEmpty()) {
      parsed.getMainAttributes().putValue(manifest, "true");
    }
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, parsed)) {
      for (int i = 0; i < namesAndBytes.length; i += 2) {
        out.putNextEntry(new JarEntry((String) namesAndBytes[i]));
        out.write((byte[]) namesAndBytes[i + 1]);
      }
    }
    return jar;
  }

  @Test
  void shouldFindClassesOfFoldersJarsAndTheJdk() throws IOException {
    Path jar = jar("", "lib/Base.class", classNamed("lib.Base", "java.util.ArrayList"));
    Path classes = Files.createDirectories(folder.resolve("classes/app"));
    Files.write(classes.resolve("Own.class"), classNamed("app.Own", "lib.Base"));
    try (ClassWorld world = ClassWorld.open(List.of(folder.resolve("classes")), List.of(jar))) {
      assertThat(world.application()).containsExactly("app/Own");
      assertThat(world.find("lib/Base")).isNotNull();
      assertThat(world.find("java/lang/String")).isNotNull();
      assertThat(world.find("java/sql/Connection")).isNotNull();
      assertThat(world.find("no/Such")).isNull();
      assertThat(world.isSubtype("app/Own", "java/util/List")).isTrue();
      assertThat(world.isSubtype("app/Own", "java/util/Map")).isFalse();
    }
  }

  @Test
  void shouldSeeOfAMultiReleaseJarWhatTheJdkSees() throws IOException {
    Path jar =
        jar(
            "Multi-Release",
            "lib/A.class",
            classNamed("lib.A", "java.lang.Object"),
            "META-INF/versions/21/lib/A.class",
            classNamed("lib.A", "java.util.ArrayList"),
            "META-INF/versions/999/lib/A.class",
            classNamed("lib.A", "java.util.HashMap"));
    try (ClassWorld world = ClassWorld.open(List.of(jar), List.of())) {
      ClassModel found = world.find("lib/A");
      assertThat(found).isNotNull();
      assertThat(found.superclass().orElseThrow().asInternalName())
          .isEqualTo("java/util/ArrayList");
      assertThat(world.application()).containsExactly("lib/A");
    }
  }

  @Test
  void shouldTakeClassesInPackagesOfTheJdkFromTheJdkOnly() throws IOException {
    byte[] fake = classNamed("java.lang.Thread", "app.Own");
    byte[] extra = classNamed("java.lang.Extra", "java.lang.Object");
    byte[] own = classNamed("app.Own", "java.lang.Object");
    Path application =
        jar(
            "",
            "java/lang/Thread.class",
            fake,
            "java/lang/Extra.class",
            extra,
            "app/Own.class",
            own);
    Path library = jar("", "java/lang/Thread.class", fake);
    try (ClassWorld world = ClassWorld.open(List.of(application), List.of(library))) {
      assertThat(world.application()).containsExactly("app/Own");
      assertThat(world.isSubtype("java/lang/Thread", "java/lang/Runnable")).isTrue();
      assertThat(world.isSubtype("java/lang/Thread", "app/Own")).isFalse();
      assertThat(world.find("java/lang/Extra")).isNull();
    }
  }

  @Test
  void shouldNameWhatIsNoJarOrFolder() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.jar"), "no jar");
    assertThatThrownBy(() -> ClassWorld.open(List.of(text), List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("notes.jar")
        .hasMessageContaining("not a jar");
    assertThatThrownBy(() -> ClassWorld.open(List.of(folder.resolve("none")), List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }

  @Test
  void shouldRefuseClassesThatAreDamagedOrNotWhatTheirNameSays() throws IOException {
    byte[] whole = classNamed("app.Whole", "java.lang.Object");
    byte[] half = java.util.Arrays.copyOf(whole, whole.length / 2);
    Path jar =
        jar(
            "",
            "app/Half.class",
            half,
            "app/Empty.class",
            new byte[0],
            "app/Other.class",
            whole,
            "app/Zip.class",
            new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0, 0, 0});
    try (ClassWorld world = ClassWorld.open(List.of(jar), List.of())) {
      for (String name : List.of("app/Half", "app/Empty", "app/Other", "app/Zip")) {
        assertThatThrownBy(() -> world.find(name))
            .isInstanceOf(UnreadableClassException.class)
            .hasMessageContaining(name)
            .hasMessageContaining("compile it again");
      }
      assertThat(world.tasks()).isEmpty();
    }
  }

  @Test
  void shouldNotInflateWhatIsLargerThanAnyClass() throws IOException {
    Path jar = jar("", "app/Bomb.class", new byte[ClassSource.MAX_CLASS_BYTES + 1]);
    try (ClassWorld world = ClassWorld.open(List.of(jar), List.of())) {
      assertThatThrownBy(() -> world.find("app/Bomb"))
          .isInstanceOf(UnreadableClassException.class)
          .hasMessageContaining("larger than " + ClassSource.MAX_CLASS_BYTES);
    }
  }

  @Test
  void shouldEndForClassesThatExtendEachOther() throws IOException {
    Path jar =
        jar(
            "",
            "app/A.class",
            classNamed("app.A", "app.B"),
            "app/B.class",
            classNamed("app.B", "app.A"));
    try (ClassWorld world = ClassWorld.open(List.of(jar), List.of())) {
      assertThat(world.isSubtype("app/A", "app/B")).isTrue();
      assertThat(world.isSubtype("app/A", "java/util/List")).isFalse();
      assertThat(Verifier.verify(world).closures()).isEmpty();
    }
  }

  @Test
  void shouldListConcreteTasksOfTheApplicationOnly() throws IOException {
    try (Programs programs =
            Programs.compile(
                """
                package app;
                import dev.takt.reflex.*;
                public abstract class Base extends ReflexTask {}
                class Second extends Base { public void execute() {} }
                class First extends Base { public void execute() {} }
                class Plain {}
                """);
        ClassWorld world = programs.world()) {
      assertThat(world.tasks()).containsExactly("app/First", "app/Second");
    }
  }
}
