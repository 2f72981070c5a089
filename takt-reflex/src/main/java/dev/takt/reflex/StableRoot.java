package dev.takt.reflex;

import dev.takt.reflex.woven.CycleGate;

/**
 * The root of objects that are stored together, for code that stores them: a task, or what plain
 * threads change.
 *
 * @param name the name of the root; of a task, that under which it is registered
 * @param object the root of the graph; of a task, only its own releases may change its fields
 * @param sinks where a cycle begins and ends that reads the graph while releases go on
 */
public record StableRoot(String name, Object object, CycleGate sinks) {}
