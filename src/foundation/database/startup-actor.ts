/** The name under which the gateway's own writes stand in the audit trail. */
export const startupActor = { name: 'startup', sourceAddress: null, requestId: null } as const
