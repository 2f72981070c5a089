package dev.takt.reflex.woven;

/** What woven stable objects implement: who compiles against them needs it. */
public interface Undoable {}
