/** The recipes of CONTRIBUTING.md as steps that a program can carry out. */
import { readFileSync } from 'node:fs'

export interface NewFile {
  readonly path: string
  readonly text: string
}

export interface Edit {
  readonly path: string
  /** Line by line, as in a diff: one that is there, one to add, or one to take away. */
  readonly lines: readonly { readonly sign: ' ' | '+' | '-'; readonly text: string }[]
}

export interface Recipe {
  /** Such as `a search engine`. */
  readonly adds: string
  readonly newFiles: readonly NewFile[]
  readonly edits: readonly Edit[]
}

/** A block of code belongs to the file that is named last before it. */
export function readRecipes(): readonly Recipe[] {
  const [, ...sections] = readFileSync('CONTRIBUTING.md', 'utf8').split(/^### Add (?=an? )/m)
  return sections.map((section) => {
    const own = section.split(/^## /m)[0] ?? ''
    const steps = [...own.matchAll(/`([\w./-]+\.\w+)`[^`]*?\n\n```(\w+)\n(.*?)^```$/gms)].map(
      ([, path = '', language = '', text = '']) => ({ path, language, text }),
    )
    return {
      adds: own.split('\n')[0] ?? '',
      newFiles: steps.filter(({ language }) => language !== 'diff').map(({ path, text }) => ({ path, text })),
      edits: steps
        .filter(({ language }) => language === 'diff')
        .map(({ path, text }) => ({ path, lines: readLines(path, text) })),
    }
  })
}

function readLines(path: string, text: string): Edit['lines'] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const sign = line[0]
      if (sign !== ' ' && sign !== '+' && sign !== '-') throw new Error(`${path}: a line without a sign: ${line}`)
      return { sign, text: line.slice(1) }
    })
}

/** Throws where a line that the recipe names is not there, or not alone. */
export function applyEdit(source: string, { path, lines }: Edit): string {
  const result = source.split('\n')
  let at = -1
  for (const { sign, text } of lines) {
    if (sign === '+') {
      at += 1
      result.splice(at, 0, text)
      continue
    }
    const places = result.flatMap((line, index) => (line === text ? [index] : []))
    const [place] = places
    if (place === undefined || places.length > 1)
      throw new Error(`${path} has ${places.length} lines, not one, that read: ${text}`)
    at = place
    if (sign === '-') {
      result.splice(place, 1)
      at -= 1
    }
  }
  return result.join('\n')
}
