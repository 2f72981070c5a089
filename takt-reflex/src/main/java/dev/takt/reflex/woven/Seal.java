package dev.takt.reflex.woven;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the verifier has seen with a task: the annotation of the class {@code Task$TaktSeal} that
 * the weaver puts beside a woven task.
 *
 * <p>A class is named by a line: its binary name, then, each after a blank, the hashes (SHA-256,
 * hexadecimal) that its class file may have: as woven, and, for a class that is woven while it is
 * loaded, as it was before.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Seal {
  /** How the name of the class that carries it ends. */
  String SUFFIX = "$TaktSeal";

  /** The agreement that the task was woven for, as in {@link Woven#abi}. */
  int abi();

  /** The classes outside of the JDK and of takt's API whose code the task can run. */
  String[] code() default {};

  /** Further classes of which the task's fields can hold instances. */
  String[] present() default {};
}
