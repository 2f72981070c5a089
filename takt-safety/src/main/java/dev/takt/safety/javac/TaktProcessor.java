package dev.takt.safety.javac;

import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/**
 * Shows the {@link TaktPlugin} where the compiler writes classes: of all that a compiler starts
 * only annotation processors can see it. It processes no annotation.
 *
 * <p><b>Thread rule:</b> called by the compiler, on its thread.
 */
@SupportedAnnotationTypes("*")
public final class TaktProcessor extends AbstractProcessor {
  /** Made by the compiler. */
  public TaktProcessor() {}

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    FilerExchange.offer(environment.getFiler());
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    return false;
  }
}
