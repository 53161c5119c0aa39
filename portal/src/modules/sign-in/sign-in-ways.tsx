/** The ways in: identity providers, the one used last here first, and the administrator's password when it is on. */
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ApiError, toApiError } from '../../api/api-error.ts'
import { type Answer, api } from '../../api/client.ts'
import { rememberReturnTo } from '../../app/address.ts'
import { ButtonAnchor } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Callout } from '../../ui/states.tsx'

type Ways = Answer<'/auth/providers', 'get'>

const LAST_PROVIDER = 'causeway.last-provider'

export function SignInWays({ ways, isInNewTab = false }: { readonly ways: Ways; readonly isInNewTab?: boolean }) {
  const last = localStorage.getItem(LAST_PROVIDER)
  const providers = [...ways.providers].sort((a, b) => Number(b.id === last) - Number(a.id === last))
  const codeQuery = useCodeQuery()
  return (
    <div className="flex flex-col gap-2">
      {providers.map((provider, index) => (
        <ButtonAnchor
          key={provider.id}
          href={`/auth/sso/${encodeURIComponent(provider.id)}/start${codeQuery}`}
          tone={index === 0 ? 'primary' : 'plain'}
          isWide
          {...(index === 0 ? { 'data-first-place': true } : {})}
          {...(isInNewTab ? { target: '_blank', rel: 'noopener' } : {})}
          onClick={() => {
            localStorage.setItem(LAST_PROVIDER, provider.id)
            // A new tab leaves this one where it is.
            if (!isInNewTab) rememberReturnTo()
          }}
        >
          <span className="truncate">Continue with {provider.name}</span>
        </ButtonAnchor>
      ))}
      {providers.length === 0 && !ways.admin_login_enabled && (
        <Callout tone="warn" title="No way to sign in is switched on">
          Whoever runs this gateway can start it with ADMIN_PASSWORD_ENABLE=true to let the administrator in.
        </Callout>
      )}
      {ways.admin_login_enabled && (
        <details open={providers.length === 0} className="mt-1 [&[open]>summary]:mb-3">
          <summary className="min-h-6 rounded-6 text-text-2 hover:text-text-1">Admin password</summary>
          <PasswordForm />
        </details>
      )}
    </div>
  )
}

/** So that a person who came to confirm a code is led back to it. */
function useCodeQuery(): string {
  const { pathname } = useLocation()
  const { user_code: code = '', kind } = useSearch({ strict: false }) as { user_code?: string; kind?: string }
  if (pathname !== '/device' || code === '') return ''
  return `?${kind === 'cli' ? 'cli' : 'device'}=${encodeURIComponent(code)}`
}

const credentials = z.object({
  username: z.string().check(z.minLength(1, 'Enter the user name.')),
  password: z.string().check(z.minLength(1, 'Enter the password.')),
})

function PasswordForm() {
  const cache = useQueryClient()
  return (
    <Form
      label="Admin password"
      schema={credentials}
      defaults={{ username: '', password: '' }}
      submit="Sign in"
      failureTitle="You are not signed in"
      onSubmit={async (body) => {
        try {
          await api.post('/auth/login', { body })
        } catch (error) {
          throw withNextStep(toApiError(error))
        }
        await cache.invalidateQueries({ queryKey: ['/auth/me'] })
      }}
    >
      <TextField name="username" label="User name" autoComplete="username" />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
    </Form>
  )
}

/** What to do about it, which only the page knows. */
function withNextStep(error: ApiError): ApiError {
  const next: Readonly<Record<number, string>> = {
    401: 'Check both and try again. This is the password of the gateway itself, not of your company account.',
    403: 'Use your company account above, or ask whoever runs this gateway.',
    429: 'Wait a few minutes, or sign in with your company account.',
  }
  const step = next[error.status]
  if (step === undefined) return error
  return new ApiError(`${error.message} ${step}`, {
    status: error.status,
    code: error.code,
    details: error.details,
    requestId: error.requestId,
  })
}
