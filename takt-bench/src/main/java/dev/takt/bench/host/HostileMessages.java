package dev.takt.bench.host;

import dev.takt.client.wire.MessageWriter;
import dev.takt.client.wire.Operation;
import dev.takt.client.wire.WireLimits;
import dev.takt.space.Event;
import dev.takt.space.Template;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Messages of each form, some bytes of which are changed at random.
 *
 * <p><b>Thread rule:</b> one thread.
 */
final class HostileMessages {
  private static final int MAX_CHANGES = 8;
  private static final int LARGEST = 1 << 16;

  /** Of a frame (RFC 6455, section 5.2): a text that is whole, a mask, two more bytes of length. */
  private static final int TEXT_FRAME = 0x81;

  private static final int MASKED = 0x80;
  private static final int LONGER = 126;

  private static final String HANDSHAKE =
      """
      GET /takt HTTP/1.1\r
      Host: localhost\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      Sec-WebSocket-Version: 13\r
      \r
      """;

  private static final List<String> LINES =
      List.of(
          "#1 hello",
          "write {\"a\":1,\"b\":\"text\",\"c\":2.5}",
          "#2 take {\"q\":null} forever",
          "read {\"a\":{\"$all\":[{\"$atLeast\":5},{\"$not\":7}]}}",
          "subscribe 3 {\"a\":1}",
          "begin",
          "write {\"t\":{\"$instant\":\"2026-01-02T03:04:05Z\"}}",
          "commit",
          "cancel 2",
          "count {}");

  private static final List<String> OBJECTS =
      List.of(
          "{\"op\":\"write\",\"event\":{\"a\":1,\"b\":\"text\",\"c\":2.5}}",
          "{\"id\":2,\"op\":\"take\",\"template\":{\"q\":null},\"timeout\":\"forever\"}",
          "{\"op\":\"read\",\"template\":{\"a\":{\"$all\":[{\"$atLeast\":5},{\"$not\":7}]}}}",
          "{\"op\":\"subscribe\",\"subscription\":3,\"template\":{\"a\":1},\"quiet\":true}",
          "{\"id\":7,\"op\":\"begin\"}",
          "{\"id\":8,\"in\":1,\"op\":\"rollback\"}",
          "{\"op\":\"cancel\",\"request\":2}",
          "{\"op\":\"count\"}");

  private final SplittableRandom random;

  HostileMessages(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Returns a message of each kind in the binary format; the first lets a client in. */
  static List<byte[]> binary() {
    MessageWriter writer = new MessageWriter(WireLimits.DEFAULTS);
    List<byte[]> all = new ArrayList<>();
    writer.hello(LARGEST, "");
    all.add(bytes(writer));
    for (Operation each : Operation.values()) {
      if (each != Operation.NONE) {
        writer.request(each, 0, each.ordinal(), 1);
        switch (each.asked()) {
          case EVENT -> writer.event(new Event("a", 1).add("b", "text").add("c", 2.5));
          case TEMPLATE -> writer.template(new Template("a", null).atLeast("d", 3));
          case NONE, EVENTS -> {}
        }
        writer.end();
        all.add(bytes(writer));
      }
    }
    return all;
  }

  private static byte[] bytes(MessageWriter writer) {
    return writer.segment().asSlice(0, writer.length()).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Returns lines of the line protocol; the first is a greeting. */
  static List<byte[]> lines() {
    return LINES.stream().map(line -> (line + "\n").getBytes(StandardCharsets.UTF_8)).toList();
  }

  /** Returns what a WebSocket begins with, and frames with objects. */
  static List<byte[]> frames() {
    List<byte[]> all = new ArrayList<>();
    all.add(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
    for (String each : OBJECTS) {
      byte[] text = each.getBytes(StandardCharsets.UTF_8);
      ByteBuffer frame = ByteBuffer.allocate(text.length + 8);
      frame.put((byte) TEXT_FRAME);
      if (text.length < LONGER) {
        frame.put((byte) (MASKED | text.length));
      } else {
        frame.put((byte) (MASKED | LONGER)).putShort((short) text.length);
      }
      frame.putInt(0).put(text); // the mask is 0
      all.add(Arrays.copyOf(frame.array(), frame.position()));
    }
    return all;
  }

  /** Returns one behind the other, some bytes of which are changed, but none of the first one. */
  byte[] mutated(List<byte[]> messages) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    messages.forEach(all::writeBytes);
    return mutated(all.toByteArray(), messages.getFirst().length);
  }

  /** Changes some bytes from one on. */
  byte[] mutated(byte[] bytes, int from) {
    byte[] changed = bytes.clone();
    for (int i = random.nextInt(1, MAX_CHANGES); i > 0; i--) {
      int value = random.nextBoolean() ? random.nextInt() : random.nextInt(4);
      changed[random.nextInt(from, changed.length)] = (byte) value;
    }
    return changed;
  }

  /** Returns true half the time. */
  boolean isHeads() {
    return random.nextBoolean();
  }
}
