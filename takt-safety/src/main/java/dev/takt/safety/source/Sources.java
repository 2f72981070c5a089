package dev.takt.safety.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** All classes of one compilation, as far as they have been analyzed. */
final class Sources {
  private final Types types;
  private final Map<TypeElement, ClassFacts> classes = new LinkedHashMap<>();
  private final Map<TypeElement, List<ClassFacts>> subtypes = new LinkedHashMap<>();

  Sources(Types types) {
    this.types = types;
  }

  void add(ClassFacts facts) {
    classes.put(facts.type, facts);
  }

  Collection<ClassFacts> all() {
    return classes.values();
  }

  /** Returns the facts of a class, or null if its source is not part of this compilation. */
  @Nullable ClassFacts find(TypeElement type) {
    return classes.get(type);
  }

  /** Returns the classes that are this class or extend or implement it. */
  List<ClassFacts> subtypesOf(TypeElement type) {
    List<ClassFacts> found = subtypes.get(type);
    if (found == null) {
      found = new ArrayList<>();
      TypeMirror erased = types.erasure(type.asType());
      for (ClassFacts each : classes.values()) {
        if (types.isSubtype(types.erasure(each.type.asType()), erased)) {
          found.add(each);
        }
      }
      subtypes.put(type, found);
    }
    return found;
  }
}
