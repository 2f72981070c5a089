package dev.takt.safety.weave;

import dev.takt.safety.classes.MethodId;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.PersistentClasses;
import dev.takt.safety.flow.ControlFlow;
import dev.takt.safety.flow.ThrowingHelpers;
import dev.takt.safety.reach.Closure;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a weaving does to which class: decided once, from the closures, before any class changes.
 */
final class WeavePlan {
  private static final Set<String> ROOTS = Set.of("java/lang/Object", "java/lang/Record");

  private final TypeTable types;
  private final List<Closure> closures;
  private final boolean debug;
  private final boolean isLibrary;
  private final Set<String> plain;
  private final Set<MethodId> live = new HashSet<>();
  private final Set<MethodId> recursive = new HashSet<>();
  private final Set<MethodId> atomic = new HashSet<>();
  private final Map<String, List<MethodId>> atomicByName = new HashMap<>();
  private final Set<String> instantiated = new TreeSet<>();

  private final Map<MethodModel, Optional<MethodCode>> codes = new IdentityHashMap<>();
  private final ArrayGuards guards;
  private final ArrayPlacement fates;
  private final ThrowingHelpers helpers;

  /** The classes that get a raw constructor: those that are pooled, and their superclasses. */
  private final Set<String> raw = new HashSet<>();

  private final Set<String> pooled = new TreeSet<>();
  private final Set<String> tracked = new HashSet<>();

  /** The application's stable classes and their superclasses, whose fields they inherit. */
  private final Set<String> barred = new HashSet<>();

  private final Set<String> persistent;

  WeavePlan(
      TypeTable types,
      ThrowingHelpers helpers,
      Set<String> application,
      List<Closure> closures,
      boolean debug,
      PlainCode plain) {
    this.types = types;
    this.closures = closures;
    this.debug = debug;
    this.isLibrary = closures.isEmpty() && plain.mayBeLibrary();
    this.plain = plain.classes();
    this.guards = new ArrayGuards(types, this);
    this.fates = new ArrayPlacement(types, this);
    this.helpers = helpers;
    this.persistent = types.persistent();
    if (isLibrary) {
      takeAll(application);
    }
    for (Closure closure : closures) {
      live.addAll(closure.methods().keySet());
      recursive.addAll(closure.recursive());
      atomic.addAll(closure.atomicMethods());
      instantiated.addAll(closure.instantiated());
    }
    addBarred(application);
    requirePlain();
    addGuarded(application);
    addOverridden();
    for (String name : instantiated) {
      if (isPoolable(name) && debug && !types.isStable(name)) {
        tracked.add(name);
      } else if (isPoolable(name)) {
        pooled.add(name);
        for (String at = name; at != null && !ROOTS.contains(at); at = types.superName(at)) {
          raw.add(at);
        }
      }
    }
  }

  List<Closure> closures() {
    return closures;
  }

  /** Whether it is a library for tasks: then all is live. */
  boolean isLibrary() {
    return isLibrary;
  }

  /** Whether a method gets stop sites although no task reaches it. */
  boolean isPlain(MethodCode method) {
    return !method.isLive()
        && plain.contains(method.ownerName())
        && !method.method().methodName().equalsString("<clinit>");
  }

  /** Whether a class gets stop sites although no task reaches it. */
  boolean isPlain(String name) {
    return plain.contains(name);
  }

  /** Whether the fields of a class of the application are behind the barrier of plain threads. */
  boolean isPersistent(String name) {
    return persistent.contains(name);
  }

  /** Whether a persistent class gets a raw constructor, by which recovery makes instances. */
  boolean isRecoverable(String name) {
    if (!isPersistent(name)) {
      return false;
    }
    String above = types.superName(name);
    return above != null
        && (ROOTS.contains(above) || isRecoverable(above) || hasRawConstructor(above));
  }

  /** Whether the body of a method is an update of persistent objects. */
  boolean isUpdate(MethodModel method) {
    return method.findAttribute(Attributes.code()).isPresent()
        && MethodInfo.hasAnnotation(method, PersistentClasses.UPDATE);
  }

  boolean isDebug() {
    return debug;
  }

  boolean isLive(MethodId method) {
    return live.contains(method);
  }

  /** Whether a method may come to call itself; of a library, nobody knows better. */
  boolean isRecursive(MethodId method) {
    return isLibrary() ? isLive(method) : recursive.contains(method);
  }

  /** Whether a method has a clone for atomic calls. */
  boolean isAtomic(MethodId method) {
    return atomic.contains(method);
  }

  /** Whether any task has atomic methods, or might use these classes in some. */
  boolean hasAtomics() {
    return !atomic.isEmpty();
  }

  /** Whether a method is an atomic method of a task, with a guard in front. */
  boolean isGuarded(ClassModel owner, MethodModel method) {
    return method.findAttribute(Attributes.code()).isPresent()
        && !method.flags().has(AccessFlag.STATIC)
        && MethodInfo.hasAnnotation(method, Abi.ATOMIC)
        && types.isSubtype(TypeTable.name(owner), Abi.TASK);
  }

  ArrayPlacement fates() {
    return fates;
  }

  /** The methods with clones that have a name and a descriptor. */
  List<MethodId> atomicMethods(String name, String descriptor) {
    if (atomicByName.isEmpty()) {
      for (MethodId method : atomic) {
        atomicByName
            .computeIfAbsent(method.name() + method.descriptor(), key -> new ArrayList<>())
            .add(method);
      }
    }
    return atomicByName.getOrDefault(name + descriptor, List.of());
  }

  /** Whether instances of a class come from a pool: of this weaving, or of an earlier one. */
  boolean isPooled(String name) {
    if (pooled.contains(name)) {
      return true;
    }
    ClassModel model = types.find(name);
    return model != null && TypeTable.isWoven(model) && TypeTable.declares(model, Abi.NEW);
  }

  /**
   * Whether a class gets a raw constructor, and its constructors counterparts for raw instances.
   */
  boolean isRaw(String name) {
    return raw.contains(name);
  }

  /** Whether a class ends the chain of constructors that have counterparts. */
  static boolean isRoot(String name) {
    return ROOTS.contains(name);
  }

  /** Whether a class's instances are tracked for debugging, in place of coming from a pool. */
  boolean isTracked(String name) {
    return tracked.contains(name);
  }

  /** Whether the fields of a class are behind the barrier. */
  boolean isBarred(String name) {
    ClassModel model = types.find(name);
    if (model == null || isInterfaceOrEnum(model)) {
      return false;
    }
    return types.isWeavable(name)
        ? barred.contains(name) || persistent.contains(name)
        : TypeTable.isWoven(model) && TypeTable.declares(model, Abi.PUSH);
  }

  ArrayGuards guards() {
    return guards;
  }

  /** What is known about a method's code; null if it has none. */
  @Nullable MethodCode code(ClassModel owner, MethodModel method) {
    return codes.computeIfAbsent(method, m -> Optional.ofNullable(read(owner, m))).orElse(null);
  }

  private @Nullable MethodCode read(ClassModel owner, MethodModel method) {
    try {
      return MethodCode.of(owner, method, this);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw WeavingException.damaged(TypeTable.name(owner), e);
    }
  }

  /** Whether this weaving changes a class. */
  boolean changes(ClassModel model) {
    String name = TypeTable.name(model);
    if (isBarred(name) || isRaw(name)) {
      return true;
    }
    return model.methods().stream()
        .anyMatch(
            method ->
                isLive(id(model, method))
                    || isAtomic(id(model, method))
                    || isUpdate(method)
                    || storesPersistent(model, method));
  }

  /** Whether a method stores into a persistent object, wherever it is declared. */
  private boolean storesPersistent(ClassModel owner, MethodModel method) {
    MethodCode code = persistent.isEmpty() ? null : code(owner, method);
    if (code != null) {
      for (Instruction element : code.flow().instructions()) {
        if (element instanceof FieldInstruction store && store.opcode() == Opcode.PUTFIELD) {
          TypeTable.Declared declared =
              types.field(
                  store.owner().asInternalName(),
                  store.name().stringValue(),
                  store.type().stringValue());
          if (declared != null && isPersistent(TypeTable.name(declared.owner()))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  static MethodId id(ClassModel owner, MethodModel method) {
    return new MethodId(
        TypeTable.name(owner),
        method.methodName().stringValue(),
        method.methodType().stringValue());
  }

  /** A library has no tasks: all that it can do may be done in one, but what plain threads do. */
  private void takeAll(Set<String> application) {
    for (String name : application) {
      ClassModel model = persistent.contains(name) ? null : types.find(name);
      if (model == null) {
        continue;
      }
      for (MethodModel method : model.methods()) {
        if (method.methodName().equalsString("<clinit>") || isUpdate(method)) {
          continue;
        }
        live.add(id(model, method));
        atomic.add(id(model, method));
        method.findAttribute(Attributes.code()).ifPresent(code -> takeInstantiated(method, code));
      }
    }
  }

  private void addBarred(Set<String> application) {
    for (String name : application) {
      if (types.isStable(name) && !types.isInterface(name)) {
        for (String at = name; at != null && types.isWeavable(at); at = types.superName(at)) {
          barred.add(at);
        }
      }
    }
  }

  private void requirePlain() {
    for (String name : persistent) {
      String why =
          barred.contains(name)
              ? "is a superclass of stable and of persistent classes"
              : instantiated.contains(name) && !isLibrary
                  ? "is persistent, and releases make instances of it"
                  : null;
      if (why != null) {
        throw new WeavingException(
            String.format(
                "%s cannot be woven: it %s; give plain threads and tasks classes of their own",
                name.replace('/', '.'), why));
      }
    }
  }

  /** An atomic method has a clone whoever calls it. */
  private void addGuarded(Set<String> application) {
    for (String name : application) {
      ClassModel model = types.isSubtype(name, Abi.TASK) ? types.find(name) : null;
      if (model != null) {
        model.methods().stream()
            .filter(each -> isGuarded(model, each))
            .forEach(each -> atomic.add(id(model, each)));
      }
    }
  }

  /** What a method with a clone overrides has one too, so that calls of it find it. */
  private void addOverridden() {
    for (MethodId method : List.copyOf(atomic)) {
      if (!method.name().startsWith("<")) {
        addOverridden(method.owner(), method);
      }
    }
  }

  private void addOverridden(String owner, MethodId method) {
    ClassModel model = types.find(owner);
    if (model == null) {
      return;
    }
    List<String> above = new ArrayList<>();
    String parent = TypeTable.superName(model);
    if (parent != null) {
      above.add(parent);
    }
    model.interfaces().forEach(entry -> above.add(entry.asInternalName()));
    for (String name : above) {
      ClassModel candidate = types.isWeavable(name) ? types.find(name) : null;
      MethodModel overridden =
          candidate == null
              ? null
              : TypeTable.method(candidate, method.name(), method.descriptor());
      if (overridden != null
          && !overridden.flags().has(AccessFlag.STATIC)
          && !overridden.flags().has(AccessFlag.PRIVATE)) {
        atomic.add(new MethodId(name, method.name(), method.descriptor()));
      }
      addOverridden(name, method);
    }
  }

  /** Looks at the code of a method. */
  ControlFlow flow(MethodModel method, CodeAttribute code) {
    return helpers.flowOf(method, code);
  }

  private void takeInstantiated(MethodModel method, CodeAttribute code) {
    ControlFlow flow = flow(method, code);
    for (int i = 0; i < flow.instructions().size(); i++) {
      if (flow.instructions().get(i) instanceof NewObjectInstruction made && !flow.isAbort(i)) {
        instantiated.add(made.className().asInternalName());
      }
    }
  }

  private static boolean isInterfaceOrEnum(ClassModel model) {
    return model.flags().has(AccessFlag.INTERFACE) || model.flags().has(AccessFlag.ENUM);
  }

  private boolean isPoolable(String name) {
    ClassModel model = types.find(name);
    if (model == null
        || !types.isWeavable(name)
        || isInterfaceOrEnum(model)
        || model.flags().has(AccessFlag.ABSTRACT)) {
      return false;
    }
    for (String at = name; at != null; at = types.superName(at)) {
      if (ROOTS.contains(at)) {
        return true;
      }
      if (!types.isWeavable(at) && !hasRawConstructor(at)) {
        return false;
      }
    }
    return false;
  }

  private boolean hasRawConstructor(String name) {
    ClassModel model = types.find(name);
    return model != null
        && TypeTable.isWoven(model)
        && TypeTable.method(model, "<init>", Abi.MTD_RAW.descriptorString()) != null;
  }
}
