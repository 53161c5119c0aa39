/** What a list of calls says when it is empty: the way to the first call, or out of the filters that hide the others. */
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { filterNames } from './filter-names.ts'

const narrowing = [...filterNames, 'days', 'from', 'to']

export function useEmptyLog(title: string) {
  const [state, setState] = useUrlState()
  const inForce = narrowing.filter((name) => state[name] !== undefined)
  if (inForce.length === 0)
    return {
      title,
      text: 'They appear here with the first call.',
      action: <ButtonLink to="/connect">Connect a client</ButtonLink>,
    }
  const cleared = Object.fromEntries([...inForce, 'cursor'].map((name) => [name, undefined]))
  return {
    title: 'Nothing fits these filters',
    text: 'Choose a longer time, or take filters away.',
    action: <Button onClick={() => setState(cleared)}>Clear filters</Button>,
  }
}
