package dev.takt.safety.source;

import dev.takt.safety.Rule;
import dev.takt.safety.Severity;
import java.util.List;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** One thing that the body of a method does, and where. */
sealed interface Use {
  /** Returns where. */
  Spot spot();

  /**
   * A call, or a reference to a method, which counts as one.
   *
   * @param target the method as declared
   * @param receiver the static type it is called on; null if static or a super call
   * @param onThis whether it is called on this object
   * @param arguments the static types of the arguments; empty for a method reference
   * @param handlers the types that handlers around the call catch
   */
  record Call(
      Spot spot,
      ExecutableElement target,
      @Nullable TypeMirror receiver,
      boolean onThis,
      List<TypeMirror> arguments,
      List<TypeMirror> handlers)
      implements Use {}

  /** A {@code new}, with the class made (an anonymous one itself) and its constructor. */
  record New(
      Spot spot,
      TypeElement type,
      @Nullable ExecutableElement constructor,
      List<TypeMirror> arguments,
      List<TypeMirror> handlers)
      implements Use {}

  /** A field is read. */
  record Read(Spot spot, VariableElement field, boolean onThis) implements Use {}

  /** A field is written. */
  record Write(Spot spot, VariableElement field, boolean onThis) implements Use {}

  /** An object is asked for its text, by a concatenation. */
  record Text(Spot spot, TypeMirror type) implements Use {}

  /** A cast to a type, or a pattern of it: such objects may come in. */
  record Cast(Spot spot, TypeMirror type) implements Use {}

  /** A lambda or method reference, with the interface that it implements. */
  record Function(Spot spot, TypeMirror type) implements Use {}

  /** A throw that no handler of the same method catches. */
  record Throw(Spot spot, TypeMirror type) implements Use {}

  /**
   * A private array field is set to something else than a new array.
   *
   * @param sources the parameters and fields that the array comes from, if known
   */
  record ArraySet(Spot spot, VariableElement field, List<VariableElement> sources) implements Use {}

  /** A reference is kept beyond its local; that matters if it is a capsule. */
  record Keep(Spot spot, TypeMirror type, String message) implements Use {}

  /** An allocation that pools cannot serve, which matters to tasks marked NoAlloc. */
  record Allocation(Spot spot, Rule rule, String message) implements Use {}

  /** Something that breaks a rule by itself, if a task gets there. */
  record Offence(Spot spot, Rule rule, Severity severity, String message) implements Use {}
}
