package dev.takt.host;

import dev.takt.client.RemoteSpace;
import dev.takt.space.EventSpace;
import java.io.IOException;
import java.nio.file.Path;

/** By shared memory. */
class SharedMemoryProcessContractTest extends ProcessSpaceContract {
  /** The host. */
  static final class Host {
    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]).resolve("host");
      serve(space -> open(space, folder));
    }

    private static Served open(EventSpace space, Path folder) throws IOException {
      SharedMemoryHost host = new SharedMemoryHost(space, folder, LIMITS);
      return new Served() {
        @Override
        public String place() {
          return folder.toString();
        }

        @Override
        public int clients() {
          return host.clients();
        }

        @Override
        public void close() {
          while (host.clients() > 0) {
            Thread.onSpinWait(); // it sees the end of the link by itself
          }
          host.close();
        }
      };
    }
  }

  @Override
  protected Class<?> host() {
    return Host.class;
  }

  @Override
  protected RemoteSpace connect(String place) throws IOException {
    return ClientProcess.connect(Path.of(place));
  }
}
