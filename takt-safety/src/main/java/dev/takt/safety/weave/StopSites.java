package dev.takt.safety.weave;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;

/**
 * Puts before each jump backwards a call site that is the constant false, until the runtime flips
 * it to end a release that runs away. It costs nothing while it is not flipped.
 */
final class StopSites implements SiteWeaver {
  @Override
  public boolean weave(CodeBuilder code, CodeElement element, int index, MethodCode method) {
    if (method.isLive() && method.facts().isBackward(index)) {
      Label go = code.newLabel();
      code.invokedynamic(Abi.STOP_SITE).ifeq(go);
      Abi.STOP.call(code);
      code.pop().labelBinding(go);
    }
    return false;
  }
}
