package dev.takt.rtsj.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.takt.realtime.OperatingSystems;
import dev.takt.realtime.os.Descriptors;
import dev.takt.realtime.os.EventFd;
import dev.takt.realtime.os.ThreadScheduling;
import dev.takt.testsupport.OtherJvm;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * A program whose classes lie in folders uses up its descriptors: each class that is needed then
 * for the first time cannot be loaded any more, and never will be.
 */
class NoDescriptorsLeftTest {
  private static final int LIMIT = 256;

  /** Uses up all descriptors before anything but the system and the watches' classes is there. */
  static final class Greedy {
    private Greedy() {}

    public static void main(String[] args) throws IOException {
      Descriptors descriptors = OperatingSystems.current().descriptors().orElse(null);
      if (descriptors == null) {
        System.out.println("no descriptors here");
        return;
      }
      Selector.open().close(); // the JDK's part, which it does not load later either
      for (Class<?> watch : List.of(DescriptorWatch.class, ChannelWatch.class)) {
        watch.getMethods(); // loads it, and what its signatures name
      }
      List<EventFd> open = new ArrayList<>();
      IOException refused = null;
      while (refused == null && open.size() <= LIMIT) {
        try {
          open.add(descriptors.newEventFd());
        } catch (IOException e) {
          refused = e;
        }
      }
      List<String> said = new ArrayList<>();
      said.add("event: " + refused);
      said.add("poller: " + failure(() -> descriptors.newPoller(2)));
      said.add("watch: " + failure(Greedy::shortfallOfWatch));
      said.add("channels: " + failure(() -> ChannelWatch.start("c", ThreadScheduling.OTHER, 2)));
      open.forEach(EventFd::close);
      said.forEach(System.out::println);
    }

    private static Object shortfallOfWatch() throws IOException {
      try (DescriptorWatch watch = DescriptorWatch.start("w", ThreadScheduling.OTHER, 2)) {
        throw new IOException(String.valueOf(watch.shortfall()));
      }
    }

    private static String failure(Callable<?> making) {
      try {
        making.call();
        return "made";
      } catch (Exception e) {
        return e.toString();
      } catch (LinkageError e) {
        return "LINKAGE " + e;
      }
    }
  }

  @Test
  void shouldSayThatThereAreNoDescriptorsLeftAndNotThatAClassIsMissing() throws Exception {
    String said = OtherJvm.runWithin(LIMIT, Greedy.class, "--enable-native-access=ALL-UNNAMED");
    if (said.contains("no descriptors here")) {
      return;
    }
    assertThat(said.lines()).allSatisfy(line -> assertThat(line).doesNotContain("Error"));
    assertThat(said.lines()).allSatisfy(line -> assertThat(line).contains("IOException"));
    assertThat(said.lines().limit(3))
        .allSatisfy(
            line -> assertThat(line).contains("the limit is " + LIMIT, "close some, or raise it"));
  }
}
