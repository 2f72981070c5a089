package dev.takt.persist.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that instances of a class, and of its subclasses, are stored with the root that leads to
 * them: the paper's SPersistent. It is for programs without tasks; the memory of a task is
 * persistent without it.
 *
 * <p>Everything that weaves tasks ({@code takt:weave}, {@code ./takt weave}, {@code ./takt run},
 * the compiler plugin) gives such a class the barrier, and nothing else: no rule of tasks holds for
 * it. The weaver refuses what it could not guard or store: a public field that changes, an array or
 * collection that is not private or leaves the class, an array of arrays, an inner class, a field
 * of a type none of whose objects can be stored; such a field can be {@code transient}. Which
 * collections there may be says the package {@code dev.takt.persist}.
 *
 * <p>Recovery makes instances by the constructor without parameters, if the class declares one: it
 * sets up what is not stored, such as a lock in a {@code final} or {@code transient} field. Without
 * it no constructor runs, and what is not stored is zero or null.
 *
 * <p>On an interface, it holds for the classes that implement it. Enums and records, which do not
 * change, and stable classes, which tasks own, need it not.
 *
 * {@snippet :
 * @Persistent
 * final class Account {
 *   private long balance;
 *   private Account next;
 *
 *   @PersistentUpdate
 *   void add(long amount) {
 *     balance += amount;
 *   }
 * }
 * }
 *
 * <p>Source: Persistence 3.1.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Persistent {}
