/** The refusals that routes declare, in the same words everywhere. */

export const badInput = { 400: { text: 'A parameter or field is not valid' } } as const
export const unknownId = { 404: { text: 'There is nothing with this id' } } as const

const noCredential = { 401: { text: 'No valid credential' } } as const

export const forAdmins = {
  ...noCredential,
  403: { text: 'Not an administrator and without a grant for it, or deactivated' },
  503: { text: 'There is no database, or it does not answer' },
} as const

/** Of routes that answer from memory, whatever the database does. */
export const forAdminsFromMemory = {
  ...noCredential,
  403: { text: 'Not an administrator and without a grant for it, or deactivated' },
} as const

export const forPersons = {
  ...noCredential,
  403: { text: 'A virtual key was sent, or the account is deactivated' },
  503: { text: 'There is no database, or it does not answer' },
} as const

export const forReaders = { ...noCredential, 403: { text: 'The account is deactivated' } } as const
