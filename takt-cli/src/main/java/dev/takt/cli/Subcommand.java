package dev.takt.cli;

import java.util.concurrent.Callable;

/**
 * A command of {@code takt} that another module brings, with a picocli annotation {@code @Command}
 * that names it. Its module provides it as a service, on the module path and on the class path.
 */
public interface Subcommand extends Callable<Integer> {}
