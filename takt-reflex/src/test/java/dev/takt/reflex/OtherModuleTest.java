package dev.takt.reflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.takt.reflex.woven.StableGraph;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.ModuleDesc;
import java.lang.constant.PackageDesc;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task in a module and class loader of its own, with a private field. */
class OtherModuleTest {
  private static final ClassDesc TASK = ClassDesc.of("app.Counter");
  private static final ClassDesc BASE = ClassDesc.of("dev.takt.reflex.ReflexTask");

  @TempDir private Path directory;

  @Test
  void shouldFollowPrivateFieldWhenPackageIsOpen() throws Exception {
    ReflexTask task = newTask(true);
    StableGraph graph = new StableGraph(new StableGraph.Registered(), "t", task, type -> true);
    assertThat(graph.objects()).containsExactly(task);
  }

  @Test
  void shouldSayWhatToOpenWhenPackageIsClosed() throws Exception {
    ReflexTask task = newTask(false);
    assertThatThrownBy(() -> new StableGraph(new StableGraph.Registered(), "t", task, type -> true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "task t: field app.Counter.held is not accessible, so it cannot be checked; add"
                + " 'opens app to dev.takt.reflex;' to module app");
  }

  private ReflexTask newTask(boolean open) throws ReflectiveOperationException, IOException {
    writeModule(open);
    writeTask();
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(directory), ModuleFinder.of(), Set.of("app"));
    ModuleLayer layer =
        ModuleLayer.boot().defineModulesWithOneLoader(configuration, getClass().getClassLoader());
    return (ReflexTask)
        layer.findLoader("app").loadClass("app.Counter").getConstructor().newInstance();
  }

  private void writeModule(boolean open) throws IOException {
    byte[] info =
        ClassFile.of()
            .buildModule(
                ModuleAttribute.of(
                    ModuleDesc.of("app"),
                    module -> {
                      module.requires(
                          ModuleDesc.of("java.base"), Set.of(AccessFlag.MANDATED), null);
                      module.requires(ModuleDesc.of("dev.takt.reflex"), Set.of(), null);
                      module.requires(ModuleDesc.of("dev.takt.space"), Set.of(), null);
                      module.exports(PackageDesc.of("app"), Set.of());
                      if (open) {
                        module.opens(
                            PackageDesc.of("app"), Set.of(), ModuleDesc.of("dev.takt.reflex"));
                      }
                    }));
    Files.write(directory.resolve("module-info.class"), info);
  }

  /** public class Counter extends ReflexTask { private Stable held; execute() {} } */
  private void writeTask() throws IOException {
    byte[] task =
        ClassFile.of()
            .build(
                TASK,
                builder -> {
                  builder.withSuperclass(BASE).withFlags(AccessFlag.PUBLIC, AccessFlag.SUPER);
                  builder.withField(
                      "held", ClassDesc.of("dev.takt.space.Stable"), ClassFile.ACC_PRIVATE);
                  builder.withMethodBody(
                      ConstantDescs.INIT_NAME,
                      ConstantDescs.MTD_void,
                      ClassFile.ACC_PUBLIC,
                      code ->
                          code.aload(0)
                              .invokespecial(BASE, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                              .return_());
                  builder.withMethodBody(
                      "execute",
                      ConstantDescs.MTD_void,
                      ClassFile.ACC_PUBLIC,
                      code -> code.return_());
                });
    Path folder = Files.createDirectories(directory.resolve("app"));
    Files.write(folder.resolve("Counter.class"), task);
  }
}
