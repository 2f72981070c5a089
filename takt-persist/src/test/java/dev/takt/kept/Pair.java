package dev.takt.kept;

/** A record that can refer to others. */
public record Pair(int left, double right, String name, Pair next) {}
