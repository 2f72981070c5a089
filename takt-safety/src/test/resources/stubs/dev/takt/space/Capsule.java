package dev.takt.space;

/** What tests of the rules need of a class that streams will bring. */
public interface Capsule {}
