package dev.takt.safety.rules;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.StableArrays;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Value;
import dev.takt.safety.reach.RapidTypeAnalysis;
import dev.takt.safety.reach.ReachedMethod;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that no rollback undoes: those that all tasks share, in objects and arrays that static
 * fields and enum constants refer to, and those in objects that are not stable and that a final
 * field of a stable one refers to. Live code may read them, and not write them (R15).
 *
 * <p>Values that come from such fields are followed through variables, calls, results, captures and
 * fields, for all live code of a task at once: a parameter or field that once gets such a value is
 * taken to have one always. Where a value goes into an array, a collection or a lambda, or comes
 * out of what a lambda runs, it is lost of sight; from then on all that is taken out of such
 * places, and whose type fits, is taken to be it. The JDK's methods are followed as far as they are
 * given such values; what they do with constants of their own is trusted. What a method that is not
 * followed does is in {@link WriteEffects}.
 */
final class SharedRules {
  /** Types that tell nothing of what a value is. */
  private static final Set<String> VAGUE = Set.of(Value.OBJECT, "Ljava/lang/Throwable;");

  private static final Set<String> ABOVE_ARRAYS =
      Set.of(Value.OBJECT, "Ljava/lang/Cloneable;", "Ljava/io/Serializable;");

  private static final String ENUM = Mutability.ENUM;
  private static final String NOT_UNDONE = "Ldev/takt/reflex/NotUndone;";

  private static final String BY_WAY_OF = "which all tasks share by way of ";

  private final ClassWorld world;
  private final FindingCollector report;
  private final Mutability mutability;

  SharedRules(ClassWorld world, FindingCollector report) {
    this.world = world;
    this.report = report;
    this.mutability = new Mutability(world);
  }

  /** Checks a task. */
  void check(RapidTypeAnalysis reach) {
    for (ReachedMethod visit : reach.visits.values()) {
      if (visit.method.owner.isUser()
          && visit.method.code().ops().stream().anyMatch(this::begins)) {
        new Analysis(reach).run();
        return;
      }
    }
  }

  /**
   * Returns whether shared numbers come in here: most tasks have none, and need not be followed.
   */
  private boolean begins(Op op) {
    return switch (op) {
      case Op.StaticField field -> !field.write() && holdsNumbers(field.owner(), field);
      case Op.Field field ->
          isEnum(field.owner())
              || isKept(field.owner(), field.name()) && mutability.isMutable(field.descriptor());
      default -> false;
    };
  }

  private boolean holdsNumbers(String owner, Op.StaticField field) {
    ClassInfo info = world.info(owner);
    return info != null
        && info.origin != ClassInfo.Origin.TAKT
        && mutability.isMutable(field.descriptor());
  }

  private boolean isKept(String owner, String field) {
    ClassInfo declaring = world.declaring(owner, field);
    return declaring != null && isKept(declaring, field);
  }

  private boolean isEnum(String owner) {
    ClassInfo info = world.info(owner);
    return info != null && info.isUser() && info.is(ENUM);
  }

  private static String nameOf(String descriptor) {
    return ClassNames.inDescriptor(descriptor);
  }

  /** Returns whether a stable object keeps something for good that is not undone. */
  private boolean isKept(ClassInfo declaring, String field) {
    FieldModel model = declaring.fields.get(field);
    if (model == null || !declaring.isUser() || !declaring.is(ClassWorld.STABLE)) {
      return false;
    }
    int flags = model.flags().flagsMask();
    return (flags & ClassFile.ACC_FINAL) != 0
        && (flags & ClassFile.ACC_STATIC) == 0
        && model.fieldType().stringValue().startsWith("L")
        && world.immutability().isImmutable(model.fieldType().stringValue()) // else R8 refuses it
        && !MethodInfo.hasAnnotation(model, NOT_UNDONE);
  }

  /** Follows the values of one task; runs its methods again until nothing new is learnt. */
  private final class Analysis {
    private final RapidTypeAnalysis reach;
    private final Map<String, List<MethodInfo>> live = new HashMap<>();

    /** What methods may get, by argument; the receiver is the first. */
    private final Map<MethodInfo, Map<Integer, Value>> given = new HashMap<>();

    private final Map<MethodInfo, Value> returned = new HashMap<>();

    /** Fields of objects that are not shared themselves, and what they refer to that is. */
    private final Map<String, Value> fields = new HashMap<>();

    /** Types of what was lost of sight, and whence it came. */
    private final Map<String, String> lost = new LinkedHashMap<>();

    /** Types of all that is shared, as the fields say that refer to it. */
    private final Map<String, String> shared = new LinkedHashMap<>();

    /** The methods that lambdas run. */
    private final Set<MethodInfo> bodies = new HashSet<>();

    /** Whether the JDK has kept something shared in a field whose type shows what it is. */
    private boolean keptByJdk;

    private boolean changed;

    Analysis(RapidTypeAnalysis reach) {
      this.reach = reach;
      for (MethodInfo method : reach.visits.keySet()) {
        live.computeIfAbsent(method.selector, _ -> new ArrayList<>()).add(method);
      }
      for (RapidTypeAnalysis.Reference reference : reach.references) {
        bodies.addAll(resolved(reference.call()));
      }
    }

    private List<MethodInfo> resolved(Op.Call call) {
      ClassInfo owner = world.info(call.owner());
      MethodInfo method = owner == null ? null : owner.resolve(call.selector());
      return method == null ? List.of() : List.of(method);
    }

    void run() {
      do {
        changed = false;
        for (ReachedMethod visit : reach.visits.values()) {
          MethodInfo method = visit.method;
          if (method.owner.isUser() || keptByJdk || given.containsKey(method) || isBody(method)) {
            new Run(visit).run();
          }
        }
      } while (changed);
      reach.references.forEach(this::checkReference);
    }

    private boolean isBody(MethodInfo method) {
      return bodies.contains(method)
          || bodies.stream()
              .anyMatch(
                  body ->
                      body.selector.equals(method.selector) && method.owner.is(body.owner.name));
    }

    /** Returns the method that a call names, if nothing that it may run is followed. */
    private @Nullable MethodInfo notFollowed(MethodInfo caller, Op.Call call) {
      for (MethodInfo target : targets(call)) {
        if (reach.visits.containsKey(target) && !WriteEffects.isKnown(target)) {
          return null;
        }
      }
      List<MethodInfo> named = resolved(call);
      return named.isEmpty()
              || named.getFirst().isAbstract()
              || reach.refusals.refuses(caller, call, false)
          ? null
          : named.getFirst();
    }

    /** A method reference runs what is not followed on whatever was lost of sight. */
    private void checkReference(RapidTypeAnalysis.Reference reference) {
      Op.Call call = reference.call();
      MethodInfo unknown = notFollowed(reference.visit().method, call);
      if (unknown == null) {
        return;
      }
      List<Value> arguments = FlowRules.arguments(unknown);
      for (int i = 0; i < arguments.size(); i++) {
        String type = arguments.get(i).type();
        String origin = WriteEffects.mayWrite(unknown, i) ? originOf(lost, type) : null;
        if (origin != null && mutability.isMutable(type)) {
          refuse("a " + ClassNames.type(type), origin, reference.visit(), call.line());
        }
      }
    }

    private void refuse(String what, @Nullable String origin, ReachedMethod visit, int line) {
      report.error(
          Rule.R15,
          visit,
          line,
          reach.task.name,
          "writes %s, %s: no rollback undoes it",
          what,
          origin);
    }

    /** Returns the live methods that a call may run. */
    private List<MethodInfo> targets(Op.Call call) {
      if (call.kind() != Op.CallKind.VIRTUAL) {
        return resolved(call);
      }
      return live.getOrDefault(call.selector(), List.of()).stream()
          .filter(each -> !each.isStatic() && !call.owner().startsWith("["))
          .filter(each -> runs(call.owner(), each))
          .toList();
    }

    /** Returns whether a call on something shared can run a method. */
    private boolean canRun(String type, MethodInfo method) {
      if (tellsLittle(type) && !shared.containsKey(type)) {
        return shared.keySet().stream()
            .anyMatch(each -> each.startsWith("L") && runs(nameOf(each), method));
      }
      return type.startsWith("L") && runs(nameOf(type), method);
    }

    private boolean runs(String owner, MethodInfo method) {
      return method.owner.is(owner)
          || world.isSubtype(owner, method.owner.name)
          || world.subtypes().of(owner).stream().anyMatch(type -> type.is(method.owner.name));
    }

    private void remember(Map<String, String> table, String key, @Nullable String origin) {
      changed |= table.putIfAbsent(key, String.valueOf(origin)) == null;
    }

    private <K> void join(Map<K, Value> table, K key, Value value) {
      Value bare = new Value(value.type(), Value.SHARED | Value.FOREIGN, value.name(), 0);
      Value known = table.get(key);
      Value joined = known == null ? bare : known.join(bare);
      changed |= !joined.equals(table.put(key, joined));
    }

    private @Nullable String originOf(Map<String, String> table, String descriptor) {
      for (Map.Entry<String, String> each : table.entrySet()) {
        if (fits(each.getKey(), descriptor) || fits(descriptor, each.getKey())) {
          return each.getValue();
        }
      }
      return null;
    }

    /** Returns whether a type is so general that what is shared is better told by its own type. */
    private boolean tellsLittle(String descriptor) {
      ClassInfo info = descriptor.startsWith("L") ? world.info(nameOf(descriptor)) : null;
      return VAGUE.contains(descriptor) || info != null && info.isJdk() && info.isInterface();
    }

    private boolean canBe(String descriptor, String general) {
      if (descriptor.startsWith("[")) {
        return ABOVE_ARRAYS.contains(general);
      }
      return fits(descriptor, general)
          || fits(general, descriptor)
          || world.subtypes().of(nameOf(descriptor)).stream()
              .anyMatch(type -> type.is(nameOf(general)));
    }

    private boolean fits(String descriptor, String into) {
      if (descriptor.equals(into) || into.equals(Value.OBJECT)) {
        return true;
      }
      return descriptor.startsWith("L")
          && into.startsWith("L")
          && world.isSubtype(nameOf(descriptor), nameOf(into));
    }

    /** One method, once. */
    private final class Run implements Interpreter.Listener, Interpreter.Source {
      private final ReachedMethod visit;
      private final MethodInfo method;
      private final StableArrays arrays = new StableArrays(world);

      /** Whether code that is not looked at may call it. */
      private final boolean isBody;

      private final boolean isCallback;

      Run(ReachedMethod visit) {
        this.visit = visit;
        this.method = visit.method;
        this.isBody = isBody(method);
        this.isCallback = isCallback();
      }

      void run() {
        List<Value> arguments = new ArrayList<>();
        Map<Integer, Value> known = given.getOrDefault(method, Map.of());
        for (Value argument : FlowRules.arguments(method)) {
          Value value = new Value(argument.type(), argument.marks(), null, 0);
          Value marked = known.get(arguments.size());
          boolean self = argument.has(Value.THIS);
          if (marked != null && mutability.isMutable(argument.type())) {
            value = marked;
          } else if (isCallback && self) {
            value = arrived(value, shared);
          } else if (isBody || isCallback) {
            value = arrived(value, lost);
          }
          arguments.add(value);
        }
        method.follow(arguments, this, this);
      }

      /** The JDK and Takt may call what overrides a method of theirs, on what they have kept. */
      private boolean isCallback() {
        for (String name : method.owner.supertypes()) {
          ClassInfo type = world.info(name);
          if (type != null && !type.isUser() && type.methods.containsKey(method.selector)) {
            return !method.isStatic() && !method.isConstructor();
          }
        }
        return false;
      }

      private Value arrived(Value value, Map<String, String> table) {
        String type = value.type();
        boolean telling =
            value.isReference() && !VAGUE.contains(type) && mutability.isMutable(type);
        String origin = telling ? originOf(table, type) : null;
        return origin == null ? value : mark(value, origin);
      }

      /** What has come by a way whose type tells nothing is what went in there. */
      private Value mark(Value value, Value known) {
        return mark(VAGUE.contains(value.type()) ? value.as(known.type()) : value, known.name());
      }

      /** A value that a static field, or a field of something shared, refers to. */
      private Value source(Value value, @Nullable String origin) {
        remember(shared, value.type(), origin);
        return mark(value, origin);
      }

      private Value mark(Value value, @Nullable String origin) {
        return new Value(
            value.type(), value.marks() | Value.SHARED | Value.FOREIGN, origin, value.sites());
      }

      @Override
      public Value field(String owner, String field, @Nullable Value object, Value read) {
        Value value = arrays.field(owner, field, object, read);
        if (!mutability.isMutable(value.type())) {
          return plain(value);
        }
        ClassInfo declaring = world.declaring(owner, field);
        if (declaring == null || declaring.origin == ClassInfo.Origin.TAKT) {
          return plain(value);
        }
        if (object == null) {
          String origin = BY_WAY_OF + "the static field " + declaring.displayName() + "." + field;
          return method.owner.isUser() && mayRead(owner, field, value.type())
              ? source(value, origin)
              : value;
        }
        if (isEnum(owner)) {
          return source(value, BY_WAY_OF + "the enum constants of " + declaring.displayName());
        }
        if (isKept(declaring, field)) {
          return source(
              value, "which is kept by the final field " + declaring.displayName() + "." + field);
        }
        if (value.has(Value.SHARED)) {
          return source(value, value.name());
        }
        Value known = fields.get(declaring.name + "." + field);
        return known == null ? value : mark(value, known);
      }

      /** Of what may not even be read, another finding tells. */
      private boolean mayRead(String owner, String field, String type) {
        Op.StaticField read = new Op.StaticField(false, owner, field, type, 0, false);
        return !reach.refusals.refuses(method, read);
      }

      private Value plain(Value value) {
        return new Value(value.type(), value.marks() & ~Value.SHARED, value.name(), value.sites());
      }

      @Override
      public Value result(Op.Call call, List<Value> arguments, Value value) {
        if (!mutability.isMutable(value.type())) {
          return value;
        }
        for (MethodInfo target : targets(call)) {
          Value known = returned.get(target);
          if (known != null) {
            return mark(value, known);
          }
        }
        return isInterface(call) ? arrived(value, lost) : value; // it may be a lambda's
      }

      private boolean isInterface(Op.Call call) {
        ClassInfo owner = world.info(call.owner());
        return owner != null && owner.isInterface();
      }

      /** What is shared stays what it is, and is not what its class cannot be. */
      @Override
      public Value cast(Value value, Value result) {
        if (!value.has(Value.SHARED) || tellsLittle(value.type())) {
          return other(result);
        }
        if (fits(value.type(), result.type())) {
          return other(result.as(value.type()));
        }
        return other(canBe(value.type(), result.type()) ? result : plain(result));
      }

      @Override
      public Value other(Value value) {
        if (value.has(Value.SHARED)) {
          return mutability.isMutable(value.type()) ? value : plain(value);
        }
        return arrived(value, lost);
      }

      @Override
      public void put(
          String owner, String field, String type, @Nullable Value object, Value value, int line) {
        ClassInfo declaring = world.declaring(owner, field);
        if (!value.has(Value.SHARED) || declaring == null || object == null) {
          return;
        }
        if (declaring.isJdk()) {
          lose(value);
          if (VAGUE.contains(type)) {
            return;
          }
          keptByJdk = true;
        }
        join(fields, declaring.name + "." + field, value);
      }

      @Override
      public void arrayStore(Value array, Value value, int line) {
        lose(value);
      }

      @Override
      public void thrown(Value value, int line) {
        lose(value);
      }

      @Override
      public void captured(List<Value> arguments, int line) {
        arguments.forEach(this::lose);
      }

      private void lose(Value value) {
        if (value.has(Value.SHARED) && tellsLittle(value.type())) {
          for (Map.Entry<String, String> each : Map.copyOf(shared).entrySet()) {
            if (canBe(each.getKey(), value.type())) {
              remember(lost, each.getKey(), each.getValue());
            }
          }
        } else if (value.has(Value.SHARED)) {
          remember(lost, value.type(), value.name());
        }
      }

      @Override
      public void returned(Value value, int line) {
        if (value.has(Value.SHARED)) {
          join(returned, method, value);
          if (isBody || isCallback) {
            lose(value);
          }
        }
      }

      @Override
      public void change(Value object, @Nullable String owner, @Nullable String field, int line) {
        if (owner != null && isEnum(owner)) {
          refuse(
              ClassNames.display(owner) + "." + field,
              BY_WAY_OF + "the enum constants of " + ClassNames.display(owner),
              line);
        } else if (object.has(Value.SHARED) && !ENUM.equals(owner)) { // its hash code, once
          String what =
              owner == null ? "an element of an array" : ClassNames.display(owner) + "." + field;
          refuse(what, object.name(), line);
        }
      }

      private void refuse(String what, @Nullable String origin, int line) {
        Analysis.this.refuse(what, origin, visit, line);
      }

      @Override
      public void call(Op.Call call, List<Value> arguments, int line) {
        if (arguments.stream().noneMatch(value -> value.has(Value.SHARED))) {
          return;
        }
        MethodInfo unknown = notFollowed(method, call);
        for (int i = 0; unknown != null && i < arguments.size(); i++) {
          Value value = arguments.get(i);
          if (value.has(Value.SHARED) && WriteEffects.mayWrite(unknown, i)) {
            refuse("a " + ClassNames.type(value.type()), value.name(), line);
          }
        }
        for (MethodInfo target : targets(call)) {
          if (!WriteEffects.isKnown(target)) {
            hand(target, arguments);
          }
        }
        if (isInterface(call)) {
          arguments.forEach(this::lose); // it may be a lambda
        }
      }

      private void hand(MethodInfo target, List<Value> arguments) {
        Map<Integer, Value> known = given.computeIfAbsent(target, _ -> new HashMap<>());
        for (int i = 0; i < arguments.size(); i++) {
          Value value = arguments.get(i);
          boolean receiver = i == 0 && !target.isStatic();
          if (value.has(Value.SHARED) && (!receiver || canRun(value.type(), target))) {
            Value before = known.get(i);
            int marks = value.marks() & (Value.SHARED | Value.FOREIGN);
            if (receiver) {
              marks |= Value.THIS;
            }
            Value after = new Value(value.type(), marks, value.name(), 0);
            after = before == null ? after : before.join(after);
            known.put(i, after);
            changed |= !after.equals(before);
          }
        }
      }
    }
  }
}
