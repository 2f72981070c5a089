// An exception with a reference, thrown and caught within the release.
// layer: both
package telemetry;

import dev.takt.reflex.ReflexTask;

class Parser extends ReflexTask {
  private int errors;

  static final class Token {
    int position;
  }

  static final class Unexpected extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Token token;

    Unexpected(Token token) {
      this.token = token;
    }
  }

  @Override
  public void execute() {
    try {
      throw new Unexpected(new Token());
    } catch (Unexpected e) {
      errors += 1 + e.token.position;
    }
  }
}
