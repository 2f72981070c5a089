/**
 * The class model of verifier and weaver: the classes that a check can see, parsed once each, and
 * what is known of them by themselves. {@link dev.takt.safety.classes.ClassWorld} finds a class in
 * the application, the libraries or the running JDK; {@code ClassInfo} and {@code MethodInfo}
 * answer what analyses ask again and again: supertypes, which method a call means, what code does
 * in the order of the code ({@code MethodOps}).
 *
 * <p>{@code Immutability} decides which classes are RefImm, {@code TrustedMethods} has the tables
 * of methods that are not followed, {@code TaktFiles} knows which classes are Takt's own. No rule
 * is in here.
 */
package dev.takt.safety.classes;
