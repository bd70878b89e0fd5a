import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.TreeInfo;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints what each name in the Java files of a folder means to the compiler, one use a line: path, line (from 1) and
 * column (from 0) of the use, then those of what it means, with an empty path for what is not in the folder. The name
 * of a constructed class means the constructor, where one is written, and in another line the class. Names the compiler
 * knows no type of are left out: libraries that are missing cost those names only.
 */
public final class Uses extends TreePathScanner<Void, Void> {
  private static final List<String> OPTIONS =
      List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-nowarn", "-implicit:none");
  private final Path root;
  private final Trees trees;
  private final PrintStream out;
  private final Map<Element, String> places = new HashMap<>();
  private CompilationUnitTree unit;
  private Tree constructedName;
  private Element constructor;

  private Uses(Path root, Trees trees, PrintStream out) {
    this.root = root;
    this.trees = trees;
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]).toRealPath();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    List<String> options = new ArrayList<>(OPTIONS);
    if (arguments.length > 1) {
      options.addAll(List.of("-cp", arguments[1]));
    }
    JavacTask task =
        (JavacTask)
            compiler.getTask(null, files, error -> {}, options, null, files.getJavaFileObjectsFromFiles(sources(root)));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    Uses uses = new Uses(root, Trees.instance(task), out);
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    for (CompilationUnitTree each : units) {
      uses.unit = each;
      uses.scan(each, null);
    }
    out.flush();
  }

  private static List<File> sources(Path root) throws Exception {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.endsWith("module-info.java") && !path.endsWith("package-info.java"))
          .map(Path::toFile)
          .toList();
    }
  }

  @Override
  public Void visitNewClass(NewClassTree tree, Void nothing) {
    if (tree.getClassBody() == null) {
      Tree name = tree.getIdentifier();
      constructedName = name instanceof ParameterizedTypeTree generic ? generic.getType() : name;
      constructor = trees.getElement(getCurrentPath());
    }
    return super.visitNewClass(tree, nothing);
  }

  @Override
  public Void visitIdentifier(IdentifierTree tree, Void nothing) {
    use(tree, trees.getSourcePositions().getStartPosition(unit, tree));
    return super.visitIdentifier(tree, nothing);
  }

  @Override
  public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
    use(tree, end(tree) - tree.getIdentifier().length());
    return super.visitMemberSelect(tree, nothing);
  }

  @Override
  public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
    use(tree, end(tree) - tree.getName().length());
    return super.visitMemberReference(tree, nothing);
  }

  private long end(Tree tree) {
    return trees.getSourcePositions().getEndPosition(unit, tree);
  }

  private void use(Tree tree, long position) {
    Element meant = trees.getElement(getCurrentPath());
    if (meant == null || meant.asType().getKind() == TypeKind.ERROR || position < 0) {
      return;
    }
    String here = place(unit, position);
    String made = tree == constructedName ? place(constructor) : "";
    if (!made.isEmpty()) {
      out.println(here + "\t" + made);
    }
    String there = place(meant);
    out.println(here + "\t" + (there.isEmpty() ? "\t0\t0" : there));
  }

  /** Where an element is declared; empty for what is not in the folder, or not written out. */
  private String place(Element element) {
    return element == null ? "" : places.computeIfAbsent(element, this::declaration);
  }

  private String declaration(Element element) {
    TreePath path = trees.getPath(element);
    if (path == null) {
      return "";
    }
    CompilationUnitTree declaring = path.getCompilationUnit();
    int position = TreeInfo.diagnosticPositionFor((com.sun.tools.javac.code.Symbol) element, (JCTree) path.getLeaf())
        .getPreferredPosition();
    return position < 0 ? "" : place(declaring, named(declaring, position, element));
  }

  /** The position of a declaration's name: of a class the compiler says where its modifiers begin. */
  private static long named(CompilationUnitTree declaring, int position, Element element) {
    if (!element.getKind().isClass() && !element.getKind().isInterface()) {
      return position;
    }
    try {
      String text = declaring.getSourceFile().getCharContent(true).toString();
      int found = text.indexOf(" " + element.getSimpleName(), position);
      return found < 0 ? position : found + 1;
    } catch (java.io.IOException gone) {
      return position;
    }
  }

  private String place(CompilationUnitTree file, long position) {
    long line = file.getLineMap().getLineNumber(position);
    long column = position - file.getLineMap().getStartPosition(line);
    String path = root.relativize(Path.of(file.getSourceFile().toUri())).toString();
    return path.replace(File.separatorChar, '/') + "\t" + line + "\t" + column;
  }
}
