/** An address of one request leads to the log with that request open. */
import { Navigate, useParams } from '@tanstack/react-router'

export function RequestLinkPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return <Navigate to={'/requests' as never} search={{ id } as never} replace />
}
