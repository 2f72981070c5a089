package dev.takt.persist.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a field is stored: the paper's SPersistentField. In a class that has one such field,
 * the others that it declares are left out; in a class that has none, all are stored but those that
 * are {@code transient}.
 *
 * <p>Source: Persistence 3.1.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface PersistentField {}
