package dev.takt.bench.session;

/** How the transactions of the mail are run: each has its own connection within the JVM. */
interface MailProgram extends AutoCloseable {
  /**
   * Runs transactions and returns when all have ended.
   *
   * @param transactions how many
   * @param parallel how many of them at the same time, each one after the other
   */
  void run(int transactions, int parallel) throws Exception;

  @Override
  void close();
}
