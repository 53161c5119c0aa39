import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoginThrottle, toSource } from './login-throttle.memory.ts'
import { createTestClock } from './people.fixture.ts'

test('the tenth failure within five minutes closes an address until the oldest is five minutes old', () => {
  const clock = createTestClock()
  const throttle = createLoginThrottle(clock)
  for (let failure = 0; failure < 10; failure += 1) {
    assert.equal(throttle.retryAfterSeconds('203.0.113.9'), 0)
    throttle.recordFailure('203.0.113.9', 'admin')
    clock.advanceMs(1_000)
  }
  assert.equal(throttle.retryAfterSeconds('203.0.113.9'), 290)
  assert.equal(throttle.retryAfterSeconds('203.0.113.10'), 0)
  clock.advanceMs(290_000)
  assert.equal(throttle.retryAfterSeconds('203.0.113.9'), 0)
  throttle.recordFailure('203.0.113.9', 'admin')
  assert.equal(throttle.retryAfterSeconds('203.0.113.9'), 1)
})

test('a success clears the address', () => {
  const throttle = createLoginThrottle(createTestClock())
  for (let failure = 0; failure < 10; failure += 1) throttle.recordFailure('203.0.113.9', 'admin')
  throttle.recordSuccess('203.0.113.9')
  assert.equal(throttle.retryAfterSeconds('203.0.113.9'), 0)
})

test('a user name under attack from many addresses only slows answers, up to two seconds', () => {
  const throttle = createLoginThrottle(createTestClock())
  const delays = Array.from({ length: 60 }, (_, at) => throttle.recordFailure(`198.51.100.${at}`, 'admin'))
  assert.deepEqual(delays.slice(0, 12), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200])
  assert.equal(delays.at(-1), 2_000)
  assert.equal(throttle.retryAfterSeconds('203.0.113.1'), 0)
  assert.equal(throttle.recordFailure('203.0.113.1', 'somebody else'), 0)
})

test('memory is bounded: the addresses that failed longest ago are forgotten first', () => {
  const throttle = createLoginThrottle(createTestClock(), 100)
  for (let failure = 0; failure < 10; failure += 1) throttle.recordFailure('192.0.2.1', 'admin')
  assert.ok(throttle.retryAfterSeconds('192.0.2.1') > 0)
  for (let at = 0; at < 100; at += 1) throttle.recordFailure(`198.51.100.${at}`, `user ${at}`)
  assert.equal(throttle.retryAfterSeconds('192.0.2.1'), 0)
})

test('an IPv6 network of one subscriber is one source, and a mapped IPv4 address is the IPv4 address', () => {
  assert.equal(toSource('2001:db8:1:2::1'), toSource('2001:db8:1:2:ffff:1:2:3'))
  assert.notEqual(toSource('2001:db8:1:2::1'), toSource('2001:db8:1:3::1'))
  assert.equal(toSource('::ffff:192.0.2.1'), toSource('192.0.2.1'))
  assert.equal(toSource('fe80::1%eth0'), toSource('fe80::2%eth1'))
  assert.equal(toSource('not an address'), 'not an address')
})
