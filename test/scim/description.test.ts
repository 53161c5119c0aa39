import { after, before, test } from 'node:test'
import { assertDescribed, readDescription } from '../app/api-description.ts'
import { groupBody, type ScimApp, type ScimProvider, startScimApp, userBody } from './scim-app.ts'

let app: ScimApp
let provider: ScimProvider

before(async () => {
  app = await startScimApp()
  provider = await app.addProvider('Described')
})

after(() => app.stop())

test('SCIM answers and fails as it is described', async () => {
  const described = await readDescription(app.url)
  const { body: user } = await provider.scim(
    'POST',
    '/Users',
    userBody('described@example.com', { emails: [{ value: 'd@example.com' }], name: { givenName: 'D' } }),
  )
  const { body: group } = await provider.scim('POST', '/Groups', groupBody('Described', [user.id]))
  for (const [template, path] of [
    ['/scim/v2/Users', '/Users'],
    ['/scim/v2/Users', '/Users?attributes=userName'],
    ['/scim/v2/Users/{id}', `/Users/${user.id}`],
    ['/scim/v2/Users/{id}', '/Users/7'],
    ['/scim/v2/Groups', '/Groups'],
    ['/scim/v2/Groups', '/Groups?filter=nonsense'],
    ['/scim/v2/Groups/{id}', `/Groups/${group.id}`],
    ['/scim/v2/ServiceProviderConfig', '/ServiceProviderConfig'],
    ['/scim/v2/ResourceTypes', '/ResourceTypes'],
    ['/scim/v2/ResourceTypes/{id}', '/ResourceTypes/User'],
    ['/scim/v2/Schemas', '/Schemas'],
    ['/scim/v2/Schemas/{id}', '/Schemas/none'],
  ] as const)
    for (const token of [provider.token, 'scim-unknown'])
      await assertDescribed(
        described,
        'GET',
        template,
        await fetch(`${app.url}/scim/v2${path}`, { headers: { authorization: `Bearer ${token}` } }),
      )
})
