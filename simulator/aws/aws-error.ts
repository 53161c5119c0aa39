export type AwsErrorDetail = {
  readonly status: number
  readonly type: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown anywhere while a call is served; the face turns it into the wire form of the call's protocol. */
export class AwsError extends Error {
  readonly detail: AwsErrorDetail
  constructor(detail: AwsErrorDetail) {
    super(detail.message)
    this.name = detail.type
    this.detail = detail
  }
}

export function awsError(status: number, type: string, message: string): AwsError {
  return new AwsError({ status, type, message })
}

export function validationError(message: string): AwsError {
  return awsError(400, 'ValidationException', message)
}

export function extraInput(path: string): AwsError {
  return validationError(`${path}: Extra inputs are not permitted`)
}
