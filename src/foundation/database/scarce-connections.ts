/** Connections while the server has none left to give: those that are open must do, and whoever wants one waits for them. */
import pg from 'pg'

/** The limit of the server, of the role or of the database is reached. */
const NONE_LEFT = '53300'

/** When the server is asked for more again: each refusal costs it a process. Soon where not a single one is open. */
const ASK_AGAIN_MS = { some: 10_000, none: 250 } as const

export interface ScarcePool {
  readonly pool: pg.Pool
  /** Waits no longer than the pool does for a connection. */
  readonly take: () => Promise<pg.PoolClient>
}

type Connected = (error: Error) => void

function isNoneLeft(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === NONE_LEFT
}

export function createScarcePool(config: pg.PoolConfig): ScarcePool {
  let open = 0
  let asking: NodeJS.Timeout | undefined

  const askAgain = (): void => {
    pool.options.max = wanted
    // Those who wait are served by what others give back: one asks for all of them.
    if (pool.waitingCount > 0) pool.connect().then((client) => client.release(), ignore)
  }

  const makeDo = (): void => {
    pool.options.max = open
    clearTimeout(asking)
    asking = setTimeout(askAgain, open > 0 ? ASK_AGAIN_MS.some : ASK_AGAIN_MS.none).unref()
  }

  /** The pool asks for the next one right after a failure: that it has to make do must be known before. */
  class Client extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(done: Connected): undefined
    override connect(done?: Connected): Promise<pg.Client> | undefined {
      if (done === undefined) return super.connect()
      super.connect((error: Error | null) => {
        if (isNoneLeft(error)) makeDo()
        done(error as Error)
      })
      return undefined
    }
  }

  const pool = new pg.Pool({ ...config, Client })
  const { max: wanted, connectionTimeoutMillis: waitMs = 0 } = pool.options
  pool.on('connect', () => {
    open += 1
  })
  pool.on('remove', () => {
    open -= 1
  })
  return {
    pool,
    take: async () => {
      const untilMs = performance.now() + waitMs
      for (;;)
        try {
          return await pool.connect()
        } catch (error) {
          if (!isNoneLeft(error) || performance.now() >= untilMs) throw error
        }
    },
  }
}

function ignore(): void {
  // Whoever waits is told by the pool.
}
