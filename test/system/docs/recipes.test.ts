/** Carries out every recipe of CONTRIBUTING.md in one copy of the repository, which must still type-check. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { applyEdit, readRecipes } from '../../docs/recipes.ts'

const copied = ['src', 'cli', 'simulator', 'test', 'bench', 'tools', 'portal', 'package.json', 'tsconfig.json']
const left = /(?:^|\/)(?:node_modules|dist|data)$/

function copyRepository(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'causeway-recipes-'))
  for (const entry of copied)
    cpSync(entry, path.join(root, entry), { recursive: true, filter: (source) => !left.test(source) })
  for (const packages of globSync(['node_modules', '*/node_modules']))
    symlinkSync(path.resolve(packages), path.join(root, packages))
  return root
}

test('the repository type-checks with every recipe carried out', async (context) => {
  const root = copyRepository()
  context.after(() => rmSync(root, { recursive: true, force: true }))
  for (const { newFiles, edits } of readRecipes()) {
    for (const file of newFiles) {
      mkdirSync(path.join(root, path.dirname(file.path)), { recursive: true })
      writeFileSync(path.join(root, file.path), file.text)
    }
    for (const edit of edits) {
      const target = path.join(root, edit.path)
      writeFileSync(target, applyEdit(readFileSync(target, 'utf8'), edit))
    }
  }
  const { stdout } = await promisify(execFile)(path.resolve('node_modules/.bin/tsc'), [], { cwd: root }).catch(
    (error: { readonly stdout: string }) => error,
  )
  assert.equal(stdout, '')
})
