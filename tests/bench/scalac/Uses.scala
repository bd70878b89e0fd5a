import scala.collection.mutable
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

/** Asks Scala's compiler (2.11) what the calls in some files mean.
  *
  *     scalac -d OUT Uses.scala
  *     scala -cp OUT:LIBRARIES Uses REPO $(find REPO/src/main -name '*.scala') > calls.tsv
  *
  * Prints the lines that `python -m tests.bench.traced` reads: a call's file and line, the name,
  * the file and line of what it means, and the type that is made, if one is. What does not compile
  * is left out, so that a repository without its libraries says what it can.
  */
object Uses {
  def main(args: Array[String]): Unit = {
    val root = new java.io.File(args.head).getCanonicalPath + "/"
    val settings = new Settings
    settings.usejavacp.value = true
    settings.stopAfter.value = List("typer")
    val reporter = new StoreReporter
    val compiler = new Global(settings, reporter)
    import compiler._
    val run = new Run
    run.compile(args.toList.tail)
    val lines = mutable.LinkedHashSet.empty[String]

    def note(tree: Tree, path: String, text: Array[Char]): Unit = {
      val symbol = tree.symbol
      val makes = symbol.isConstructor || symbol.isCaseApplyOrUnapply
      val meant = if (symbol.isConstructor) symbol.owner else if (makes) symbol.owner.companionClass else symbol
      val name = meant.name.decoded.trim
      val place = meant.pos
      val at = tree.pos.point
      val written = makes || new String(text.slice(at, at + name.length)) == name
      if (place.isDefined && written && meant.sourceFile != null && !name.isEmpty) {
        val target = new java.io.File(meant.sourceFile.path).getCanonicalPath
        if (target.startsWith(root)) {
          val made = if (makes) name else ""
          lines += Seq(path, tree.pos.line, name, target.stripPrefix(root), place.line, made).mkString("\t")
        }
      }
    }

    for (unit <- run.units) {
      val path = new java.io.File(unit.source.file.path).getCanonicalPath.stripPrefix(root)
      for (tree <- unit.body)
        if (tree.isInstanceOf[RefTree] && tree.pos.isDefined && tree.symbol != null && tree.symbol.isMethod)
          note(tree, path, unit.source.content)
    }
    val errors = reporter.infos.count(_.severity == reporter.ERROR)
    System.err.println(s"$errors errors")
    lines.foreach(println)
  }
}
