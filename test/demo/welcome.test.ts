import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../tools/demo/program.ts'
import { commandFor, shown } from '../../tools/demo/welcome.ts'

const entry = { command: 'npm run demo --', folder: join(projectRoot, 'data', 'demo') }

test('the command that starts over names the folder of this demo, and no folder when it is the usual one', () => {
  assert.equal(commandFor(entry, entry.folder), 'npm run demo --')
  assert.equal(commandFor(entry, '/srv/demo'), 'npm run demo -- --data-dir /srv/demo')
  assert.equal(commandFor(entry, "/home/ada/ada's demo"), "npm run demo -- --data-dir '/home/ada/ada'\\''s demo'")
})

test('a folder beside the project, whose name begins alike, is shown whole', () => {
  assert.equal(shown(`${projectRoot}-copy/demo`), `${projectRoot}-copy/demo`)
  assert.equal(shown(join(projectRoot, 'data', 'demo')), join('data', 'demo'))
})
