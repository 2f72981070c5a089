package dev.takt.kept;

/** A record with a constant. */
public record Ticket(int number, Color color, String note) {}
