import { isSecret } from '../../src/app/config/config.ts'
import { variables } from '../../src/app/config/variables.ts'
import { settingSpecs } from '../../src/foundation/domain/settings.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export function configurationPage(): string {
  const groups = Map.groupBy(Object.values(variables), (variable) => variable.group)
  const secrets = Object.values(variables)
    .filter(isSecret)
    .map(({ name }) => `\`${name}_FILE\``)
    .join(', ')
  const lines = [
    '# Configuration',
    '',
    'Made by `npm run docs` from `src/app/config/variables.ts` and `src/foundation/domain/settings.ts`; edit those.',
    '',
    'Configuration has three layers. Infrastructure is the deployment template. Environment variables are read once, at',
    'start; a wrong value stops the start with one line per mistake. Runtime settings live in the database and change',
    'without a restart. An empty variable counts as unset.',
    '',
    `A secret may stand in a file instead, named by its variable with \`_FILE\` behind it: ${secrets}.`,
    '',
    '## Environment variables',
  ]
  for (const [group, members] of groups) {
    lines.push('', `### ${group}`, '', '| Variable | Type | Default | Meaning |', '|---|---|---|---|')
    for (const { name, kind, shownDefault, text } of members)
      lines.push(`| \`${name}\` | ${cell(kind)} | ${cell(shownDefault)} | ${cell(text)} |`)
  }
  lines.push('', '## Runtime settings', '', 'Changed by `PUT /admin/settings/{key}` with `{"value": ...}`.', '')
  lines.push('| Key | Default | Meaning |', '|---|---|---|')
  for (const [key, spec] of Object.entries(settingSpecs))
    lines.push(`| \`${key}\` | ${JSON.stringify(spec.default)} | ${cell(spec.text)} |`)
  return `${lines.join('\n')}\n`
}
