package dev.takt.safety.rules;

import static dev.takt.safety.rules.FindingCollector.place;

import dev.takt.safety.Rule;
import dev.takt.safety.classes.ClassInfo;
import dev.takt.safety.classes.ClassNames;
import dev.takt.safety.classes.ClassWorld;
import dev.takt.safety.classes.JdkCollections;
import dev.takt.safety.classes.MethodInfo;
import dev.takt.safety.classes.PersistentClasses;
import dev.takt.safety.classes.TrustedMethods;
import dev.takt.safety.flow.Interpreter;
import dev.takt.safety.flow.Op;
import dev.takt.safety.flow.Value;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.FieldModel;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has to be so that the barrier of plain threads sees each change of a persistent object.
 * Fields are stored into by woven code alone; arrays and collections are private, made by the
 * class, never leave it, and change in updates only, since a store into an array or a call of a
 * collection has no barrier of its own.
 *
 * <p>They bear the numbers of the rules of stable classes that they are like.
 */
final class PersistentRules {
  private static final String FIELD = "Ldev/takt/persist/annotation/PersistentField;";

  private static final Set<String> WRITERS =
      Set.of("fill", "sort", "setAll", "parallelSort", "parallelSetAll", "parallelPrefix");

  /** The classes of the JDK of which, or of whose subclasses, there are objects that are stored. */
  private static final Set<String> STORED =
      Stream.of(
              "lang.Object lang.String lang.Number lang.Boolean lang.Byte lang.Short lang.Character",
              "lang.Integer lang.Long lang.Float lang.Double lang.Enum lang.Record",
              "math.BigInteger math.BigDecimal util.UUID util.Optional",
              "util.AbstractCollection util.AbstractMap",
              "time.Instant time.Duration time.Period time.LocalDate time.LocalTime",
              "time.LocalDateTime time.OffsetTime time.OffsetDateTime time.ZonedDateTime time.Year",
              "time.YearMonth time.MonthDay time.ZoneOffset time.ZoneId")
          .flatMap(line -> Stream.of(line.split(" ")))
          .map(name -> "java/" + name.replace('.', '/'))
          .collect(Collectors.toUnmodifiableSet());

  private final ClassWorld world;
  private final FindingCollector report;

  /** The nests in which an array or collection of a persistent object can be seen. */
  private final Set<String> nests = new HashSet<>();

  PersistentRules(ClassWorld world, FindingCollector report) {
    this.world = world;
    this.report = report;
    for (String name : world.persistent().application()) {
      ClassInfo type = world.info(name);
      if (type != null) {
        nests.add(PersistentClasses.nestHost(type));
      }
    }
  }

  /** Checks a class of the application. */
  void check(ClassInfo type) {
    for (MethodInfo method : type.methods.values()) {
      if (method.has(PersistentClasses.UPDATE) && (method.isAbstract() || method.isNative())) {
        report.error(
            Rule.R29,
            place(method, 0),
            null,
            "%s cannot be an update, since it has no code here; annotate the methods that implement"
                + " it",
            method);
      }
    }
    if (world.persistent().application().contains(type.name)) {
      checkSuperclass(type);
      for (FieldModel field : type.fields.values()) {
        checkField(type, field);
      }
    }
    if (nests.contains(PersistentClasses.nestHost(type))) {
      for (MethodInfo method : type.methods.values()) {
        Visitor visitor = new Visitor(method);
        method.follow(FlowRules.arguments(method), new Kept(), visitor);
        visitor.finish();
      }
    }
  }

  /** Instances are made by recovery without running a constructor of the class. */
  private void checkSuperclass(ClassInfo type) {
    String above = type.superName;
    if (above != null && !above.equals("java/lang/Object") && !world.persistent().contains(above)) {
      report.error(
          Rule.R9,
          place(type, null),
          null,
          "the persistent class %s extends %s, which is not woven, so its instances can be neither"
              + " guarded nor recovered; extend a persistent class, or have an instance in a field",
          type,
          ClassNames.display(above));
    }
  }

  private static boolean isStored(ClassInfo type, FieldModel field) {
    int leftOut = ClassFile.ACC_STATIC | ClassFile.ACC_TRANSIENT;
    return (field.flags().flagsMask() & leftOut) == 0
        && (MethodInfo.hasAnnotation(field, FIELD)
            || type.fields.values().stream()
                .noneMatch(each -> MethodInfo.hasAnnotation(each, FIELD)));
  }

  private void checkField(ClassInfo type, FieldModel field) {
    if (!isStored(type, field)) {
      return;
    }
    int flags = field.flags().flagsMask();
    String descriptor = field.fieldType().stringValue();
    boolean isFinal = (flags & ClassFile.ACC_FINAL) != 0;
    if ((flags & ClassFile.ACC_SYNTHETIC) != 0) {
      report(
          Rule.R21,
          type,
          field,
          "keeps what the inner class has captured, which is not stored; make the class static");
    } else if (descriptor.startsWith("[[")) {
      report(
          Rule.R11, type, field, "is an array of arrays; make a persistent class of each of these");
    } else if (descriptor.startsWith("[") && (flags & ClassFile.ACC_PRIVATE) == 0) {
      report(Rule.R11, type, field, "is an array that others can change; make it private");
    } else if (JdkCollections.isType(descriptor)) {
      if ((flags & ClassFile.ACC_PRIVATE) == 0) {
        report(Rule.R11, type, field, "is a collection that others can change; make it private");
      }
    } else if (!isFinal && (flags & ClassFile.ACC_PUBLIC) != 0) {
      report(
          Rule.R16,
          type,
          field,
          "can be changed by code that is not woven; make it private and give it an update method");
    } else if (descriptor.endsWith(";")
        && world.isSubtype(
            ClassNames.inDescriptor(descriptor.replace("[", "")), ClassWorld.STABLE)) {
      report(
          Rule.R8,
          type,
          field,
          "refers to a stable object, which a task has to itself; make it a persistent class");
    } else if (descriptor.endsWith(";")) {
      checkType(type, field, descriptor, isFinal && !descriptor.startsWith("["));
    }
  }

  /** Refuses a field none of whose objects could be stored: a cycle would fail at the first one. */
  private void checkType(ClassInfo type, FieldModel field, String descriptor, boolean isFinal) {
    String name = ClassNames.inDescriptor(descriptor.replace("[", ""));
    ClassInfo found = world.info(name);
    if (found == null || !neverHasStored(found)) {
      return;
    }
    if (isFinal && !holdsOthers(found)) {
      checkConstructor(type, field, name);
      return;
    }
    String remedy =
        found.isJdk()
            ? "use an array, persistent objects, a record, an ArrayList or another of the"
                + " collections that are stored, or a List that List.copyOf gives"
            : found.isInterface()
                ? "annotate it, or one of its classes, with @Persistent, or make that a record"
                : "annotate " + ClassNames.display(name) + " with @Persistent, or make it a record";
    report(
        Rule.R8,
        type,
        field,
        "is of %s, whose objects cannot be stored; %s".formatted(ClassNames.display(name), remedy));
  }

  /** What is in such a field is left to the constructor, so there has to be one. */
  private void checkConstructor(ClassInfo type, FieldModel field, String of) {
    boolean isMade =
        type.isAbstract()
            || type.methods.values().stream()
                .anyMatch(each -> each.isConstructor() && each.descriptor.equals("()V"));
    if (!isMade) {
      report(
          Rule.R8,
          type,
          field,
          "is of %s, whose objects are not stored, and it would be null when it is recovered; give"
                  .formatted(ClassNames.display(of))
              + " the class a constructor without parameters, which recovery calls");
    }
  }

  /** Whether no object of a type is stored: neither its own nor those of subclasses. */
  private boolean neverHasStored(ClassInfo type) {
    if (type.isInterface()) {
      return neverIsStored(type);
    }
    if (type.is("java/lang/Enum") || type.is("java/lang/Record")) {
      return false;
    }
    return type.isJdk()
        ? !STORED.contains(type.name)
        : type.origin == ClassInfo.Origin.APPLICATION && !world.persistent().contains(type.name);
  }

  /**
   * Whether all classes of an interface are known, and none of them is stored. A public one that is
   * not sealed may have others elsewhere.
   */
  private boolean neverIsStored(ClassInfo type) {
    boolean isSealed = type.model.findAttribute(Attributes.permittedSubclasses()).isPresent();
    if (type.origin != ClassInfo.Origin.APPLICATION
        || !isSealed && type.model.flags().has(AccessFlag.PUBLIC)) {
      return false;
    }
    List<ClassInfo> classes =
        world.subtypes().of(type.name).stream().filter(each -> !each.isInterface()).toList();
    return !classes.isEmpty() && classes.stream().allMatch(this::neverHasStored);
  }

  /** Other things in final fields are the constructor's; what a collection has is not. */
  private static boolean holdsOthers(ClassInfo type) {
    return type.is("java/util/Collection") || type.is("java/util/Map");
  }

  private void report(Rule rule, ClassInfo type, FieldModel field, String problem) {
    String name = field.fieldName().stringValue();
    report.error(
        rule,
        place(type, name),
        null,
        "the field %s.%s of the persistent class %s; or leave the field out (transient)",
        type,
        name,
        problem);
  }

  private boolean isGuarded(String owner, String name, String type) {
    boolean isKept = type.startsWith("[") || JdkCollections.isType(type);
    ClassInfo declaring = isKept ? world.declaring(owner, name) : null;
    FieldModel field = declaring == null ? null : declaring.fields.get(name);
    return declaring != null
        && field != null
        && world.persistent().contains(declaring.name)
        && isStored(declaring, field);
  }

  /** Marks the arrays and collections of persistent objects where they are read. */
  private final class Kept implements Interpreter.Source {
    @Override
    public Value field(String owner, String field, @Nullable Value object, Value value) {
      if (object == null || !isGuarded(owner, field, value.type())) {
        return value;
      }
      int marks = value.marks() | (object.isThis() ? Value.KEPT_BY_THIS : Value.KEPT);
      return new Value(
          value.type(), marks | tracked(value.type()), ClassNames.display(owner) + "." + field, 0);
    }

    @Override
    public int tracked(String descriptor) {
      return JdkCollections.isType(descriptor) ? Value.COLLECTION : 0;
    }

    /** What leads into a collection is marked as that is. */
    @Override
    public Value result(Op.Call call, List<Value> arguments, Value value) {
      Value from = arguments.isEmpty() ? Value.NULL : arguments.getFirst();
      if (call.kind() == Op.CallKind.STATIC || !from.has(Value.COLLECTION | Value.VIEW)) {
        return value;
      }
      int entries = from.marks() & Value.ENTRIES;
      if (call.name().equals("entrySet")) {
        entries = Value.ENTRIES;
      } else if (JdkCollections.givesNext(call.name()) && entries != 0) {
        entries = 0;
      } else if (!JdkCollections.givesView(call.name())) {
        return value;
      }
      int marks = value.marks() | Value.VIEW | entries | from.marks() & Visitor.GUARDED;
      return new Value(value.type(), marks, from.name(), from.sites());
    }

    @Override
    public Value cast(Value value, Value result) {
      return result;
    }

    /** An element of such an array is an object, and no array. */
    @Override
    public Value other(Value value) {
      int marks = value.marks() & ~(Value.KEPT | Value.KEPT_BY_THIS);
      return new Value(value.type(), marks, value.name(), value.sites());
    }
  }

  /** Listens to what one method does. */
  private final class Visitor implements Interpreter.Listener {
    private static final int GUARDED = Value.KEPT | Value.KEPT_BY_THIS;

    private final MethodInfo method;
    private final boolean isUpdate;

    /** The arrays and collections made here that a persistent object keeps. */
    private long keptSites;

    private final List<LocalFinding> leaks = new ArrayList<>();
    private final List<Long> leakSites = new ArrayList<>();

    Visitor(MethodInfo method) {
      this.method = method;
      isUpdate = method.has(PersistentClasses.UPDATE);
    }

    private void add(LocalFinding problem) {
      report.add(problem, place(method, problem.line()), null);
    }

    private void finish() {
      for (int i = 0; i < leaks.size(); i++) {
        if ((leakSites.get(i) & keptSites) != 0) {
          add(leaks.get(i));
        }
      }
    }

    @Override
    public void put(
        String owner, String field, String type, @Nullable Value object, Value value, int line) {
      if (object == null || !isGuarded(owner, field, type)) {
        leave(value, "is stored in the field " + ClassNames.display(owner) + "." + field, line);
        return;
      }
      keptSites |= value.sites();
      String where = ClassNames.display(owner) + "." + field;
      boolean isOwn = object.isThis() && value.has(Value.KEPT_BY_THIS) && !value.has(Value.KEPT);
      if (value.has(Value.FOREIGN) && !isOwn) {
        add(
            LocalFinding.error(
                Rule.R11,
                line,
                "the field %s gets %s that the method has not made itself, and others can"
                    + " change; give it a copy",
                where,
                type.startsWith("[") ? "an array" : "a collection"));
      }
      if (!isUpdate && !(method.isConstructor() && object.isThis())) {
        String what = type.startsWith("[") ? "array" : "collection";
        add(outside("the field " + where + " gets another " + what, line));
      }
    }

    @Override
    public void arrayStore(Value array, Value value, int line) {
      leave(value, "is stored in an array", line);
      changed(array, line);
    }

    @Override
    public void change(Value object, @Nullable String owner, @Nullable String field, int line) {
      if (owner == null) {
        changed(object, line);
      }
    }

    private void changed(Value kept, int line) {
      boolean isFresh =
          method.isConstructor() && kept.has(Value.KEPT_BY_THIS) && !kept.has(Value.KEPT);
      if (kept.has(GUARDED) && !isUpdate && !isFresh) {
        add(outside(noun(kept) + " " + kept.name() + " is changed", line));
      }
    }

    private static String noun(Value kept) {
      return kept.has(Value.VIEW)
          ? "what leads into the collection"
          : kept.has(Value.COLLECTION) ? "the collection" : "the array";
    }

    private LocalFinding outside(String what, int line) {
      return LocalFinding.error(
          Rule.R29,
          line,
          "%s outside of an update; annotate the method with PersistentUpdate",
          what);
    }

    @Override
    public void returned(Value value, int line) {
      leave(value, "is returned", line);
    }

    @Override
    public void captured(List<Value> arguments, int line) {
      arguments.forEach(each -> leave(each, "is captured in a lambda", line));
    }

    @Override
    public void call(Op.Call call, List<Value> arguments, int line) {
      boolean onlyReads = TrustedMethods.onlyReadsOrWritesArrays(call);
      for (int i = 0; i < arguments.size(); i++) {
        if (arguments.get(i).has(Value.COLLECTION | Value.VIEW)) {
          use(call, arguments, i, line);
        } else if (!onlyReads) {
          leave(arguments.get(i), "is passed to " + ClassNames.of(call), line);
        }
      }
      if (!onlyReads) {
        return;
      }
      boolean copies = call.owner().equals("java/lang/System");
      boolean writes = call.owner().equals("java/util/Arrays") && WRITERS.contains(call.name());
      if (copies && arguments.size() > 2 || writes) {
        changed(arguments.get(copies ? 2 : 0), line);
      }
    }

    /** A collection, or what leads into one, is called or handed over. */
    private void use(Op.Call call, List<Value> arguments, int at, int line) {
      Value used = arguments.get(at);
      Value first = arguments.getFirst();
      boolean ofEntries = used.has(Value.ENTRIES);
      boolean hasReceiver = call.kind() != Op.CallKind.STATIC;
      boolean isReceiver = at == 0 && hasReceiver;
      if (isReceiver && call.name().equals("<init>")) {
        made(call, used, line);
      } else if (isReceiver && JdkCollections.mayBeCalled(call, ofEntries)) {
        if (JdkCollections.changes(call.owner(), call.name())) {
          changed(used, line);
        }
      } else if (ofEntries
          || isReceiver
          || !JdkCollections.onlyReads(call)
              && !(hasReceiver
                  && first.has(Value.COLLECTION | Value.VIEW)
                  && JdkCollections.readsOther(call.name()))) {
        leave(used, "is passed to " + ClassNames.of(call), line);
      }
    }

    /** Refuses what does not come back as it was. */
    private void made(Op.Call constructor, Value collection, int line) {
      if (constructor.descriptor().contains("Ljava/util/Comparator;")) {
        leak(
            collection,
            LocalFinding.error(
                Rule.R8,
                line,
                "the collection %s has a comparator, which is not stored; use the natural order of"
                    + " its elements, or of keys made for that",
                nameOf(collection)));
      } else if (constructor.owner().equals("java/util/LinkedHashMap")
          && constructor.descriptor().equals("(IFZ)V")) {
        leak(
            collection,
            LocalFinding.error(
                Rule.R29,
                line,
                "the collection %s can be in the order of access, so reading would change it; use"
                    + " a LinkedHashMap in the order of insertion",
                nameOf(collection)));
      }
    }

    private static String nameOf(Value value) {
      return value.name() == null ? "of a persistent object" : value.name();
    }

    /** Something of a persistent object leaves it. */
    private void leave(Value value, String how, int line) {
      leak(
          value,
          LocalFinding.error(
              Rule.R11,
              line,
              "%s %s %s, where others can change it; use a copy",
              noun(value),
              nameOf(value),
              how));
    }

    /** Is wrong at once, or if what was made here turns out to be kept. */
    private void leak(Value value, LocalFinding leak) {
      if (value.has(GUARDED)) {
        add(leak);
      } else if (value.sites() != 0) {
        leaks.add(leak);
        leakSites.add(value.sites());
      }
    }
  }
}
