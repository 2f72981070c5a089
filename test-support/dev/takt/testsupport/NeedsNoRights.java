package dev.takt.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * Of a test that meets nothing of the operating system but files of its own: {@link
 * UnprivilegedTest} need not run it again as another user.
 */
@Target(ElementType.TYPE)
public @interface NeedsNoRights {}
