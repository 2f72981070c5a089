package dev.takt.safety.reach;

import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.TrustedMethods;
import dev.takt.safety.reach.ReachedMethod.Mode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import org.jspecify.annotations.Nullable;

/**
 * What Takt's own code, which is not followed, calls of the user's: an object that it is given as a
 * predicate, and the text of records in an event. Values of events are in {@link
 * RapidTypeAnalysis}.
 */
final class ApiCallbacks {
  private final RapidTypeAnalysis reach;

  ApiCallbacks(RapidTypeAnalysis reach) {
    this.reach = reach;
  }

  /** Makes live what a method of Takt's calls. */
  void follow(MethodInfo method, @Nullable ReachedMethod caller, int line, Mode mode) {
    if (method.owner.origin != ClassInfo.Origin.TAKT) {
      return;
    }
    for (ClassDesc type : MethodTypeDesc.ofDescriptor(method.descriptor).parameterList()) {
      ClassInfo info =
          type.isClassOrInterface() ? reach.world.info(ClassNames.internal(type)) : null;
      if (info != null && info.isInterface() && info.isJdk()) {
        callAll(info, caller, line, mode);
      }
    }
    if (method.selector.equals(TrustedMethods.TO_STRING)) {
      textOfRecords(caller, line, mode);
    }
  }

  /**
   * An event makes its records anew to ask them for their text. Those of the application are meant:
   * most of those of libraries never get into an event, and are followed where one is taken out.
   */
  private void textOfRecords(@Nullable ReachedMethod caller, int line, Mode mode) {
    reach.virtual("java/lang/Record", TrustedMethods.TO_STRING, caller, line, mode);
    for (ClassInfo type : reach.world.subtypes().records()) {
      if (type.origin == ClassInfo.Origin.APPLICATION) {
        reach.meet(type, null, Mode.RELEASE);
        for (MethodInfo method : type.methods.values()) {
          if (method.isConstructor()) {
            reach.reach(method, caller, line, mode);
          }
        }
      }
    }
  }

  private void callAll(ClassInfo type, @Nullable ReachedMethod caller, int line, Mode mode) {
    for (String name : type.supertypes()) {
      ClassInfo above = reach.world.info(name);
      for (MethodInfo method : above == null ? type.methods.values() : above.methods.values()) {
        if (method.isAbstract()) {
          reach.virtual(type.name, method.selector, caller, line, mode);
        }
      }
    }
    for (String selector :
        new String[] {TrustedMethods.TO_STRING, "hashCode()I", "equals(Ljava/lang/Object;)Z"}) {
      reach.virtual(type.name, selector, caller, line, mode);
    }
  }
}
