/** Switching kinds of events on and off, for the active destination. */
import { api } from '../../api/client.ts'
import { useWrite } from '../../api/queries.ts'
import type { Categories } from './categories.ts'
import { configPath } from './destination.ts'

export function useSwitchCategory() {
  return useWrite(
    (chosen: Partial<Categories>) => api.put('/admin/notifications/categories', { body: { categories: chosen } }),
    { refreshes: configPath, done: 'The categories are saved.' },
  )
}
