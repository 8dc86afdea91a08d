/**
 * Inferred errors and requirements as TypeScript 6.0.3 sees them: an implementation of Spec 0002, "E/R inference", that shares
 * no code with the one under test.
 */
import ts from "typescript-6.0"

export interface Channels {
  readonly errors: ReadonlyArray<string>
  readonly requirements: ReadonlyArray<string>
}

/** Either sorted names of what is in both channels, or that the function returns no Effect. */
export type Verdict = Channels | "no Effect"

/** Files of dependencies, parsed once: they are the same for every project. */
const dependencies = new Map<string, ts.SourceFile>()

/** Reads a project with texts that replace what is on disk. */
export const oracle = (tsconfigPath: string, overlays: ReadonlyMap<string, string>) => {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    fileExists: (path) => overlays.has(path) || ts.sys.fileExists(path),
    readFile: (path) => overlays.get(path) ?? ts.sys.readFile(path),
    readDirectory: (root, ...rest) => [
      ...new Set([
        ...(ts.sys.directoryExists(root) ? ts.sys.readDirectory(root, ...rest) : []),
        ...[...overlays.keys()].filter((path) => path.startsWith(`${root}/src/`) && path.endsWith(".ts"))
      ])
    ],
    onUnRecoverableConfigFileDiagnostic: () => undefined
  }
  const parsed = ts.getParsedCommandLineOfConfigFile(tsconfigPath, {}, host)
  if (parsed === undefined) throw new Error(`no project at ${tsconfigPath}`)
  const compilerHost = ts.createCompilerHost(parsed.options)
  const program = ts.createProgram(parsed.fileNames, parsed.options, {
    ...compilerHost,
    fileExists: host.fileExists,
    readFile: host.readFile,
    directoryExists: (path) =>
      ts.sys.directoryExists(path) || [...overlays.keys()].some((file) => file.startsWith(`${path}/`)),
    getSourceFile: (path, options) => {
      const known = dependencies.get(path)
      if (known !== undefined) return known
      const text = host.readFile(path)
      const file = text === undefined ? undefined : ts.createSourceFile(path, text, options, true)
      if (file !== undefined && path.includes("/node_modules/")) dependencies.set(path, file)
      return file
    }
  })
  const checker = program.getTypeChecker()

  const property = (type: ts.Type, name: string): ts.Type | undefined => {
    const symbol = type.getProperty(name)
    return symbol && checker.getTypeOfSymbol(symbol)
  }
  const membersOf = (type: ts.Type): ReadonlyArray<ts.Type> =>
    (type.flags & ts.TypeFlags.Never) !== 0 ? [] : type.isUnion() ? type.types : [type]

  const triple = (type: ts.Type): readonly [ts.Type, ts.Type] | undefined => {
    const variance = property(type, "~effect/Effect")
    if (variance === undefined) return undefined
    const channel = (name: string) => {
      const phantom = property(variance, name)
      return phantom?.getCallSignatures()[0]?.getReturnType()
    }
    const [errors, requirements] = [channel("_E"), channel("_R")]
    return errors && requirements && [errors, requirements]
  }

  /** What each thing that a file declares is exported as, where that is another name than its own. */
  const renamed = (file: ts.SourceFile): ReadonlyMap<ts.Symbol, string> => {
    const module = checker.getSymbolAtLocation(file)
    return new Map(
      (module === undefined ? [] : checker.getExportsOfModule(module)).flatMap((exported) => {
        const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
        return exported.name === "default" || exported.name === target.name ? [] : [[target, exported.name] as const]
      })
    )
  }
  const exportedName = (symbol: ts.Symbol): string => {
    const declaration = symbol.valueDeclaration
    const file = declaration?.getSourceFile()
    const name = file === undefined || file.isDeclarationFile ? undefined : renamed(file).get(symbol)
    if (name !== undefined || symbol.name !== "default") return name ?? symbol.name
    return (declaration && ts.getNameOfDeclaration(declaration)?.getText()) ?? symbol.name
  }

  const nameOf = (type: ts.Type): string => {
    const flags = type.flags
    if ((flags & ts.TypeFlags.Any) !== 0) return "any"
    if ((flags & ts.TypeFlags.Unknown) !== 0) return "unknown"
    const symbol = type.getSymbol()
    const value = symbol?.valueDeclaration && checker.getTypeOfSymbol(symbol)
    if (symbol !== undefined && value?.getProperty("~effect/Schema/Schema")) return exportedName(symbol)
    if (symbol !== undefined && value?.getProperty("~effect/Context/Service")) return exportedName(symbol)
    return `?${checker.typeToString(type)}`
  }
  const names = (types: ReadonlyArray<ts.Type>): ReadonlyArray<string> => {
    const found = new Set(types.flatMap(membersOf).map(nameOf))
    if (found.has("any")) return ["any"]
    if (found.has("unknown")) return ["unknown"]
    if (found.delete("?true") && found.delete("?false")) found.add("?boolean")
    return [...found].sort()
  }

  const verdictOf = (returned: ts.Type): Verdict => {
    const effects = membersOf(returned).map(triple)
    if (effects.length === 0 || effects.some((each) => each === undefined)) return "no Effect"
    const all = effects.flatMap((each) => (each === undefined ? [] : [each]))
    return {
      errors: names(all.map(([errors]) => errors)),
      requirements: names(all.map(([, requirements]) => requirements))
    }
  }

  /** The verdict on every static method of a file's classes and every chain's handler, by `C.m` or the constant's exported name. */
  const verdicts = (path: string): ReadonlyMap<string, Verdict> => {
    const file = program.getSourceFile(path)
    const found = new Map<string, Verdict>()
    file?.forEachChild((statement) => {
      if (ts.isClassDeclaration(statement)) {
        for (const member of statement.members) {
          if (!ts.isMethodDeclaration(member)) continue
          const signature = checker.getSignatureFromDeclaration(member)
          if (signature)
            found.set(`${statement.name?.text}.${member.name.getText()}`, verdictOf(signature.getReturnType()))
        }
      }
      if (ts.isVariableStatement(statement)) {
        for (const { initializer, name } of statement.declarationList.declarations) {
          if (
            !initializer ||
            !ts.isCallExpression(initializer) ||
            !ts.isPropertyAccessExpression(initializer.expression)
          )
            continue
          const [handler] = initializer.arguments
          const signature = handler && checker.getTypeAtLocation(handler).getCallSignatures()[0]
          const symbol = checker.getSymbolAtLocation(name)
          if (signature) found.set(symbol ? exportedName(symbol) : name.getText(), verdictOf(signature.getReturnType()))
        }
      }
    })
    return found
  }
  const problems = (path: string): ReadonlyArray<string> => {
    const file = program.getSourceFile(path)
    return file === undefined
      ? ["missing"]
      : program.getSemanticDiagnostics(file).map((each) => ts.flattenDiagnosticMessageText(each.messageText, " "))
  }
  return { verdicts, problems }
}
