package dev.takt.space;

/**
 * Marks a class whose instances live as long as their task.
 *
 * <p>Everything a task allocates is transient and dies with the release, unless its class
 * implements this marker. The marker lives beside {@link Handle}, because a task keeps its handles
 * between releases and this module depends on nothing.
 *
 * <p>Source: Reflexes 2.
 */
public interface Stable {}
