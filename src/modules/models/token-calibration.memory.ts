/**
 * How far the token estimate is off for each hosted model, learned from the usage the model itself reports. Models cut
 * the same text into up to a third more tokens than others. Lost on restart, which is safe: estimates start again from
 * factor 1, within a few per cent of the public tokenizer, and the first request of a model already corrects it.
 */

const MIN_FACTOR = 0.7
const MAX_FACTOR = 1.6
/** Beyond, the numbers do not belong together: another body, an image the estimate cannot see, a faulty count. */
const ABSURD_RATIO = 3
/** In short prompts the fixed additions outweigh the text that the factor is about. */
const MIN_SAMPLE_TOKENS = 500

/** Hardly any body this short has so many tokens, and its estimate would be made for nothing. */
const MIN_SAMPLED_BYTES = 2_200

/** Estimating costs half a millisecond per 100 KB, so that only some requests pay for it, more of them at first. */
const LEARNING_SAMPLES = 32
const LEARNING_INTERVAL = 16
const SETTLED_INTERVAL = 256
/** After a long prompt the next sample waits longer: shared by all requests, each reads at most this much. */
const SAMPLED_BYTES_PER_REQUEST = 4 * 1024
/** Beyond, one sample would hold up every other call of the process for too long. */
const MAX_SAMPLED_BYTES = 1024 * 1024

/** The newest sample never weighs less: a model that changes its tokenizer is followed within some forty samples. */
const MIN_WEIGHT = 1 / 16

/** Hosted ids come from the configured mappings; the bound only keeps a mistake there from growing without end. */
const MAX_MODELS = 1_000

interface ModelCalibration {
  factor: number
  samples: number
  /** Requests to let pass before the next sample. */
  pause: number
}

export interface TokenCalibration {
  /** Asked once per request; when true, the request's estimate should be made and given to `learn`. */
  readonly shouldSample: (hostedModelId: string, bodyBytes: number) => boolean
  /** `actualPromptTokens`: everything the model read, that is input plus cache reads plus cache writes. */
  readonly learn: (hostedModelId: string, estimatedTokens: number, actualPromptTokens: number) => void
  /** 1 for a model nothing is known about. */
  readonly factorFor: (hostedModelId: string) => number
  readonly calibratedEstimate: (hostedModelId: string, estimatedTokens: number) => number
  /** Models in memory. */
  readonly size: () => number
}

export function createTokenCalibration(maxModels = MAX_MODELS): TokenCalibration {
  const models = new Map<string, ModelCalibration>()

  function ensure(hostedModelId: string): ModelCalibration {
    let model = models.get(hostedModelId)
    if (model !== undefined) return model
    model = { factor: 1, samples: 0, pause: 0 }
    models.set(hostedModelId, model)
    if (models.size > maxModels) dropOldest(models)
    return model
  }

  const factorFor = (hostedModelId: string): number => models.get(hostedModelId)?.factor ?? 1

  return {
    shouldSample: (hostedModelId, bodyBytes) => {
      if (bodyBytes < MIN_SAMPLED_BYTES) return false
      const model = ensure(hostedModelId)
      if (model.pause > 0) {
        model.pause -= 1
        return false
      }
      if (bodyBytes > MAX_SAMPLED_BYTES) return false
      const interval = model.samples < LEARNING_SAMPLES ? LEARNING_INTERVAL : SETTLED_INTERVAL
      model.pause = Math.max(interval, Math.ceil(bodyBytes / SAMPLED_BYTES_PER_REQUEST)) - 1
      return true
    },
    learn: (hostedModelId, estimatedTokens, actualPromptTokens) => {
      const ratio = actualPromptTokens / estimatedTokens
      if (!isUsable(estimatedTokens, actualPromptTokens, ratio)) return
      const model = ensure(hostedModelId)
      model.samples += 1
      // The unlearned factor of 1 counts as one sample, so that a single odd request does not set the tone alone.
      const weight = Math.max(MIN_WEIGHT, 1 / (model.samples + 1))
      model.factor += weight * (clampFactor(ratio) - model.factor)
    },
    factorFor,
    calibratedEstimate: (hostedModelId, estimatedTokens) => Math.ceil(estimatedTokens * factorFor(hostedModelId)),
    size: () => models.size,
  }
}

function isUsable(estimatedTokens: number, actualPromptTokens: number, ratio: number): boolean {
  if (!(estimatedTokens >= MIN_SAMPLE_TOKENS && actualPromptTokens > 0)) return false
  return ratio <= ABSURD_RATIO && ratio >= 1 / ABSURD_RATIO
}

function clampFactor(ratio: number): number {
  return Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, ratio))
}

function dropOldest(models: Map<string, ModelCalibration>): void {
  for (const hostedModelId of models.keys()) {
    models.delete(hostedModelId)
    return
  }
}
