package dev.takt.reflex.woven;

/** What woven classes with a pool implement: who compiles against them needs it. */
public interface Pooled {}
