/** Where a person says who they are: one button for each identity provider, the administrator's password folded below. */
import { Navigate, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useGet } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Logo } from '../../ui/logo.tsx'
import { QueryView } from '../../ui/states.tsx'
import { SignInWays } from './sign-in-ways.tsx'

export function SignInPage() {
  const { pathname } = useLocation()
  const session = useSession()
  const health = useGet('/health')
  const providers = useGet('/auth/providers')
  useEffect(() => {
    document.title = 'Sign in · Causeway'
  }, [])
  if (session.kind === 'signed-in' && pathname === '/login') return <Navigate to="/" replace />
  const isForProgram = pathname === '/device'
  return (
    <div className="mx-auto max-w-sm">
      <div className="mb-6 flex flex-col items-center gap-3 text-center">
        <Logo size={40} />
        <div>
          <h1 className="text-20 font-semibold tracking-tight">Sign in</h1>
          <p className="mt-1 text-text-2">
            {isForProgram
              ? 'A program on a computer asks to be signed in. First tell us who you are.'
              : 'Causeway connects your coding assistant to your company’s models.'}
          </p>
        </div>
      </div>
      <div className="rounded-12 border border-line bg-surface p-5">
        <QueryView query={providers} rows={3}>
          {(data) => <SignInWays ways={data} />}
        </QueryView>
      </div>
      <p className="mt-4 text-center text-12 text-text-3">
        {location.host}
        {health.data !== undefined && ` · version ${health.data.version}`}
      </p>
    </div>
  )
}
