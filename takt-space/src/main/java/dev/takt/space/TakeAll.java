package dev.takt.space;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Takes several matches in one transaction and gives them away when it is committed. */
final class TakeAll {
  private TakeAll() {}

  /** As {@link EventSpace#takeAll}. */
  static int give(EventSpace space, Event template, int max, Consumer<? super Event> sink) {
    List<Event> taken =
        space.transact(
            true,
            0,
            transaction -> {
              List<Event> events = new ArrayList<>();
              Event into = new Event();
              while (events.size() < max && transaction.poll(template, into)) {
                events.add(into);
                into = new Event();
              }
              return events;
            });
    int given = 0;
    try {
      while (given < taken.size()) {
        sink.accept(taken.get(given++));
      }
    } catch (Throwable thrown) {
      giveBack(space, taken.subList(given, taken.size()), thrown);
      throw thrown;
    }
    return given;
  }

  private static void giveBack(EventSpace space, List<Event> rest, Throwable why) {
    ConflictDeferral deferral = ConflictDeferral.suspend(); // nobody would call this again
    try {
      space.transact(
          true,
          0,
          transaction -> {
            rest.forEach(transaction::write);
            return rest;
          });
    } catch (Throwable refused) {
      IllegalStateException lost = new IllegalStateException("taken and lost: " + rest, refused);
      why.addSuppressed(lost);
      if (why.getSuppressed().length == 0) { // an Abort keeps nothing
        lost.addSuppressed(why);
        throw lost;
      }
    } finally {
      if (deferral != null) {
        deferral.begin();
      }
    }
  }
}
