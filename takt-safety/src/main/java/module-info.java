import org.jspecify.annotations.NullMarked;

/**
 * The safety rules of tasks: a compiler plugin, a bytecode verifier and the weaver. Knows the task
 * runtime by name only.
 */
@NullMarked
module dev.takt.safety {
  requires static jdk.compiler;
  requires java.instrument;
  requires static org.jspecify;

  exports dev.takt.safety;
  exports dev.takt.safety.classes;
  exports dev.takt.safety.flow;
  exports dev.takt.safety.load;
  exports dev.takt.safety.reach;
  exports dev.takt.safety.rules;
  exports dev.takt.safety.weave;

  provides com.sun.source.util.Plugin with
      dev.takt.safety.javac.TaktPlugin;
  provides javax.annotation.processing.Processor with
      dev.takt.safety.javac.TaktProcessor;
}
