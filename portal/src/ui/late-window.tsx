/** What opens over a page comes with its first opening: a page that is only looked at does not load its windows and forms. */
import { type FunctionComponent, lazy, Suspense } from 'react'

export function lateWindow<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  const Late = lazy(async () => ({ default: await load() }))
  return function LateWindow(props: Props) {
    return (
      <Suspense fallback={null}>
        <Late {...props} />
      </Suspense>
    )
  }
}
