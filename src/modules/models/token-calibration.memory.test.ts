import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCalibration, type TokenCalibration } from './token-calibration.memory.ts'

const MODEL = 'us.anthropic.claude-opus-4-8'
const BODY_BYTES = 40_000

function learnTimes(calibration: TokenCalibration, times: number, actualPromptTokens: number): void {
  for (let time = 0; time < times; time += 1) calibration.learn(MODEL, 10_000, actualPromptTokens)
}

function samplesAmong(calibration: TokenCalibration, requests: number, id = MODEL, bodyBytes = BODY_BYTES): number {
  return Array.from({ length: requests }, () => calibration.shouldSample(id, bodyBytes)).filter(Boolean).length
}

test('a model nothing is known about is not corrected', () => {
  const calibration = createTokenCalibration()
  assert.equal(calibration.factorFor(MODEL), 1)
  assert.equal(calibration.calibratedEstimate(MODEL, 1_234), 1_234)
})

test('the factor converges to what the model reports, also with noise', () => {
  const calibration = createTokenCalibration()
  for (let sample = 0; sample < 64; sample += 1)
    calibration.learn(MODEL, 20_000, 20_000 * (1.3 + 0.1 * Math.sin(sample)))
  assert.ok(Math.abs(calibration.factorFor(MODEL) - 1.3) < 0.05, String(calibration.factorFor(MODEL)))
  assert.ok(Math.abs(calibration.calibratedEstimate(MODEL, 10_000) - 13_000) < 500)
})

test('a model that changes its tokenizer is followed within some forty samples', () => {
  const calibration = createTokenCalibration()
  learnTimes(calibration, 500, 9_000)
  learnTimes(calibration, 40, 13_000)
  assert.ok(Math.abs(calibration.factorFor(MODEL) - 1.3) < 0.05, String(calibration.factorFor(MODEL)))
})

test('the factor stays between 0.7 and 1.6', () => {
  const high = createTokenCalibration()
  learnTimes(high, 200, 29_000)
  assert.ok(high.factorFor(MODEL) <= 1.6 && high.factorFor(MODEL) > 1.59)
  const low = createTokenCalibration()
  learnTimes(low, 200, 4_000)
  assert.ok(low.factorFor(MODEL) >= 0.7 && low.factorFor(MODEL) < 0.71)
})

test('absurd and tiny samples change nothing', () => {
  const calibration = createTokenCalibration()
  for (const [estimated, actual] of [
    [10_000, 0],
    [10_000, -5],
    [10_000, Number.NaN],
    [10_000, Number.POSITIVE_INFINITY],
    [10_000, 31_000],
    [10_000, 3_000],
    [0, 5_000],
    [Number.NaN, 5_000],
    [499, 600],
  ] as const)
    calibration.learn(MODEL, estimated, actual)
  assert.equal(calibration.factorFor(MODEL), 1)
})

test('the first request is sampled, then one in 16 until 32 samples are learned, then one in 256', () => {
  const calibration = createTokenCalibration()
  assert.equal(calibration.shouldSample(MODEL, BODY_BYTES), true)
  assert.equal(samplesAmong(calibration, 15), 0)
  assert.equal(samplesAmong(calibration, 160), 10)
  learnTimes(calibration, 32, 10_000)
  assert.equal(samplesAmong(calibration, 2_560), 10)
})

test('long prompts are sampled so rarely that each request pays for 4 KiB, and very long ones never', () => {
  const calibration = createTokenCalibration()
  assert.equal(samplesAmong(calibration, 1_000, MODEL, 400 * 1024), 10)
  assert.equal(samplesAmong(calibration, 1_000, 'another', 1024 * 1024 + 1), 0)
  assert.equal(samplesAmong(calibration, 1, 'another', 1024 * 1024), 1)
})

test('models are sampled and corrected apart from each other', () => {
  const calibration = createTokenCalibration()
  learnTimes(calibration, 40, 12_000)
  assert.equal(calibration.factorFor('another'), 1)
  assert.equal(samplesAmong(calibration, 16, 'another'), 1)
})

test('the number of models is bounded; the oldest is forgotten', () => {
  const calibration = createTokenCalibration(3)
  for (const id of ['a', 'b', 'c', 'd']) calibration.learn(id, 10_000, 12_000)
  assert.equal(calibration.size(), 3)
  assert.equal(calibration.factorFor('a'), 1)
  assert.notEqual(calibration.factorFor('d'), 1)
})
