using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

/// <summary>
/// Prints what each name in the C# files of a folder means to the compiler, one use a line: path, line (from 1) and
/// column (from 0) of the use, then those of what it means, with an empty path for what is not in the folder. The name
/// of a constructed class means the constructor and, in another line, the class; a type in parts has a line for each.
/// Names the compiler finds nothing for are left out: libraries that are missing cost those names only.
/// </summary>
internal static class Uses
{
    private static readonly string[] NotSources = { "bin", "obj", ".git" };

    private static int Main(string[] arguments)
    {
        string root = Path.GetFullPath(arguments[0]);
        CSharpParseOptions options = CSharpParseOptions.Default
            .WithLanguageVersion(LanguageVersion.Preview)
            .WithPreprocessorSymbols(arguments.Skip(1));
        List<SyntaxTree> trees = Sources(root)
            .Select(path => CSharpSyntaxTree.ParseText(File.ReadAllText(path), options, path))
            .ToList();
        string platform = (string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES");
        CSharpCompilation compilation = CSharpCompilation.Create(
            "uses",
            trees,
            platform.Split(Path.PathSeparator)
                .Where(path => !Path.GetFileName(path).StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal))
                .Select(path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
        using StreamWriter output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        foreach (SyntaxTree tree in trees)
        {
            SemanticModel model = compilation.GetSemanticModel(tree);
            foreach (SimpleNameSyntax name in tree.GetRoot().DescendantNodes().OfType<SimpleNameSyntax>())
            {
                Print(output, root, model, name);
            }
        }
        return 0;
    }

    private static IEnumerable<string> Sources(string root) =>
        Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
            .Where(path => !Path.GetRelativePath(root, path).Split(Path.DirectorySeparatorChar).Any(NotSources.Contains))
            .OrderBy(path => path, StringComparer.Ordinal);

    private static void Print(TextWriter output, string root, SemanticModel model, SimpleNameSyntax name)
    {
        ISymbol meant = model.GetSymbolInfo(name).Symbol;
        if (name.IsVar || meant == null || meant is INamespaceSymbol || meant is IDynamicTypeSymbol)
        {
            return;
        }
        if (meant is IMethodSymbol method && method.ReducedFrom != null)
        {
            meant = method.ReducedFrom;
        }
        string here = Place(root, name.Identifier.GetLocation());
        IEnumerable<ISymbol> all = new[] { Constructor(model, name), meant }.Where(symbol => symbol != null);
        foreach (Location there in all.SelectMany(symbol => symbol.OriginalDefinition.Locations))
        {
            output.WriteLine(here + "\t" + (there.IsInSource ? Place(root, there) : "\t0\t0"));
        }
    }

    /// <summary>The constructor that an object creation calls, of its class's name.</summary>
    private static ISymbol Constructor(SemanticModel model, SimpleNameSyntax name)
    {
        SyntaxNode whole = name.Parent is QualifiedNameSyntax qualified && qualified.Right == name ? qualified : (SyntaxNode)name;
        return whole.Parent is ObjectCreationExpressionSyntax made && made.Type == whole
            ? model.GetSymbolInfo(made).Symbol
            : null;
    }

    private static string Place(string root, Location location)
    {
        FileLinePositionSpan span = location.GetLineSpan();
        string path = Path.GetRelativePath(root, span.Path).Replace(Path.DirectorySeparatorChar, '/');
        return path + "\t" + (span.StartLinePosition.Line + 1) + "\t" + span.StartLinePosition.Character;
    }
}
