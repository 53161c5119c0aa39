type Payload = Record<string, unknown>
type Stored = { payload: Payload; readonly expiresAtMs: number }

export type OidcAdapter = {
  upsert(id: string, payload: Payload, expiresInSeconds?: number): Promise<void>
  find(id: string): Promise<Payload | undefined>
  findByUid(uid: string): Promise<Payload | undefined>
  findByUserCode(code: string): Promise<Payload | undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(grantId: string): Promise<void>
}

/** Outlives the provider object, which is rebuilt when keys or users change: logins under way must not be lost. */
export function createOidcStore(): (model: string) => OidcAdapter {
  const stored = new Map<string, Stored>()
  return (model) => {
    const toKey = (id: string): string => `${model}:${id}`
    const find = (id: string): Payload | undefined => {
      const item = stored.get(toKey(id))
      return item && item.expiresAtMs > Date.now() ? item.payload : undefined
    }
    const findBy = (field: string, value: string): Payload | undefined => {
      for (const [key, { payload }] of stored)
        if (key.startsWith(`${model}:`) && payload[field] === value) return payload
      return undefined
    }
    return {
      async upsert(id, payload, expiresInSeconds) {
        const expiresAtMs =
          expiresInSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresInSeconds * 1000
        stored.set(toKey(id), { payload, expiresAtMs })
      },
      find: async (id) => find(id),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (code) => findBy('userCode', code),
      async consume(id) {
        const payload = find(id)
        if (payload) payload['consumed'] = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        stored.delete(toKey(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of stored) if (payload['grantId'] === grantId) stored.delete(key)
      },
    }
  }
}
