/** Writes of a person for themself: signing in and out, confirming a program, keys, the search provider. */
import assert from 'node:assert/strict'
import { asks, button, choose, type FailureCase, fill, has, inTurn, press, pressIn } from './failure-case.ts'

const keyWrites = 'modules/keys/key-writes.ts'
const searchPage = 'modules/web-search/my-search/my-search.tsx'

const typedProvider = inTurn(
  (page) => page.getByLabel('Provider', { exact: true }).selectOption('custom'),
  fill('Address', 'https://search.example.com/typed'),
)
const providerIsKept = has('Address', 'https://search.example.com/typed')

const newKey = inTurn(press('New key'), fill('Name', 'typed'))
const oldKeyEnds = inTurn((page) => page.getByLabel('The old key works for another').selectOption('3600'))
const isStillAsked = (page: Parameters<typeof asks>[0]) => page.getByRole('heading', { name: 'Is this you?' }).waitFor()

function keyCases(owner: 'me' | 'admin'): readonly FailureCase[] {
  const as = owner === 'me' ? 'member' : 'administrator'
  const path = owner === 'me' ? '/keys' : '/keys?show=all'
  const shared = { site: keyWrites, as, path } as const
  return [
    {
      ...shared,
      operation: `POST /${owner}/keys`,
      open: newKey,
      act: press('Create key'),
      kept: has('Name', 'typed'),
    },
    {
      ...shared,
      operation: `POST /${owner}/keys/{key_id}/rotate`,
      open: inTurn(choose('Actions for alice-ci', 'Rotate'), oldKeyEnds),
      act: press('Rotate'),
      kept: has('The old key works for another', '3600'),
    },
    {
      ...shared,
      operation: `POST /${owner}/keys/{key_id}/revoke`,
      open: choose('Actions for alice-ci', 'Revoke'),
      act: pressIn('alertdialog', 'Revoke'),
      kept: asks,
    },
  ]
}

export const ownCases: readonly FailureCase[] = [
  {
    site: 'app/home/ask-form.tsx',
    operation: 'POST /me/budget/requests',
    as: 'member',
    path: '/',
    open: inTurn(press('Ask for more'), fill('How much more, in US dollars', '12'), fill('What for', 'typed')),
    act: pressIn('dialog', 'Ask'),
    kept: inTurn(has('How much more, in US dollars', '12'), has('What for', 'typed')),
  },
  {
    site: 'app/home/ask-form.tsx',
    operation: 'DELETE /me/budget/requests/{budget_request_id}',
    as: 'administrator',
    path: '/',
    open: press('Withdraw'),
    act: pressIn('alertdialog', 'Withdraw'),
    kept: asks,
  },
  {
    site: 'extensions/saved-views/save-view.tsx',
    operation: 'PUT /me/views/{name}',
    path: '/org-analytics?days=7',
    open: inTurn(choose('Views', 'Save this view'), fill('Name', 'typed')),
    act: press('Save view'),
    kept: has('Name', 'typed'),
  },
  {
    site: 'extensions/saved-views/delete-views.tsx',
    operation: 'DELETE /me/views/{name}',
    path: '/requests',
    open: choose('Views', 'Delete a view'),
    act: press('Delete Month close'),
    kept: (page) => button(page, 'Delete Month close').waitFor(),
  },
  {
    site: 'modules/sign-in/sign-in-ways.tsx',
    operation: 'POST /auth/login',
    as: 'nobody',
    path: '/',
    open: inTurn(
      (page) => page.getByText('Admin password').click(),
      fill('User name', 'typed'),
      fill('Password', 'secret'),
    ),
    act: press('Sign in'),
    kept: inTurn(has('User name', 'typed'), has('Password', 'secret')),
  },
  {
    site: 'api/session.ts',
    operation: 'POST /auth/logout',
    as: 'member',
    path: '/',
    open: (page) => page.getByRole('button', { name: /alice@example\.com/ }).click(),
    act: press('Sign out'),
    kept: (page) => button(page, 'Sign out').waitFor(),
  },
  {
    site: 'modules/sign-in/sessions/end-questions.tsx',
    operation: 'DELETE /me/sessions/{session_id}',
    as: 'member',
    path: '/me/settings',
    open: (page) => page.getByRole('button', { name: /^Sign out Chrome/ }).click(),
    act: pressIn('alertdialog', 'Sign out'),
    kept: asks,
  },
  {
    site: 'modules/sign-in/sessions/end-questions.tsx',
    operation: 'DELETE /me/sessions',
    as: 'member',
    path: '/me/settings',
    open: press('Sign out everywhere'),
    act: pressIn('alertdialog', 'Sign out everywhere'),
    kept: asks,
  },
  {
    site: 'modules/sign-in/device/device.tsx',
    operation: 'POST /auth/cli/complete',
    as: 'member',
    path: ({ cliCode }) => `/device?user_code=${cliCode}&kind=cli`,
    act: press('Yes, sign it in'),
    kept: isStillAsked,
  },
  {
    site: 'modules/sign-in/device/device.tsx',
    operation: 'POST /device',
    as: 'member',
    path: ({ deviceCode }) => `/device?user_code=${deviceCode}`,
    act: press('No'),
    kept: isStillAsked,
  },
  ...keyCases('me'),
  ...keyCases('admin'),
  {
    site: 'modules/keys/key-question.tsx',
    operation: 'DELETE /admin/keys/{key_id}',
    path: '/keys?show=all&status=revoked',
    open: choose('Actions for revoked-ci', 'Delete'),
    act: pressIn('alertdialog', 'Delete'),
    kept: asks,
  },
  {
    site: searchPage,
    operation: 'PUT /me/search-provider',
    as: 'member',
    path: '/me/search',
    open: typedProvider,
    act: press('Save'),
    kept: providerIsKept,
  },
  {
    site: searchPage,
    operation: 'POST /me/search-provider/test',
    as: 'member',
    path: '/me/search',
    open: typedProvider,
    act: press('Test'),
    kept: providerIsKept,
  },
  {
    site: searchPage,
    operation: 'DELETE /me/search-provider',
    as: 'member',
    path: '/me/search',
    open: press('Remove'),
    act: pressIn('alertdialog', 'Remove'),
    kept: asks,
  },
  {
    site: 'modules/web-search/web-search.tsx',
    operation: 'PUT /admin/websearch-mode',
    path: '/web-search',
    open: typedProvider,
    act: press('Save'),
    kept: providerIsKept,
  },
  {
    site: 'modules/web-search/web-search.tsx',
    operation: 'PUT /admin/websearch-mode',
    path: '/web-search',
    // The choice goes back to what is in force: what the gateway refused must not look chosen.
    act: (page) => page.getByRole('radio', { name: /^Off/ }).click(),
    kept: async (page) => {
      await page.locator('input[value=enabled]:checked').waitFor()
      assert.equal(await page.getByRole('radio', { name: /^Off/ }).isChecked(), false)
    },
  },
  {
    site: 'modules/web-search/web-search.tsx',
    operation: 'POST /admin/websearch-mode/test',
    path: '/web-search',
    open: typedProvider,
    act: press('Test'),
    kept: providerIsKept,
  },
]
