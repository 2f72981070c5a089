package dev.takt.host;

import dev.takt.client.wire.Operation;
import dev.takt.space.Event;
import dev.takt.space.SpaceTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The answer of several steps that one client is given, of which a rest may wait for room.
 *
 * <p><b>Thread rule:</b> that of its session.
 *
 * <p><b>Memory:</b> the events of one answer. Copies of what is in the space are counted by {@link
 * HeldBytes} until the answer is whole; what was taken is counted by {@link UnconfirmedTakes}.
 */
final class ClientBulk {
  private final Outbox outbox;
  private final HeldBytes held;
  private final UnconfirmedTakes takes;
  private final ClientAnswers answers;
  private @Nullable BulkAnswer rest;

  /** As how much the copies of the answer are counted. */
  private long copiedBytes;

  /** Makes one without an answer. */
  ClientBulk(Outbox outbox, HeldBytes held, UnconfirmedTakes takes, ClientAnswers answers) {
    this.outbox = outbox;
    this.held = held;
    this.takes = takes;
    this.answers = answers;
  }

  /** Returns whether the last answer is not whole yet. */
  boolean isAny() {
    return rest != null;
  }

  /** Makes an answer in as many steps and messages as it needs, the first ones now. */
  void begin(BulkAnswer answer) {
    rest = answer;
    advance();
  }

  /**
   * Answers with copies of all that a transaction sees.
   *
   * @param messageBytes returns how long a message with an event is, or throws if it has no place
   *     in one
   * @throws IllegalStateException if the client has too much
   */
  void beginCopies(
      long request,
      SpaceTransaction transaction,
      Event template,
      ToIntFunction<Event> messageBytes) {
    List<Event> all = new ArrayList<>();
    try {
      transaction.forEach(
          template,
          each -> {
            int counted = HeldBytes.of(messageBytes.applyAsInt(each));
            held.require(counted);
            held.add(counted);
            copiedBytes += counted;
            all.add(each.copy());
          });
    } catch (Throwable refused) {
      end();
      throw refused;
    }
    begin(new BulkAnswer(Operation.READ_ALL, request, all));
  }

  /**
   * Sends as much as there is room for; what has no place in a message, or none on its way, is a
   * refusal of it all.
   */
  void advance() {
    BulkAnswer answer = rest;
    while (answer != null && outbox.hasRoom() && outbox.mayGoOn()) {
      BulkAnswer.Step step;
      try {
        step = answer.step(answers.writer());
        if (step != BulkAnswer.Step.NONE) {
          answers.reserve();
        }
      } catch (Throwable refused) {
        end();
        takes.refuse(answer.request);
        answers.refuse(answer.operation, answer.request, refused);
        return;
      }
      if (step != BulkAnswer.Step.NONE) {
        answers.send();
      }
      if (step == BulkAnswer.Step.LAST) {
        end();
        answer = null;
      }
    }
  }

  /** Forgets the rest. */
  void end() {
    rest = null;
    held.release(copiedBytes);
    copiedBytes = 0;
  }
}
