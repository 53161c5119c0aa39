/** Who was active when. */
import { z } from 'zod'
import { listBuckets } from '../../foundation/domain/usage-range.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { analyticsRoute } from './analytics-route.service.ts'
import { bucketTime } from './usage-records.ts'
import { createUsageSeries } from './usage-series.store.ts'

export function activityRoute(ports: RoutePorts): Route {
  return analyticsRoute(ports, {
    path: 'org/activity',
    summary: 'Active people over time and calls by hour of the week',
    description:
      'Somebody is `active` with one call, `new` in the bucket of the first call that the gateway ever recorded of them, `returning` otherwise. `heatmap` has every hour of the week in the zone; weekday 0 is Monday.',
    fields: {
      active_users: z.array(z.object({ bucket: z.iso.datetime(), active: z.int(), new: z.int(), returning: z.int() })),
      heatmap: z.array(z.object({ weekday: z.int(), hour: z.int(), requests: z.int() })),
    },
    answer: async ({ database, range, filter }) => {
      const buckets = listBuckets(range)
      const { active, hours } = await readUsage(database.kysely, async (reader) => {
        const store = createUsageSeries(reader)
        return {
          active: await store.active(buckets, filter),
          hours: await store.heatmap(listBuckets(range, 'day'), range.tz, filter),
        }
      })
      const people = new Map(active.map((row) => [row.bucket, row]))
      const requests = new Map(hours.map((row) => [row.weekday * 24 + row.hour, row.requests]))
      return {
        active_users: buckets.map(({ startMs }, index) => {
          const { active, fresh } = people.get(index) ?? { active: 0, fresh: 0 }
          return { bucket: bucketTime(startMs), active, new: fresh, returning: active - fresh }
        }),
        heatmap: Array.from({ length: 168 }, (_, hour) => ({
          weekday: Math.floor(hour / 24),
          hour: hour % 24,
          requests: requests.get(hour) ?? 0,
        })),
      }
    },
  })
}
