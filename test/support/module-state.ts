/** Finds what a source file keeps between calls at its top level: variables, caches and scratch buffers. */
import { createRequire } from 'node:module'
import type * as TypeScript from '../../portal/node_modules/typescript/lib/typescript.js'

// The compiler of the project has no stable API for programs, so this is the one that the portal's tools use.
const ts = createRequire(new URL('../../portal/package.json', import.meta.url))('typescript') as typeof TypeScript
type Node = TypeScript.Node

/** Made to be written to. */
const alwaysWritten = new Set(['AsyncLocalStorage', 'LRUCache', 'WeakMap', 'WeakRef', 'WeakSet'])
const blankBuffer = /^Buffer\.alloc/
const writers =
  /^(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|write(?:U?Int|Big|Float|Double).*|write)$/

/** The names of what is kept, in the order of the file. */
export function findModuleState(text: string): string[] {
  const file = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const names = new Set<string>()
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) names.add(statement.name.text)
    if (ts.isClassDeclaration(statement)) for (const name of listStaticFields(statement)) found.add(name)
    if (!ts.isVariableStatement(statement)) continue
    const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
    for (const declaration of statement.declarationList.declarations) {
      const declared = listNames(declaration.name)
      for (const name of declared) names.add(name)
      if (!isConst || isStore(declaration.initializer)) for (const name of declared) found.add(name)
    }
  }
  for (const name of findWritten(file, names)) found.add(name)
  return [...found].sort((one, other) => text.indexOf(one) - text.indexOf(other))
}

function listStaticFields(declared: TypeScript.ClassDeclaration): string[] {
  return declared.members
    .filter((member) => ts.isPropertyDeclaration(member))
    .filter(({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
    .filter(({ modifiers = [] }) => modifiers.every(({ kind }) => kind !== ts.SyntaxKind.ReadonlyKeyword))
    .map(({ name }) => name.getText())
}

function isStore(value: TypeScript.Expression | undefined): boolean {
  if (value === undefined) return false
  if (ts.isNewExpression(value)) {
    const maker = value.expression.getText()
    const content = value.arguments?.[0]
    // Constants when they are made of something, stores when they begin empty or with a length alone.
    if (maker === 'Map' || maker === 'Set') return content === undefined
    if (/Array$|^ArrayBuffer$/.test(maker))
      return content === undefined || !(ts.isArrayLiteralExpression(content) || ts.isCallExpression(content))
    return alwaysWritten.has(maker)
  }
  if (!ts.isCallExpression(value)) return false
  const maker = value.expression.getText()
  return blankBuffer.test(maker) ? value.arguments[0]?.getText() !== '0' : /^create[A-Z]/.test(maker)
}

/** Which of the names are written to somewhere in the file, other than by a function with a variable of that name. */
function findWritten(file: TypeScript.SourceFile, names: ReadonlySet<string>): ReadonlySet<string> {
  const written = new Set<string>()
  const visit = (node: Node, hidden: ReadonlySet<string>): void => {
    const inner = ts.isFunctionLike(node) || ts.isBlock(node) || ts.isForOfStatement(node) || ts.isForStatement(node)
    const locals = inner ? listLocals(node) : []
    const now = locals.length === 0 ? hidden : new Set([...hidden, ...locals])
    const target = findTarget(node)
    const root = target && findRoot(target)
    if (root !== undefined && names.has(root) && !now.has(root)) written.add(root)
    ts.forEachChild(node, (child) => visit(child, now))
  }
  ts.forEachChild(file, (child) => visit(child, new Set()))
  return written
}

/** What a node writes to, if it writes. */
function findTarget(node: Node): Node | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? node.left : undefined
  }
  if (ts.isPostfixUnaryExpression(node) || ts.isDeleteExpression(node))
    return ts.isDeleteExpression(node) ? node.expression : node.operand
  if (ts.isPrefixUnaryExpression(node)) {
    const isStep = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
    return isStep ? node.operand : undefined
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const { expression, name } = node.expression
  if (name.text === 'copy' || (name.text === 'assign' && findRoot(expression) === 'Object')) return node.arguments[0]
  return writers.test(name.text) ? expression : undefined
}

function findRoot(node: Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return findRoot(node.expression)
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return findRoot(node.expression)
  return undefined
}

function listLocals(scope: Node): string[] {
  const names: string[] = []
  if (ts.isFunctionLike(scope)) for (const { name } of scope.parameters) names.push(...listNames(name))
  const declare = (list: Node | undefined): void => {
    if (list !== undefined && ts.isVariableDeclarationList(list))
      for (const { name } of list.declarations) names.push(...listNames(name))
  }
  if (ts.isForOfStatement(scope) || ts.isForStatement(scope)) declare(scope.initializer)
  if (ts.isBlock(scope))
    for (const statement of scope.statements) if (ts.isVariableStatement(statement)) declare(statement.declarationList)
  return names
}

function listNames(name: TypeScript.BindingName | TypeScript.PropertyName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  if (!ts.isObjectBindingPattern(name) && !ts.isArrayBindingPattern(name)) return []
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? listNames(element.name) : []))
}
