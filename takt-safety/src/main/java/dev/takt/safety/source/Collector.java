package dev.takt.safety.source;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.DeconstructionPatternTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** Reads the facts of a class, and of the classes in it, from its analyzed tree. */
final class Collector extends BodyScanner {
  private final Sources sources;
  private @Nullable ClassFacts currentClass;
  private @Nullable MethodFacts current;

  /** The static field whose initializer is being read. */
  private @Nullable VariableElement constant;

  Collector(Trees trees, Types types, Sources sources, CompilationUnitTree unit) {
    super(trees, types, unit);
    this.sources = sources;
  }

  private void add(Use use) {
    if (current != null) {
      (doomed ? current.doomed : current.uses).add(use);
    }
  }

  @Override
  public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
    if (!(trees.getElement(getCurrentPath()) instanceof TypeElement type)) {
      return null;
    }
    ClassFacts outerClass = currentClass;
    MethodFacts outer = current;
    ClassFacts facts = new ClassFacts(type, tree, spot(tree), isLocal(type));
    sources.add(facts);
    currentClass = facts;
    for (Tree member : tree.getMembers()) {
      current =
          member instanceof BlockTree block && block.isStatic()
                  || member instanceof VariableTree field
                      && field.getModifiers().getFlags().contains(Modifier.STATIC)
              ? facts.staticInitializer
              : facts.initializer;
      if (member instanceof BlockTree && current != null) {
        inDepth(current, member);
      }
      scan(member, null);
    }
    currentClass = outerClass;
    current = outer;
    return null;
  }

  private static boolean isLocal(TypeElement type) {
    return type.getNestingKind() == NestingKind.LOCAL
        || type.getNestingKind() == NestingKind.ANONYMOUS;
  }

  @Override
  public @Nullable Void visitMethod(MethodTree tree, @Nullable Void unused) {
    if (currentClass != null
        && trees.getElement(getCurrentPath()) instanceof ExecutableElement method) {
      current = new MethodFacts(currentClass, method, spot(tree));
      currentClass.methods.add(current);
      scan(tree.getBody(), null);
      inDepth(current, tree.getBody());
    }
    return null;
  }

  @Override
  public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
    if (currentClass != null
        && trees.getElement(getCurrentPath()) instanceof VariableElement variable
        && variable.getKind() == ElementKind.FIELD
        && currentClass.type.equals(variable.getEnclosingElement())) {
      currentClass.fields.add(new ClassFacts.FieldFacts(variable, spot(tree)));
      if (current != null && tree.getInitializer() != null) {
        inDepth(current, tree.getInitializer());
        if (FlowScanner.isPrivateArray(variable) && !FlowScanner.isFresh(tree.getInitializer())) {
          add(new Use.ArraySet(spot(tree), variable, List.of()));
        }
      }
    }
    if (currentClass != null
        && current == currentClass.staticInitializer
        && trees.getElement(getCurrentPath()) instanceof VariableElement variable
        && variable.getKind().isField()) {
      constant = variable;
      constantArguments(currentClass, tree);
      if (tree.getInitializer() != null && isUnbound(tree.getInitializer())) {
        currentClass.constantFunctions.add(variable);
      }
      scan(tree.getInitializer(), null);
      constant = null;
      return null;
    }
    return scan(tree.getInitializer(), null);
  }

  private void constantArguments(ClassFacts facts, VariableTree tree) {
    if (tree.getInitializer() instanceof NewClassTree made) {
      TreePath path = new TreePath(getCurrentPath(), made);
      for (ExpressionTree each : made.getArguments()) {
        TypeMirror type = trees.getTypeMirror(new TreePath(path, each));
        if (type != null && !isFunction(each)) {
          facts.constantArguments.add(type);
        }
      }
    }
  }

  /** In a static initializer a lambda captures nothing; a method reference may. */
  private boolean isUnbound(ExpressionTree tree) {
    ExpressionTree bare = withoutParentheses(tree);
    return bare instanceof LambdaExpressionTree
        || bare instanceof MemberReferenceTree reference
            && elementOf(reference.getQualifierExpression()) instanceof TypeElement;
  }

  private static boolean isFunction(ExpressionTree tree) {
    return withoutParentheses(tree) instanceof LambdaExpressionTree
        || withoutParentheses(tree) instanceof MemberReferenceTree;
  }

  /** A function that a constant holds runs when a task calls it, not when the class is made. */
  @Override
  public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, @Nullable Void unused) {
    MethodFacts outer = current;
    current = functionOf(tree);
    super.visitLambdaExpression(tree, null);
    current = outer;
    return null;
  }

  private @Nullable MethodFacts functionOf(Tree tree) {
    if (constant == null || currentClass == null || current != currentClass.staticInitializer) {
      return current;
    }
    ClassFacts facts = currentClass;
    return facts.functions.computeIfAbsent(
        constant, each -> new MethodFacts(facts, null, spot(tree)));
  }

  /** Lets the specialists look at a body. */
  private void inDepth(MethodFacts method, @Nullable Tree body) {
    if (body != null) {
      TreePath path = new TreePath(getCurrentPath(), body);
      new ControlScanner(trees, types, unit, method).scan(path, null);
      new ConversionScanner(trees, types, unit, method).scan(path, null);
      new AllocationScanner(trees, types, unit, method).scan(path, null);
      new FlowScanner(trees, types, unit, method).scanBody(path);
      new CapsuleScanner(trees, types, unit, method).scan(path, null);
    }
  }

  @Override
  void scanDoomed(List<? extends StatementTree> statements) {
    doomed = true;
    scan(statements, null);
    doomed = false;
  }

  @Override
  public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void unused) {
    TypeMirror type = trees.getTypeMirror(getCurrentPath());
    if (tree.getKind() == Tree.Kind.PLUS && isString(type)) {
      addText(tree.getLeftOperand());
      addText(tree.getRightOperand());
    }
    return super.visitBinary(tree, null);
  }

  /** A concatenation asks an object for its text. */
  private void addText(ExpressionTree operand) {
    TypeMirror type = typeOf(operand);
    if (type != null && type.getKind() == TypeKind.DECLARED && !isString(type)) {
      add(new Use.Text(spot(operand), type));
    }
  }

  /** A record pattern calls the accessors. */
  @Override
  public @Nullable Void visitDeconstructionPattern(
      DeconstructionPatternTree tree, @Nullable Void unused) {
    TypeMirror type = typeOf(tree.getDeconstructor());
    TypeElement element = Kinds.elementOf(type);
    if (type != null && element != null) {
      add(new Use.Cast(spot(tree), type));
      for (RecordComponentElement each : element.getRecordComponents()) {
        add(new Use.Call(spot(tree), each.getAccessor(), type, false, List.of(), handlers()));
      }
    }
    return super.visitDeconstructionPattern(tree, null);
  }

  @Override
  public @Nullable Void visitTypeCast(TypeCastTree tree, @Nullable Void unused) {
    addCast(tree, tree.getType());
    return super.visitTypeCast(tree, null);
  }

  @Override
  public @Nullable Void visitBindingPattern(BindingPatternTree tree, @Nullable Void unused) {
    addCast(tree, tree.getVariable());
    return super.visitBindingPattern(tree, null);
  }

  private void addCast(Tree tree, Tree typed) {
    TypeMirror type = typeOf(typed);
    if (type != null && type.getKind() == TypeKind.DECLARED) {
      add(new Use.Cast(spot(tree), type));
    }
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree tree, @Nullable Void unused) {
    ExpressionTree select = tree.getMethodSelect();
    if (elementOf(select) instanceof ExecutableElement method) {
      add(call(select, method, typesOf(tree.getArguments())));
    }
    return super.visitMethodInvocation(tree, null);
  }

  private Use.Call call(
      ExpressionTree select, ExecutableElement method, List<TypeMirror> arguments) {
    ExpressionTree on = select instanceof MemberSelectTree member ? member.getExpression() : null;
    boolean onThis = on == null || isNamed(on, "this") || isNamed(on, "super");
    TypeMirror receiver;
    if (method.getModifiers().contains(Modifier.STATIC)
        || method.getKind() == ElementKind.CONSTRUCTOR
        || on != null && isSuper(on)) {
      receiver = null;
    } else if (on == null || isNamed(on, "this")) {
      receiver = thisType(method);
    } else {
      receiver = typeOf(on);
    }
    return new Use.Call(spot(select), method, receiver, onThis, arguments, handlers());
  }

  /** The type of the object that a simple name is called on: this class, or one around it. */
  private @Nullable TypeMirror thisType(ExecutableElement method) {
    Element owner = method.getEnclosingElement();
    Element at = currentClass == null ? null : currentClass.type;
    while (owner != null && at != null) {
      if (at instanceof TypeElement type && isSubclass(type, owner)) {
        return type.asType();
      }
      at = at.getEnclosingElement();
    }
    return null;
  }

  private boolean isSubclass(TypeElement type, Element of) {
    return types.isSubtype(types.erasure(type.asType()), types.erasure(of.asType()));
  }

  private static boolean isSuper(ExpressionTree tree) {
    return isNamed(tree, "super")
        || tree instanceof MemberSelectTree member && member.getIdentifier().contentEquals("super");
  }

  private List<TypeMirror> typesOf(List<? extends ExpressionTree> expressions) {
    List<TypeMirror> types = new ArrayList<>();
    for (ExpressionTree each : expressions) {
      TypeMirror type = typeOf(each);
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }

  @Override
  public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void unused) {
    MethodFacts outer = current;
    current = functionOf(tree);
    if (elementOf(tree) instanceof ExecutableElement method) {
      if (method.getKind() == ElementKind.CONSTRUCTOR) {
        if (method.getEnclosingElement() instanceof TypeElement type) {
          add(new Use.New(spot(tree), type, method, List.of(), handlers()));
        }
      } else {
        TypeMirror receiver =
            method.getModifiers().contains(Modifier.STATIC)
                ? null
                : typeOf(tree.getQualifierExpression());
        add(new Use.Call(spot(tree), method, receiver, false, List.of(), handlers()));
      }
    }
    current = outer;
    return super.visitMemberReference(tree, null);
  }

  @Override
  public @Nullable Void visitNewClass(NewClassTree tree, @Nullable Void unused) {
    if (elementOf(tree) instanceof ExecutableElement constructor
        && constructor.getEnclosingElement() instanceof TypeElement type) {
      add(new Use.New(spot(tree), type, constructor, typesOf(tree.getArguments()), handlers()));
    }
    return super.visitNewClass(tree, null);
  }

  @Override
  public @Nullable Void visitAssignment(AssignmentTree tree, @Nullable Void unused) {
    write(tree.getVariable());
    scanTarget(tree.getVariable());
    return scan(tree.getExpression(), null);
  }

  @Override
  public @Nullable Void visitCompoundAssignment(
      CompoundAssignmentTree tree, @Nullable Void unused) {
    write(tree.getVariable());
    return super.visitCompoundAssignment(tree, null);
  }

  @Override
  public @Nullable Void visitUnary(UnaryTree tree, @Nullable Void unused) {
    switch (tree.getKind()) {
      case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT ->
          write(tree.getExpression());
      default -> {}
    }
    return super.visitUnary(tree, null);
  }

  private void write(ExpressionTree target) {
    ExpressionTree bare = withoutParentheses(target);
    if (elementOf(bare) instanceof VariableElement field && field.getKind() == ElementKind.FIELD) {
      add(new Use.Write(spot(bare), field, isOnThis(bare)));
    }
  }

  /** What stands to the left of an assignment is not read, but what it is selected from is. */
  private void scanTarget(ExpressionTree target) {
    ExpressionTree bare = withoutParentheses(target);
    if (bare instanceof MemberSelectTree select) {
      scan(select.getExpression(), null);
    } else if (!(bare instanceof IdentifierTree)) {
      scan(bare, null);
    }
  }

  @Override
  public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void unused) {
    read(tree);
    return null;
  }

  @Override
  public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void unused) {
    read(tree);
    return super.visitMemberSelect(tree, null);
  }

  private void read(ExpressionTree tree) {
    if (trees.getElement(getCurrentPath()) instanceof VariableElement field
        && (field.getKind() == ElementKind.FIELD || field.getKind() == ElementKind.ENUM_CONSTANT)
        && field.getEnclosingElement() instanceof TypeElement
        && !field.getSimpleName().contentEquals("class")) {
      add(new Use.Read(spot(tree), field, isOnThis(tree)));
    }
  }
}
