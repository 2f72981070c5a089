package dev.takt.safety.classes;

import dev.takt.safety.flow.Op;
import java.util.List;

/**
 * What a method's code does, in the order of the code.
 *
 * @param ops what it does
 * @param alwaysThrows whether no path through it returns, or runs for ever
 * @param abortText whether an abort path makes text of an object whose class is not known here, and
 *     so may call its {@code toString}
 * @param firstLine the first line, 0 if unknown
 */
public record MethodOps(List<Op> ops, boolean alwaysThrows, boolean abortText, int firstLine) {
  static final MethodOps NONE = new MethodOps(List.of(), false, false, 0);
}
