/** Checks the rules that our image promises: nothing missing, not root, a health check, no tool of the build inside. */
import { existsSync, readFileSync } from 'node:fs'
import type { Finding } from './finding.ts'

export function checkDockerfile(file: string): Finding {
  const text = readFileSync(file, 'utf8')
  const stages = text.split(/^FROM /m).slice(1)
  const last = stages.at(-1) ?? ''
  const lines: string[] = []
  const must = (isSo: boolean, mistake: string): void => {
    if (!isSo) lines.push(mistake)
  }
  must(stages.length >= 2, 'it has one stage: the tools of the build would be in the image')
  must(/^USER (?!root|0)\w+/m.test(last), 'the last stage runs as root')
  must(/^HEALTHCHECK /m.test(last), 'the last stage has no HEALTHCHECK')
  must(/^ENTRYPOINT \[/m.test(last), 'ENTRYPOINT is not in its exec form: signals would not arrive')
  must(
    last.includes('ENTRYPOINT ["node", "bin/causeway.js"]'),
    'ENTRYPOINT is not the command, which knows the flags that Node needs',
  )
  must(!/npm (ci|install)/.test(last), 'the last stage installs something')
  must(/npm prune --omit=dev --workspaces=false/.test(text), 'development dependencies or workspaces stay in')
  must(/rm -rf .*dist\/simulator dist\/tools/.test(text), 'the demo and its simulator stay in')
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: readonly string[] }
  for (const folder of workspaces)
    must(text.includes(`COPY ${folder}/package.json ${folder}/\n`), `the manifest of ${folder} is missing for npm ci`)
  for (const [, sources = ''] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const source of sources.split(' '))
      must(existsSync(source), `COPY ${source}: there is no such file in the repository`)
  const ignored = existsSync('.dockerignore') ? readFileSync('.dockerignore', 'utf8').split('\n') : []
  for (const name of ['.git', '**/node_modules', 'data'])
    must(ignored.includes(name), `.dockerignore does not name ${name}`)
  return { kind: 'mistakes', lines }
}
