package dev.takt.reflex.woven;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the weaver has written down about a class, for the runtime. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Woven {
  /** The agreement between woven code and runtime that this version of the runtime understands. */
  int ABI = 10;

  /** How a class becomes woven, for messages. */
  String REMEDY =
      "put takt-safety on the compiler's class path or processor path, which then weaves; or weave"
          + " its classes with the Maven goal takt:weave (tests: takt:test-weave) or"
          + " './takt weave DIR|JAR', or while they are loaded with './takt run' or"
          + " -javaagent:takt-safety.jar";

  /** The agreement that the class was woven for. */
  int abi();

  /** Whether the class and all it reaches have passed the verifier. */
  boolean verified() default false;

  /**
   * Of a stable class: its instance fields, without those of its superclass, in the order in which
   * they are saved, each as its name, a colon, {@code =} if it is final and so never saved, and the
   * descriptor of its type: {@code "count:I"}, {@code "owner:=Ljava/lang/String;"}.
   */
  String[] fields() default {};

  /** Of a task: the transient classes that its releases make instances of. */
  Class<?>[] transients() default {};

  /**
   * Of a task: the arrays that its releases make, each as the descriptor of the element type, a
   * colon, the largest length, and {@code =} in front if the length is always that one: {@code
   * "I:=16"}, {@code "Ljava/lang/String;:64"}.
   */
  String[] arrays() default {};

  /** Of a task: the stable classes that its releases make instances of. */
  Class<?>[] stables() default {};

  /** Of a task: the classes to initialize before the first release, by binary name. */
  String[] live() default {};

  /**
   * Of a task: the woven classes whose code its releases and atomic calls run, by binary name. One
   * that is not woven when the task is registered has been compiled again since.
   */
  String[] code() default {};

  /** Of a task: whether it may allocate nothing that pools cannot serve. */
  boolean noAlloc() default false;
}
