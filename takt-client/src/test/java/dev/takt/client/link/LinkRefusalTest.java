package dev.takt.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who does not introduce itself as it has to gets no link, is told why, and leaves nothing. */
class LinkRefusalTest {
  private static final LinkSettings SMALL = LinkSettings.DEFAULTS.withSizes(1024, 256);
  private static final long SHORT_NS = 1_000_000;

  @TempDir private Path temporary;
  private Path folder;

  @BeforeEach
  void setFolder() {
    folder = temporary.resolve("host");
  }

  private SocketChannel knock() throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
    return channel;
  }

  private static ByteBuffer answer(SocketChannel channel) throws IOException {
    ByteBuffer answer = Terms.buffer(Terms.WELCOME_BYTES);
    while (answer.hasRemaining() && channel.read(answer) >= 0) {
      // It comes in one piece, or the end does.
    }
    return answer;
  }

  private void assertNothingIsLeft(LinkListener listener) throws IOException {
    assertThat(listener.links()).isZero();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files)
          .containsExactlyInAnyOrder(LinkFolder.socket(folder), ListenerLock.file(folder));
    }
  }

  @Test
  void shouldTellAClientThatThereAreTooManyLinks() throws Exception {
    try (LinkPair pair = new LinkPair(folder, SMALL.withMaxLinks(1))) {
      FutureTask<Link> second = LinkPair.inBackground(() -> Link.connect(folder, LinkPair.LONG_NS));
      while (!second.isDone()) {
        assertThat(pair.listener.accept(SHORT_NS)).isNull();
      }
      assertThatThrownBy(second::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseInstanceOf(LinkException.class)
          .hasMessageContaining("1 links and no more")
          .hasMessageContainingAll("close one, share a RemoteSpace", "LinkSettings.maxLinks");
      pair.host.close();
      FutureTask<Link> third = LinkPair.inBackground(() -> Link.connect(folder, LinkPair.LONG_NS));
      pair.listener.accept(LinkPair.LONG_NS).close();
      third.get().close();
    }
  }

  @Test
  void shouldTellAClientOfAnotherVersion() throws Exception {
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        SocketChannel channel = knock()) {
      channel.write(Terms.hello(false).putInt(8, Terms.VERSION + 1));
      assertThat(listener.accept(SHORT_NS)).isNull();
      assertThatThrownBy(() -> Terms.read(answer(channel)))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("version " + Terms.VERSION)
          .hasMessageContaining("same version");
      assertNothingIsLeft(listener);
    }
  }

  @Test
  void shouldEndWhoSaysNonsense() throws Exception {
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        SocketChannel channel = knock()) {
      channel.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes("US-ASCII")));
      assertThat(listener.accept(SHORT_NS)).isNull();
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      assertNothingIsLeft(listener);
    }
  }

  /** At each byte of what it would have to say. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, Terms.HELLO_BYTES - 1, Terms.HELLO_BYTES})
  void shouldEndWhoStallsAndServeOthersMeanwhile(int said) throws Exception {
    try (LinkListener listener = LinkListener.open(folder, SMALL.withHelloNs(300_000_000));
        SocketChannel channel = knock()) {
      channel.write(Terms.hello(false).limit(said));
      FutureTask<Link> other = LinkPair.inBackground(() -> Link.connect(folder, LinkPair.LONG_NS));
      listener.accept(LinkPair.LONG_NS).close();
      other.get().close();
      FutureTask<ByteBuffer> answer = LinkPair.inBackground(() -> answer(channel));
      FutureTask<Integer> end =
          LinkPair.inBackground(
              () -> {
                answer.get();
                return channel.read(ByteBuffer.allocate(1));
              });
      while (!end.isDone()) {
        assertThat(listener.accept(SHORT_NS)).isNull();
      }
      assertThat(end.get()).isEqualTo(-1);
      assertNothingIsLeft(listener);
    }
  }

  @Test
  void shouldLeaveNothingOfWhoDiesBeforeItIsReady() throws Exception {
    try (LinkListener listener = LinkListener.open(folder, SMALL)) {
      try (SocketChannel channel = knock()) {
        channel.write(Terms.hello(false));
        assertThat(listener.accept(SHORT_NS)).isNull();
        assertThat(listener.links()).isEqualTo(1);
      }
      assertThat(listener.accept(SHORT_NS)).isNull();
      assertNothingIsLeft(listener);
    }
  }

  @Test
  void shouldLeaveNothingOfAClientWhoseLinkCannotBeMade() throws Exception {
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        SocketChannel channel = knock()) {
      channel.write(Terms.hello(false));
      assertThat(listener.accept(SHORT_NS)).isNull();
      assertThat(listener.links()).isEqualTo(1);
      Path file = folder.resolve(Terms.read(answer(channel)).fileName());
      Files.delete(file);
      Files.createDirectories(file.resolve("within")); // so that it cannot be deleted
      channel.write(ByteBuffer.wrap(new byte[] {Terms.READY}));

      assertThatThrownBy(() -> listener.accept(LinkPair.LONG_NS)).isInstanceOf(IOException.class);

      assertThat(listener.links()).isZero();
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      Files.delete(file.resolve("within"));
      Files.delete(file);
      assertNothingIsLeft(listener);
      FutureTask<Link> other = LinkPair.inBackground(() -> Link.connect(folder, LinkPair.LONG_NS));
      listener.accept(LinkPair.LONG_NS).close();
      other.get().close();
    }
  }

  @Test
  void shouldRefuseAFolderThatOthersCanEnterOrThatIsALink() throws IOException {
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
    assertThatThrownBy(() -> LinkListener.open(folder, SMALL))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("rwxr-x---")
        .hasMessageContaining("rwx------");
    assertThatThrownBy(() -> Link.connect(folder, SHORT_NS))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("rwxr-x---");
    Files.setPosixFilePermissions(folder, LinkFolder.FOLDER_MODE);
    Path link = Files.createSymbolicLink(temporary.resolve("link"), folder);
    assertThatThrownBy(() -> LinkListener.open(link, SMALL))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("symbolic link");
  }

  @Test
  void shouldRefuseASecondHostAndTakeThePlaceOfOneThatDied() throws Exception {
    try (LinkPair pair = new LinkPair(folder, SMALL)) {
      assertThatThrownBy(() -> LinkListener.open(folder, SMALL))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("already");
      pair.send(pair.client, 1);
      assertThat(LinkPair.receive(pair.host, pair.hostWaiter, pair.bytes)).isEqualTo(1);
    }
    LinkFolder.prepare(folder);
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
    }
    Files.createFile(folder.resolve("link-1-1"));
    try (LinkPair pair = new LinkPair(folder, SMALL)) {
      assertThat(folder.resolve("link-1-1")).doesNotExist();
      assertThat(pair.send(pair.client, 1)).isTrue();
    }
  }

  /** As two hosts that a script starts: what the one that was killed has left is there for both. */
  @Test
  void shouldLetInOneOfTwoHostsThatBeginAtOnce() throws Exception {
    LinkFolder.prepare(folder);
    for (int i = 0; i < 300; i++) {
      try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        dead.bind(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
      }
      CyclicBarrier together = new CyclicBarrier(2);
      CountDownLatch bothTried = new CountDownLatch(2);
      Callable<Boolean> host =
          () -> {
            together.await();
            try (LinkListener _ = LinkListener.open(folder, SMALL)) {
              bothTried.countDown();
              return bothTried.await(10, TimeUnit.SECONDS);
            } catch (LinkException refused) {
              bothTried.countDown();
              assertThat(refused).hasMessageContaining("already; end it, or give this one");
              return false;
            }
          };
      FutureTask<Boolean> other = new FutureTask<>(host);
      Thread.ofPlatform().start(other);
      boolean isIn = host.call();
      assertThat(List.of(isIn, other.get())).as("round %s", i).containsOnlyOnce(true);
      assertThat(folder).doesNotExist();
      LinkFolder.prepare(folder);
    }
  }

  @Test
  void shouldRefuseASecondHostWhileTheFirstDoesNotAccept() throws Exception {
    List<SocketChannel> waiting = new ArrayList<>();
    try (LinkListener _ = LinkListener.open(folder, SMALL)) {
      IOException full = null;
      while (full == null) {
        SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
        waiting.add(client);
        client.configureBlocking(false);
        try {
          client.connect(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
        } catch (IOException e) {
          full = e;
        }
      }
      assertThatThrownBy(() -> LinkListener.open(folder, SMALL))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("a host listens in " + folder + " already");
    } finally {
      for (SocketChannel each : waiting) {
        each.close();
      }
    }
  }

  /** A process that closes a file loses all its locks on it. */
  @Test
  void shouldStillKeepOutOtherProcessesWhenASecondHostOfThisOneWasRefused() throws Exception {
    try (LinkListener _ = LinkListener.open(folder, SMALL)) {
      assertThatThrownBy(() -> LinkListener.open(folder, SMALL)).isInstanceOf(LinkException.class);

      String process = " WRITE " + ProcessHandle.current().pid() + " ";
      String file = ":" + Files.getAttribute(ListenerLock.file(folder), "unix:ino") + " ";
      assertThat(Files.readAllLines(Path.of("/proc/locks")))
          .anyMatch(line -> line.contains(process) && line.contains(file));
    }
  }

  @Test
  void shouldSayThatThereIsNoHost() throws IOException {
    assertThatThrownBy(() -> Link.connect(folder, SHORT_NS))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "no host answers in %s: start it (./takt host host JAR), or check its name", folder);
    LinkFolder.prepare(folder);
    assertThatThrownBy(() -> Link.connect(folder, SHORT_NS))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("no host answers");
  }

  @Test
  void shouldNotWaitForAHostThatDoesNotAnswer() throws IOException {
    LinkListener listener = LinkListener.open(folder, SMALL);
    try (listener) {
      assertThatThrownBy(() -> Link.connect(folder, SHORT_NS))
          .isInstanceOf(LinkException.class)
          .hasMessageContainingAll("within 1 ms (ClientSettings.timeoutNs)", "it has not answered");
      assertThat(listener.accept(SHORT_NS)).isNull();
      assertNothingIsLeft(listener);
    }
  }

  @Test
  void shouldEndAnAttemptWhenItsThreadIsInterrupted() throws Exception {
    LinkFolder.prepare(folder);
    try (ServerSocketChannel host = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      host.bind(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
      FutureTask<Boolean> attempt =
          new FutureTask<>(
              () -> {
                assertThatThrownBy(() -> Link.connect(folder, LinkPair.LONG_NS))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessageContainingAll("interrupted before the host", folder.toString());
                return Thread.interrupted();
              });
      Thread client = new Thread(attempt, "test-interrupted");
      client.start();
      try (SocketChannel channel = host.accept()) {
        channel.read(Terms.buffer(1)); // it waits for the answer, or is about to
        client.interrupt();
        assertThat(attempt.get(20, TimeUnit.SECONDS)).as("is still interrupted").isTrue();
      }
    }
  }

  /** A machine that is busy lets a client go on when the host has given it up. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldConnectAgainWhenTheHostHasGivenAClientUp(boolean isWelcomed) throws Exception {
    Path socket = LinkFolder.socket(folder);
    Path kept = folder.resolve("kept");
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        ServerSocketChannel hasty = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      Files.move(socket, kept);
      hasty.bind(UnixDomainSocketAddress.of(socket));
      FutureTask<Link> client = LinkPair.inBackground(() -> Link.connect(folder, LinkPair.LONG_NS));
      try (SocketChannel channel = hasty.accept()) {
        if (isWelcomed) {
          channel.read(Terms.buffer(Terms.HELLO_BYTES));
          channel.write(new Terms(1024, 256, 1, 1, false).welcome()); // and its memory is gone
        } else {
          channel.read(Terms.buffer(1)); // and the rest is unread
        }
        Files.move(kept, socket, StandardCopyOption.ATOMIC_MOVE);
      }
      Link host = listener.accept(LinkPair.LONG_NS);
      assertThat(host).as("the link of the second attempt").isNotNull();
      client.get().close();
      host.close();
    }
  }

  @Test
  void shouldConnectToTheHostThatStartsAnewWhileAClientIntroducesItself() throws Exception {
    LinkFolder.prepare(folder);
    FutureTask<Link> client;
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
      client = LinkPair.inBackground(() -> Link.connect(folder, LinkPair.LONG_NS));
      try (SocketChannel channel = killed.accept()) {
        channel.read(Terms.buffer(1));
        Files.delete(LinkFolder.socket(folder));
      }
    }
    assertThatThrownBy(() -> client.get(50, TimeUnit.MILLISECONDS))
        .as("there is no host meanwhile")
        .isInstanceOf(TimeoutException.class);
    try (LinkListener listener = LinkListener.open(folder, SMALL)) {
      Link host = listener.accept(LinkPair.LONG_NS);
      assertThat(host).isNotNull();
      client.get().close();
      host.close();
    }
  }

  @Test
  void shouldTellAClientThatTheHostGivesItUpAgainAndAgain() throws Exception {
    LinkFolder.prepare(folder);
    try (ServerSocketChannel host = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      host.bind(UnixDomainSocketAddress.of(LinkFolder.socket(folder)));
      FutureTask<Link> client = LinkPair.inBackground(() -> Link.connect(folder, 50 * SHORT_NS));
      host.configureBlocking(false);
      while (!client.isDone()) {
        try (SocketChannel _ = host.accept()) {
          Thread.onSpinWait();
        }
      }
      assertThatThrownBy(client::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(LinkException.class)
          .hasMessageContaining(folder.toString())
          .hasMessageContaining("could not be made within 50 ms (ClientSettings.timeoutNs)")
          .hasMessageContaining("start it again");
    }
  }

  @Test
  void shouldRefuseAFileThatIsNotTheOneThatWasPromised() throws IOException {
    LinkFolder.prepare(folder);
    Terms terms = new Terms(1024, 256, 1, 1, false);
    Path file = folder.resolve(terms.fileName());
    try (Arena arena = Arena.ofConfined()) {
      LinkMemory.create(folder, terms, arena);
      LinkMemory.open(folder, terms, arena);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
      assertThatThrownBy(() -> LinkMemory.open(folder, terms, arena))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("rw-r-----");
      Files.setPosixFilePermissions(file, LinkFolder.FILE_MODE);
      Files.move(file, folder.resolve("link-1-2"));
      assertThatThrownBy(() -> LinkMemory.open(folder, new Terms(1024, 256, 1, 2, false), arena))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("promised");
      Files.createSymbolicLink(file, folder.resolve("link-1-2"));
      assertThatThrownBy(() -> LinkMemory.open(folder, terms, arena))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("no plain file");
      Files.delete(file);
      Files.write(file, new byte[8], StandardOpenOption.CREATE_NEW);
      Files.setPosixFilePermissions(file, LinkFolder.FILE_MODE);
      assertThatThrownBy(() -> LinkMemory.open(folder, terms, arena))
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("8 bytes where " + terms.fileBytes());
      assertThatThrownBy(() -> LinkMemory.create(folder, terms, arena))
          .isInstanceOf(LinkException.class);
    }
  }

  /** Even if the folder is opened to all: then the file and the socket are private themselves. */
  @Test
  void shouldLetNoOtherUserOpenTheFileOrTheSocket() throws Exception {
    Path everyones = Files.createFile(temporary.resolve("everyone's"));
    Files.setPosixFilePermissions(everyones, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    assumeTrue(
        (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "is the superuser");
    assumeTrue(canOpenAsNobody(everyones), "others can enter the folder for temporary files");
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        SocketChannel channel = knock()) {
      channel.write(Terms.hello(false));
      assertThat(listener.accept(SHORT_NS)).isNull();
      Path file = folder.resolve(Terms.read(answer(channel)).fileName());
      for (String mode : List.of("rwx------", "rwxr-xr-x")) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
        assertThat(canOpenAsNobody(file)).as("the file, folder %s", mode).isFalse();
        assertThat(canOpenAsNobody(LinkFolder.socket(folder))).as("the socket").isFalse();
      }
    }
  }

  /** Returns whether the user that owns nothing can read or write it: of a socket, can connect. */
  private static boolean canOpenAsNobody(Path path) throws Exception {
    return new ProcessBuilder(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--inh-caps=-all",
                "--",
                "sh",
                "-c",
                "(: <\"$1\") || (: >>\"$1\") || test -w \"$1\"",
                "sh",
                path.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  /** The kernel then raises a signal at an access, which the JVM makes an error of. */
  @Test
  void shouldFailWithItsOwnErrorWhenAClientCutsTheMemoryOff() throws Exception {
    try (LinkListener listener = LinkListener.open(folder, SMALL);
        SocketChannel channel = knock()) {
      channel.write(Terms.hello(false));
      assertThat(listener.accept(SHORT_NS)).isNull();
      Path file = folder.resolve(Terms.read(answer(channel)).fileName());
      try (FileChannel hostile = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {Terms.READY}));
        Link link = listener.accept(LinkPair.LONG_NS);
        MemorySegment into = Arena.ofAuto().allocate(256, 64);
        int polled = Link.NONE;
        LinkException failure = null;
        for (int i = 0; i < 20_000; i++) {
          polled = Math.max(polled, link.poll(into));
        }
        assertThat(polled).isEqualTo(Link.NONE);
        hostile.truncate(0);
        for (int i = 0; i < 20_000 && failure == null; i++) {
          try {
            link.poll(into);
          } catch (LinkException e) {
            failure = e;
          }
        }
        assertThat(failure).isNotNull();
        link.close();
      }
      assertNothingIsLeft(listener);
    }
  }

  /** As the folder of a user in memory, which no one has made before the first host. */
  @Test
  void shouldMakeTheFolderAboveAsPrivateAsItsOwn() throws Exception {
    folder = temporary.resolve("takt-1000").resolve("trading");

    try (LinkListener listener = LinkListener.open(folder, SMALL)) {
      assertThat(listener.links()).isZero();
      for (Path each : List.of(folder, folder.getParent())) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .isEqualTo("rwx------");
      }
    }
  }

  /** Who may write into the folder above can put a host of his own in the place of this one. */
  @Test
  void shouldRefuseAFolderThatOthersCanReplace() throws Exception {
    Path above = Files.createDirectory(temporary.resolve("shared"));
    Path real = Files.createDirectory(temporary.resolve("real"));
    folder = above.resolve("host");
    LinkListener.open(folder, SMALL).close();
    Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThatThrownBy(() -> LinkListener.open(folder, SMALL))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("may be written by other users")
        .hasMessageContaining("chmod go-w");
    assertThatThrownBy(() -> Link.connect(folder, SHORT_NS))
        .isInstanceOf(LinkException.class)
        .hasMessageContaining("may be written by other users");

    Files.setAttribute(above, "unix:mode", 01777); // as of /tmp: each may remove only his own
    LinkListener.open(folder, SMALL).close();

    Path link = Files.createSymbolicLink(temporary.resolve("link"), real);
    folder = link.resolve("host");
    LinkListener.open(folder, SMALL).close();
  }
}
