/** A configuration of an endpoint that works and probably is a mistake. It does not change the endpoint's health. */

export const endpointWarningCodes = ['override_model_mismatch', 'no_inference_profile'] as const

export interface EndpointWarning {
  readonly code: (typeof endpointWarningCodes)[number]
  /** The override that the warning is about; null when it is about the endpoint itself. */
  readonly modelId: string | null
  readonly message: string
}
