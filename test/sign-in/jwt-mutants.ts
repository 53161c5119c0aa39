/** Makes forged tokens out of one that is accepted. Every one of them must be refused. */
import { createHmac, createSign, type KeyObject } from 'node:crypto'
import { encode, type TestSigner } from '../../src/modules/sign-in/jwt.fixture.ts'

export interface Mutant {
  readonly what: string
  readonly token: string
}

export interface MutantMaterial {
  readonly good: string
  readonly signer: TestSigner
  readonly stranger: TestSigner
  /** A second configured provider, whose keys are right for itself only. */
  readonly neighbour: TestSigner
  readonly neighbourIssuer: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly canaryUrl: string
  readonly nowSeconds: number
}

export function makeMutants(material: MutantMaterial): readonly Mutant[] {
  return [
    ...unsigned(material),
    ...symmetric(material),
    ...changedBytes(material),
    ...sharedBeginnings(material),
    ...wrongClaims(material),
    ...wrongHeaders(material),
    ...wrongShapes(material),
    ...wrongSigners(material),
  ]
}

function unsigned({ header, payload, good }: MutantMaterial): Mutant[] {
  const [, body = '', signature = ''] = good.split('.')
  const names = ['none', 'None', 'NONE', 'nOnE', 'none ', '', null, 0, false, [], ['RS256'], { alg: 'RS256' }, 'rs256']
  const others = ['RS512', 'PS256', 'ES256', 'EdDSA', 'HS256', 'HS512', 'RSA-OAEP', 'dir', 'RS256\u0000', ' RS256']
  return [...names, ...others].flatMap((alg) =>
    [body, encode({ ...payload, role: 'admin' })].flatMap((claims) =>
      ['', signature, 'AA'].map((end) => ({
        what: `alg ${JSON.stringify(alg)} with signature "${end.slice(0, 4)}"`,
        token: `${encode({ ...header, alg })}.${claims}.${end}`,
      })),
    ),
  )
}

function publicKeyForms(
  key: KeyObject,
  jwk: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string | Buffer>> {
  const pem = key.export({ type: 'spki', format: 'pem' }).toString()
  return {
    'SPKI PEM': pem,
    'SPKI PEM without line end': pem.trim(),
    'SPKI PEM with CRLF': pem.replaceAll('\n', '\r\n'),
    'PKCS#1 PEM': key.export({ type: 'pkcs1', format: 'pem' }).toString(),
    'SPKI DER': key.export({ type: 'spki', format: 'der' }),
    'PKCS#1 DER': key.export({ type: 'pkcs1', format: 'der' }),
    'SPKI base64': key.export({ type: 'spki', format: 'der' }).toString('base64'),
    JWK: JSON.stringify(jwk),
    'JWK n text': String(jwk['n']),
    'JWK n bytes': Buffer.from(String(jwk['n']), 'base64url'),
    'JWK e': String(jwk['e']),
    kid: String(jwk['kid']),
  }
}

function symmetric({ signer, header, payload }: MutantMaterial): Mutant[] {
  const keys: Readonly<Record<string, string | Buffer>> = {
    ...publicKeyForms(signer.publicKey, signer.jwk),
    'empty key': '',
    zeros: Buffer.alloc(32),
    admin: 'admin',
    audience: String(payload['aud']),
    issuer: String(payload['iss']),
  }
  return Object.entries(keys).flatMap(([name, key]) =>
    (['HS256', 'HS384', 'HS512', 'RS256'] as const).flatMap((alg) =>
      [header['kid'], undefined].map((kid) => {
        const input = `${encode({ ...header, alg, kid })}.${encode(payload)}`
        const digest = alg === 'RS256' ? 'sha256' : `sha${alg.slice(2)}`
        const signature = createHmac(digest, key).update(input).digest('base64url')
        return { what: `${alg} keyed with ${name}`, token: `${input}.${signature}` }
      }),
    ),
  )
}

/** Every 3rd character of the accepted token replaced by two others, plus cuts and repeats. */
function changedBytes({ good }: MutantMaterial): Mutant[] {
  const mutants: Mutant[] = []
  for (let at = 0; at < good.length; at += 3) {
    for (const char of ['A', '_', '.', '=']) {
      if (good[at] === char) continue
      mutants.push({ what: `character ${at} is ${char}`, token: good.slice(0, at) + char + good.slice(at + 1) })
    }
  }
  const last = good.at(-1) ?? ''
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last character has spare bits: other spellings of the same signature.
  for (const char of alphabet)
    if (char !== last) mutants.push({ what: `ends in ${char}`, token: good.slice(0, -1) + char })
  for (const cut of [1, 2, 3, 4, 10, 100, 342]) mutants.push({ what: `cut by ${cut}`, token: good.slice(0, -cut) })
  return mutants
}

/** A cache keyed by a beginning would take these for the accepted one. */
function sharedBeginnings({ good, stranger, header, payload }: MutantMaterial): Mutant[] {
  const forged = stranger.signRaw(header, { ...payload, sub: 'boss', email: 'boss@corp.example' })
  const lengths = [8, 20, 64, 200, good.length - 10, good.length - 1]
  return [
    { what: 'same header, other payload, stranger signs', token: forged },
    ...lengths.map((length) => ({
      what: `first ${length} characters shared`,
      token:
        good.slice(0, length) + forged.slice(length, good.length + 1).replace(/.$/, good.endsWith('A') ? 'Q' : 'A'),
    })),
    ...lengths.map((length) => ({ what: `only the first ${length} characters`, token: good.slice(0, length) })),
    ...['A', 'AAAA', '.', '=', ' x', '\u0000', '.AAAA'].map((tail) => ({
      what: `${JSON.stringify(tail)} added`,
      token: good + tail,
    })),
  ]
}

/** Signed by the provider itself, so that only the claim can be the reason. */
function wrongClaims({ signer, header, payload, nowSeconds, neighbourIssuer }: MutantMaterial): Mutant[] {
  const changes: readonly Readonly<Record<string, unknown>>[] = [
    ...[
      undefined,
      '',
      null,
      7,
      [],
      {},
      'other',
      `${payload['iss']}/`,
      String(payload['iss']).toUpperCase(),
      neighbourIssuer,
      'causeway',
      [payload['iss']],
    ].map((iss) => ({ iss })),
    ...[
      undefined,
      '',
      null,
      7,
      [],
      {},
      'other',
      'causewayx',
      'xcauseway',
      'Causeway',
      ['other'],
      [''],
      [['causeway']],
      'causeway ',
      'a causeway b',
    ].map((aud) => ({ aud })),
    ...[
      undefined,
      null,
      '',
      '9999999999',
      nowSeconds - 61,
      nowSeconds - 86_400,
      0,
      -1,
      1e20,
      1e308,
      [nowSeconds + 9],
      {},
      true,
    ].map((exp) => ({ exp })),
    ...[nowSeconds + 61, nowSeconds + 600, 'x', null, [], 1e20].map((nbf) => ({ nbf })),
    ...[undefined, null, '', '  ', 7, {}, [], 'x'.repeat(256), 'a\u0000b', 'a\nb'].map((sub) => ({ sub })),
  ]
  const text = JSON.stringify(payload)
  const duplicated = [
    text.replace('{', '{"sub":"boss",'),
    text.replace(/}$/, ',"sub":"boss"}'),
    text.replace(/}$/, ',"email":"boss@corp.example"}'),
    text.replace('{', '{"iss":"https://evil.example",'),
    text.replace(/}$/, ',"aud":"causeway"}'),
    text.replace(/}$/, `,"exp":${nowSeconds + 99_999}}`),
    text.replace(/}$/, ',"\\u0073ub":"boss"}'),
  ]
  return [
    ...changes.map((change) => ({
      what: JSON.stringify(change),
      token: signer.signRaw(header, { ...payload, ...change }),
    })),
    ...duplicated.map((body) => ({
      what: `duplicated claim ${body.slice(0, 40)}`,
      token: signer.signRaw(header, body),
    })),
    ...['[]', 'null', '"text"', '7', '', '{', `${text}x`, `\ufeff${text}`, `[${text}]`].map((body) => ({
      what: `payload ${body.slice(0, 10)}`,
      token: signer.signRaw(header, body),
    })),
  ]
}

function wrongHeaders({ signer, stranger, header, payload, canaryUrl }: MutantMaterial): Mutant[] {
  const pointers: readonly Readonly<Record<string, unknown>>[] = [
    { jku: canaryUrl },
    { x5u: canaryUrl },
    { jwk: stranger.jwk },
    { x5c: [stranger.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
    { jku: canaryUrl, x5u: canaryUrl, jwk: stranger.jwk },
    { jku: 'http://169.254.169.254/latest/meta-data/' },
  ]
  const kids = [
    '../../etc/passwd',
    "' or 1=1",
    'x'.repeat(5_000),
    7,
    null,
    true,
    {},
    [],
    '',
    '__proto__',
    'constructor',
    'encryption',
    'twice',
    'neighbour',
    'weak',
    stranger.kid,
    canaryUrl,
    '\u0000',
    'Signer',
    'signer ',
  ]
  const readings: readonly Readonly<Record<string, unknown>>[] = [
    { crit: ['exp'] },
    { crit: [] },
    { crit: ['b64'], b64: false },
    { crit: ['b64'], b64: true },
    { b64: false },
    { crit: 'exp' },
    { crit: ['http://example.com/x'], 'http://example.com/x': true },
  ]
  const text = JSON.stringify(header)
  return [
    ...pointers.flatMap((pointer) =>
      [header['kid'], stranger.kid, undefined].map((kid) => ({
        what: `header ${Object.keys(pointer).join()}`,
        token: stranger.signRaw({ ...header, ...pointer, kid }, payload),
      })),
    ),
    ...kids.flatMap((kid) =>
      [signer, stranger].map((by) => ({
        what: `kid ${JSON.stringify(kid)?.slice(0, 20)}`,
        token: by.signRaw({ ...header, kid }, payload),
      })),
    ),
    ...readings.map((reading) => ({
      what: JSON.stringify(reading),
      token: signer.signRaw({ ...header, ...reading }, payload),
    })),
    ...[
      text.replace('{', '{"alg":"none",'),
      text.replace(/}$/, ',"alg":"RS256"}'),
      text.replace(/}$/, ',"kid":"signer"}'),
      '[]',
      'null',
      '{',
      '',
    ].map((head) => ({ what: `header text ${head.slice(0, 20)}`, token: signer.signRaw(head, payload) })),
  ]
}

function wrongShapes({ good, header, payload, signer }: MutantMaterial): Mutant[] {
  const [head = '', body = '', signature = ''] = good.split('.')
  const big = 'x'.repeat(1024 * 1024)
  const shapes: Readonly<Record<string, string>> = {
    empty: '',
    dots: '..',
    'one part': head,
    'two parts': `${head}.${body}`,
    'four parts': `${good}.${signature}`,
    'five parts like JWE': `${encode({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: header['kid'] })}.${head}.${body}.${signature}.${head}`,
    'JWE with direct key': `${encode({ alg: 'dir', enc: 'A128GCM' })}..${head}.${body}.${signature}`,
    'leading dot': `.${good}`,
    'space inside': good.replace('.', ' .'),
    'line end inside': good.replace('.', '\n.'),
    'JSON serialisation': JSON.stringify({ payload: body, protected: head, signature }),
    'general JSON serialisation': JSON.stringify({ payload: body, signatures: [{ protected: head, signature }] }),
    'swapped parts': `${body}.${head}.${signature}`,
    'header twice': `${head}.${head}.${signature}`,
    'padded base64': good
      .split('.')
      .map((part) => part.padEnd(Math.ceil(part.length / 4) * 4 + 4, '='))
      .join('.'),
    'plain base64': `${Buffer.from(JSON.stringify({ ...header, x: '???>>>' })).toString('base64')}.${body}.${signature}`,
    '1 MB token': big,
    '1 MB payload': signer.signRaw(header, { ...payload, big }),
    '1 MB kid': signer.signRaw({ ...header, kid: big }, payload),
    '1 MB of dots': '.'.repeat(1024 * 1024),
    '1 MB signature': `${head}.${body}.${big}`,
    'nested JWT': signer.signRaw({ ...header, cty: 'JWT' }, good),
    'session prefix': `sess-${good}`,
    'bearer prefix': `Bearer ${good}`,
    'invalid UTF-8 payload': `${head}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.${signature}`,
    'deep payload': signer.signRaw(header, `${'['.repeat(3_000)}${']'.repeat(3_000)}`),
  }
  return Object.entries(shapes).map(([what, token]) => ({ what, token }))
}

function wrongSigners({ signer, stranger, neighbour, header, payload, neighbourIssuer }: MutantMaterial): Mutant[] {
  const input = `${encode(header)}.${encode(payload)}`
  const digests = ['RSA-SHA1', 'RSA-SHA384', 'RSA-SHA512']
  return [
    ...digests.map((digest) => ({
      what: `signed with ${digest}`,
      token: `${input}.${createSign(digest).update(input).sign(signer.privateKey, 'base64url')}`,
    })),
    { what: 'stranger, right kid', token: stranger.signRaw(header, payload) },
    { what: 'neighbour key for this issuer', token: neighbour.signRaw({ ...header, kid: neighbour.kid }, payload) },
    { what: 'neighbour key with our kid', token: neighbour.signRaw(header, payload) },
    { what: 'our key for the neighbour issuer', token: signer.signRaw(header, { ...payload, iss: neighbourIssuer }) },
    {
      what: 'our key and the neighbour kid',
      token: signer.signRaw({ ...header, kid: neighbour.kid }, { ...payload, iss: neighbourIssuer }),
    },
    { what: 'zero signature', token: `${input}.${Buffer.alloc(256).toString('base64url')}` },
    {
      what: 'signature one',
      token: `${input}.${Buffer.concat([Buffer.alloc(255), Buffer.from([1])]).toString('base64url')}`,
    },
    { what: 'long signature', token: `${input}.${Buffer.alloc(512, 1).toString('base64url')}` },
  ]
}
