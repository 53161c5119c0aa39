import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asAdmin, type CookieJar, signIn, startLoginGateway } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  gateway = await startLoginGateway()
})

after(() => gateway.stop())

const sql = (text: string, values: unknown[] = []) => gateway.database?.pool.query(text, values)

interface Shown {
  readonly id: string
  readonly subject: string
  readonly email: string | null
}

async function userOf(jar: CookieJar): Promise<Shown> {
  return (JSON.parse((await jar.send(`${gateway.url}/auth/me`)).text) as { user: Shown }).user
}

async function signInAs(sub: string, claims: object): Promise<Shown> {
  await gateway.control.setOidcUser({ sub, claims: { ...claims } })
  return await userOf(await signIn(gateway, sub))
}

async function changesOf({ id }: Shown) {
  const response = await asAdmin(gateway, 'GET', `/admin/audit?action=user.update&target=user:${id}`)
  const { data } = (await response.json()) as {
    data: { actor: string; before: object; after: object; source_address: string; request_id: string }[]
  }
  return data
}

const proven = (email: string) => ({ email, email_verified: true })

test('a new address at the provider is stored at the next sign-in, with an audit entry; the name stays', async () => {
  const first = await signInAs('user-moved', proven('ann.maiden@example.com'))
  assert.equal(first.email, 'ann.maiden@example.com')
  const moved = await signInAs('user-moved', proven('Ann.Married@example.com'))
  assert.deepEqual(moved, { ...first, email: 'ann.married@example.com' })
  await signInAs('user-moved', proven('ann.married@example.com'))
  const [entry, ...more] = await changesOf(first)
  assert.equal(more.length, 0, 'the same address again changes nothing')
  assert.equal(entry?.actor, 'sign-in')
  assert.deepEqual(
    [entry?.before, entry?.after],
    [{ email: 'ann.maiden@example.com' }, { email: 'ann.married@example.com' }],
  )
  assert.equal(entry?.source_address, '127.0.0.1')
  assert.match(entry?.request_id ?? '', /^req_/)
})

test('an unverified or missing address, and another spelling of the same one, change nothing', async () => {
  const first = await signInAs('user-kept', { preferred_username: 'kept', ...proven('kept@example.com') })
  await sql('update users set email = $2 where id = $1', [first.id, 'Kept@Example.com'])
  for (const claims of [
    { email: 'other@example.com', email_verified: false },
    { preferred_username: 'kept' },
    proven('kept@example.com'),
  ]) {
    const again = await signInAs('user-kept', claims)
    assert.equal(again.id, first.id)
  }
  const stored = await sql('select email from users where id = $1', [first.id])
  assert.deepEqual(stored?.rows, [{ email: 'Kept@Example.com' }])
  assert.deepEqual(await changesOf(first), [])
})

test('the address of a user whom SCIM manages stays', async () => {
  const first = await signInAs('user-managed', proven('managed@example.com'))
  await sql('insert into scim_users (user_id, idp_id) values ($1, $2)', [first.id, gateway.idpId])
  assert.equal((await signInAs('user-managed', proven('elsewhere@example.com'))).email, 'managed@example.com')
  assert.deepEqual(await changesOf(first), [])
})

test('two users can have the same address: each stays who they are', async () => {
  const one = await signInAs('user-one', proven('one@example.com'))
  const two = await signInAs('user-two', proven('two@example.com'))
  const renamed = await signInAs('user-two', proven('one@example.com'))
  assert.deepEqual(renamed, { ...two, email: 'one@example.com' })
  assert.deepEqual(await signInAs('user-one', proven('one@example.com')), one)
})

test('an address that cannot be stored does not stop the sign-in, and is stored at the next one', async () => {
  const first = await signInAs('user-fault', proven('fault@example.com'))
  await sql(`create function go_away() returns trigger language plpgsql as $$
    begin raise exception 'terminating connection' using errcode = '57P01'; end $$`)
  await sql('create trigger go_away before update of email on users for each row execute function go_away()')
  try {
    assert.deepEqual(await signInAs('user-fault', proven('after@example.com')), first)
    assert.match(gateway.logLines.join(''), /the new email address of a user could not be stored/)
  } finally {
    await sql('drop function go_away cascade')
  }
  assert.equal((await signInAs('user-fault', proven('after@example.com'))).email, 'after@example.com')
})
