package dev.takt.realtime.os;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.testsupport.OtherJvm;
import java.io.IOException;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * The JVM makes a class for a method handle that interpreted code has called 127 times, whoever
 * calls it then. It must not be a real-time thread ({@code Kernel.rehearse}).
 */
class CallsMakeNoClassTest {
  /** Says how many classes came with calls after the first ones of each kind. */
  static final class Calling {
    private static final int CALLS = 300;
    private static final int NO_THREAD = Integer.MAX_VALUE;

    public static void main(String[] arguments) {
      ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
      OperatingSystem system = OperatingSystems.current();
      callAll(system);
      long before = classes.getTotalLoadedClassCount();
      for (int i = 0; i < CALLS; i++) {
        callAll(system);
      }
      long made = classes.getTotalLoadedClassCount() - before;
      System.out.println(system.isNative() + ", " + made + " classes");
    }

    private static void callAll(OperatingSystem system) {
      int thread = system.threadId();
      system.threadTimeNs(thread);
      system.policy(thread);
      system.policy(NO_THREAD);
      system.setPolicy(thread, Policy.OTHER, 0);
      system.schedule(thread, ThreadScheduling.OTHER);
    }
  }

  @Test
  void shouldMakeNoClassWhenCallsAreRepeated() throws IOException, InterruptedException {
    String said = OtherJvm.run(Calling.class, "-Xint", "--enable-native-access=ALL-UNNAMED");
    boolean isLinux = System.getProperty("os.name").equals("Linux");
    assertThat(said.strip()).isEqualTo(isLinux + ", 0 classes");
  }
}
