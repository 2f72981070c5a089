package dev.takt.session;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What sessions log, which nothing else prints meanwhile. */
final class Logged implements AutoCloseable {
  final LinkedBlockingQueue<LogRecord> records = new LinkedBlockingQueue<>();

  private final Logger log = Logger.getLogger(Sessions.LOG);
  private final Level before = log.getLevel();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord each) {
          records.add(each);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  Logged() {
    log.setUseParentHandlers(false);
    log.setLevel(Level.ALL);
    log.addHandler(handler);
  }

  @Override
  public void close() {
    log.removeHandler(handler);
    log.setLevel(before);
    log.setUseParentHandlers(true);
  }
}
