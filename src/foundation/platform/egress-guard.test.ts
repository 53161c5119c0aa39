import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressClass, classifyAddress, decideUrl, isAddressAllowed, parseEgressAllow } from './egress-guard.ts'

const nothing = parseEgressAllow('')
const verdict = (url: string, allow = nothing): string => decideUrl(url, allow).kind

const refusedUrls = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1:8443/x',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://x.localhost/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://192.168.1.1:443/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://169.254.170.23/v1/credentials',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://0251.0376.0251.0376/',
  'https://169.254.43518/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'https://[::ffff:0:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://[::a9fe:a9fe]/',
  'https://[64:ff9b::169.254.169.254]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378::1]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[febf::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fd00:ec2::23]/',
  'https://[fd20:ce::254]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://240.0.0.1/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://192.0.0.192/',
  'https://metadata.google.internal/',
  'https://METADATA.google.internal./',
  'https://instance-data/',
  'http://public.example/',
  'http://localhost.evil.example/',
  'http://8.8.8.8/',
  'https://user@public.example/',
  'https://user:pass@public.example/',
  'https://public.example@169.254.169.254/',
  'https://public.example#@169.254.169.254:22/../@10.0.0.1/ ',
  'https:\\\\169.254.169.254\\',
  'https://public.example\\@10.0.0.1/',
  'https://public.example:22/',
  'https://public.example:25/',
  'https://public.example:5432/',
  'https://public.example:6379/',
  'https://public.example:0/',
  'https://public.example:99999/',
  'https://\uff11\uff12\uff17.\uff10.\uff10.\uff11/',
  'https://\u2460\u2461\u2466.0.0.1/',
  'https://127\u30020\u30020\u30021/',
  'ftp://public.example/',
  'file:///etc/passwd',
  'gopher://public.example/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'https://',
  'https:///',
  '//public.example/',
  'public.example',
  '',
  'https://public.example/\r\nHost: x',
  ' https://public.example/',
  'https://public.example/\t',
]

test(`${refusedUrls.length} URL forms that lead inside, or pretend not to, are refused`, () => {
  for (const url of refusedUrls) assert.equal(verdict(url), 'refused', url)
})

test('ordinary public URLs are allowed, and a fragment is not sent', () => {
  const urls = [
    'https://login.microsoftonline.com/tenant/v2.0',
    'https://hooks.example:8443/path?x=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://m\u00fcnchen.example/',
    'https://metadata.corp.example/',
  ]
  for (const url of urls) assert.equal(verdict(url), 'allowed', url)
  const decision = decideUrl('https://public.example/a?b#c', nothing)
  assert.equal(decision.kind === 'allowed' && decision.url.href, 'https://public.example/a?b')
})

test('an allow-listed host may be private and plain http; another host gains nothing', () => {
  const allow = parseEgressAllow('idp.internal, 10.1.0.0/16 127.0.0.1,fd12::/16')
  for (const url of [
    'http://idp.internal:8080/',
    'http://IDP.internal./',
    'http://10.1.2.3/',
    'http://127.0.0.1:9000/',
    'http://localhost:9000/',
    'https://[::ffff:10.1.2.3]/',
  ]) {
    assert.equal(verdict(url, allow), 'allowed', url)
  }
  for (const url of [
    'http://10.2.0.1/',
    'https://127.0.0.2/',
    'https://[::1]/',
    'http://sub.idp.internal/',
    'http://idp.internal.evil.example/',
    'http://idp.internal:22/',
    'http://evil.example/',
  ]) {
    assert.equal(verdict(url, allow), 'refused', url)
  }
  assert.equal(isAddressAllowed('192.168.7.7', 'idp.internal', allow), true)
  assert.equal(isAddressAllowed('192.168.7.7', 'other.internal', allow), false)
  assert.equal(isAddressAllowed('10.1.9.9', 'other.internal', allow), true)
})

test('link-local, metadata, unspecified and multicast addresses stay closed even when everything is listed', () => {
  const all = parseEgressAllow('0.0.0.0/0,::/0,evil.example,metadata.google.internal,169.254.169.254,fd00:ec2::254')
  const addresses = [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '224.0.0.1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    'not an address',
  ]
  for (const address of addresses) assert.equal(isAddressAllowed(address, 'evil.example', all), false, address)
  assert.equal(verdict('https://metadata.google.internal/', all), 'refused')
  assert.equal(verdict('http://169.254.169.254/', all), 'refused')
  assert.equal(isAddressAllowed('10.0.0.1', 'evil.example', all), true)
})

test('addresses are classed by value at the borders of their ranges', () => {
  const classes: Readonly<Record<string, AddressClass>> = {
    '9.255.255.255': 'public',
    '10.0.0.0': 'private',
    '11.0.0.0': 'public',
    '100.63.255.255': 'public',
    '100.64.0.0': 'private',
    '100.127.255.255': 'private',
    '100.128.0.0': 'public',
    '126.255.255.255': 'public',
    '128.0.0.0': 'public',
    '169.253.255.255': 'public',
    '169.255.0.0': 'public',
    '172.15.255.255': 'public',
    '172.32.0.0': 'public',
    '192.167.255.255': 'public',
    '192.169.0.0': 'public',
    '223.255.255.255': 'public',
    '::2': 'forbidden',
    '2606:4700::1': 'public',
    '1fff::1': 'private',
    '4000::1': 'private',
    'fdff::1': 'private',
  }
  for (const [address, expected] of Object.entries(classes)) assert.equal(classifyAddress(address), expected, address)
})

test('a wrong entry in the list is named', () => {
  for (const entry of ['10.0.0.0/33', '300.1.1.1', 'http://x', 'a b!c', '10.0.0.0/8/8', '::1/129', '*.corp']) {
    assert.throws(() => parseEgressAllow(`ok.example,${entry}`), /must hold host names/, entry)
  }
})
