package dev.takt.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Loads classes a second time, with a call to {@link SharedAccess#before} in front of every access
 * to shared memory, and, if asked for, with a fault in them.
 *
 * <p>An access to shared memory is a call of a {@link java.lang.invoke.VarHandle} or of a class in
 * {@code java.util.concurrent.atomic}, a store into an array, or a store into a field. The hook can
 * hold a thread back at any of them, for a while or for good, and so try interleavings that would
 * hardly ever happen by themselves. The tested product needs no seam for this.
 *
 * <p><b>Thread rule:</b> as any class loader.
 */
public final class FaultLoader extends ClassLoader {
  /** A deliberate fault: rewrites one instruction of the loaded classes. */
  @FunctionalInterface
  public interface Fault {
    /**
     * Emits something else instead of an instruction.
     *
     * @param code where to emit
     * @param element the instruction
     * @param method the class and method it is in, as {@code Transaction.commit}
     * @return true if it emitted a replacement, false to keep the instruction
     */
    boolean replaces(CodeBuilder code, CodeElement element, String method);
  }

  private static final ClassDesc SHARED_ACCESS = ClassDesc.of("dev.takt.testkit.SharedAccess");
  private static final MethodTypeDesc BEFORE =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final Predicate<String> isOurs;
  private final boolean withHooks;
  private final Fault fault;
  private final List<String> sites = Collections.synchronizedList(new ArrayList<>());

  /**
   * Makes a loader.
   *
   * @param isOurs says by its name whether a class is loaded here; all others come from the usual
   *     loader
   * @param withHooks whether to call {@link SharedAccess#before}
   * @param fault the fault to put in, or null for none
   */
  public FaultLoader(Predicate<String> isOurs, boolean withHooks, Fault fault) {
    super(FaultLoader.class.getClassLoader());
    this.isOurs = isOurs;
    this.withHooks = withHooks;
    this.fault = fault;
  }

  /** Returns the places with a hook so far, as {@code Transaction.commit compareAndSet}. */
  public List<String> sites() {
    synchronized (sites) {
      return List.copyOf(sites);
    }
  }

  /**
   * Loads a class here and makes an instance with its public constructor without parameters.
   *
   * @throws IllegalArgumentException if there is no such class or constructor
   */
  public <T> T newInstance(String className, Class<T> type) {
    try {
      return type.cast(loadClass(className).getConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot make a " + className, e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isOurs.test(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] code = rewrite(name, read(name));
        loaded = defineClass(name, code, 0, code.length);
      }
      return loaded;
    }
  }

  private byte[] read(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] rewrite(String name, byte[] original) {
    ClassFile classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(getParent())
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    ClassModel model = classFile.parse(original);
    String simpleName = name.substring(name.lastIndexOf('.') + 1);
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            String place = simpleName + "." + method.methodName().stringValue();
            CodeTransform body = (code, instruction) -> emit(code, instruction, place);
            builder.transformMethod(
                method,
                (methodBuilder, part) -> {
                  if (part instanceof CodeModel code) {
                    methodBuilder.transformCode(code, body);
                  } else {
                    methodBuilder.with(part);
                  }
                });
          } else {
            builder.with(element);
          }
        };
    return classFile.transformClass(model, transform);
  }

  private void emit(CodeBuilder code, CodeElement element, String place) {
    String access = withHooks ? accessOf(element) : null;
    // A field of the object under construction cannot be shared yet, and a static initializer runs
    // once.
    if (access != null && !place.endsWith("init>")) {
      sites.add(place + " " + access);
      code.loadConstant(sites.size() - 1).invokestatic(SHARED_ACCESS, "before", BEFORE);
    }
    if (fault == null || !fault.replaces(code, element, place)) {
      code.with(element);
    }
  }

  /** Returns a name for an access to shared memory, or null if the instruction is none. */
  private static String accessOf(CodeElement element) {
    return switch (element) {
      case InvokeInstruction call when isShared(call.owner().asInternalName()) ->
          call.name().stringValue();
      case ArrayStoreInstruction store -> store.opcode().name();
      case FieldInstruction field when field.opcode().name().startsWith("PUT") ->
          "put " + field.name().stringValue();
      default -> null;
    };
  }

  private static boolean isShared(String owner) {
    return owner.equals("java/lang/invoke/VarHandle")
        || owner.startsWith("java/util/concurrent/atomic/");
  }

  /**
   * Returns a fault that replaces the result of calls: what is called still runs, but its answer, a
   * boolean, is overridden.
   *
   * @param call the name of the method called
   * @param result the answer instead
   * @param isCaller says by class and method, as {@code Transaction.commit}, where
   * @param places is counted up for each place, so that a test can see that there was one
   */
  public static Fault answering(
      String call, boolean result, Predicate<String> isCaller, AtomicInteger places) {
    return (code, element, method) -> {
      if (element instanceof InvokeInstruction invoke
          && invoke.name().equalsString(call)
          && invoke.typeSymbol().returnType().equals(ConstantDescs.CD_boolean)
          && isCaller.test(method)) {
        places.incrementAndGet();
        code.with(element).pop().loadConstant(result ? 1 : 0);
        return true;
      }
      return false;
    };
  }

  /**
   * Returns a fault that leaves calls out: their arguments are dropped, and a boolean or a number
   * is answered instead.
   *
   * @param call the name of the method called
   * @param result the answer instead, for a method that returns a boolean or an int
   * @param isCaller says by class and method, as {@code Transaction.commit}, where
   * @param places is counted up for each place, so that a test can see that there was one
   */
  public static Fault omitting(
      String call, int result, Predicate<String> isCaller, AtomicInteger places) {
    return (code, element, method) -> {
      if (element instanceof InvokeInstruction invoke
          && invoke.name().equalsString(call)
          && isCaller.test(method)) {
        places.incrementAndGet();
        drop(code, invoke);
        if (!invoke.typeSymbol().returnType().equals(ConstantDescs.CD_void)) {
          code.loadConstant(result);
        }
        return true;
      }
      return false;
    };
  }

  private static void drop(CodeBuilder code, InvokeInstruction invoke) {
    MethodTypeDesc type = invoke.typeSymbol();
    for (int i = type.parameterCount() - 1; i >= 0; i--) {
      if (TypeKind.from(type.parameterType(i)).slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    }
    if (invoke.opcode() != Opcode.INVOKESTATIC) {
      code.pop();
    }
  }
}
