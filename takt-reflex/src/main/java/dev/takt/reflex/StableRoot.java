package dev.takt.reflex;

import dev.takt.reflex.woven.SinkGate;

/**
 * A task as the root of its stable objects, for code that stores them.
 *
 * @param name the name under which it is registered
 * @param task the root of the graph, whose fields only its own releases may change
 * @param sinks where a cycle begins and ends that reads the graph while releases go on
 */
public record StableRoot(String name, ReflexTask task, SinkGate sinks) {}
