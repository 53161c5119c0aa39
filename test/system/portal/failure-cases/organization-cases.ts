/** Writes of an administrator for the organization: teams, people, budgets. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import {
  asks,
  button,
  choose,
  type FailureCase,
  fill,
  has,
  inTurn,
  type Known,
  press,
  pressIn,
} from './failure-case.ts'

const budgets = 'modules/budgets/budget-subject.ts'
const teamPage = ({ team }: Known): string => `/teams/${team}`
const alicePage = ({ alice }: Known): string => `/users/${alice}`
const typedLimit = fill('Limit in US dollars', '77')
const limitIsKept = has('Limit in US dollars', '77')

/** Another amount each time: what was asked once is not asked again. */
let triedLimit = 100
const typeAnother = async (page: Page): Promise<void> => {
  triedLimit += 1
  await page.getByLabel('Limit in US dollars', { exact: true }).fill(String(triedLimit))
}

const teamCases: readonly FailureCase[] = [
  {
    site: 'modules/people/teams/team-form.tsx',
    operation: 'POST /admin/teams',
    path: '/teams',
    open: inTurn(press('New team'), fill('Name', 'typed')),
    act: press('Create team'),
    kept: has('Name', 'typed'),
  },
  {
    site: 'modules/people/teams/team-form.tsx',
    operation: 'PATCH /admin/teams/{team_id}',
    path: teamPage,
    open: inTurn(press('Rename'), fill('Name', 'typed')),
    act: pressIn('dialog', 'Rename'),
    kept: has('Name', 'typed'),
  },
  {
    site: 'modules/people/teams/team-detail.tsx',
    operation: 'DELETE /admin/teams/{team_id}',
    path: teamPage,
    open: press('Delete'),
    act: pressIn('alertdialog', 'Delete'),
    kept: asks,
  },
  {
    site: 'modules/people/teams/add-person.tsx',
    operation: 'PUT /admin/users/{user_id}/team',
    path: teamPage,
    open: inTurn(press('Add a person'), fill('Name', 'suspended')),
    act: press('Add suspended@example.com'),
    kept: has('Name', 'suspended'),
  },
  {
    site: 'modules/people/teams/members.tsx',
    operation: 'PUT /admin/users/{user_id}/team',
    path: teamPage,
    act: press('Take out alice@example.com'),
    kept: (page) => page.getByRole('link', { name: 'alice@example.com' }).waitFor(),
  },
]

const personCases: readonly FailureCase[] = [
  {
    site: 'modules/people/users/user-form.tsx',
    operation: 'POST /admin/users',
    path: '/users',
    open: inTurn(press('Add a person'), fill('Subject', 'typed@example.com')),
    act: pressIn('dialog', 'Add'),
    kept: has('Subject', 'typed@example.com'),
  },
  {
    site: 'modules/people/users/add-several.tsx',
    operation: 'POST /admin/users',
    path: '/users',
    open: inTurn(press('Add several'), fill('Addresses', 'one@example.com')),
    act: pressIn('dialog', 'Add them'),
    kept: has('Addresses', 'one@example.com'),
  },
  {
    site: 'modules/people/users/user-form.tsx',
    operation: 'PATCH /admin/users/{user_id}',
    path: alicePage,
    open: inTurn(press('Change'), fill('E-mail address', 'typed@example.com'), (page) =>
      page.getByLabel('Role').selectOption('admin'),
    ),
    act: pressIn('dialog', 'Save'),
    kept: inTurn(has('E-mail address', 'typed@example.com'), has('Role', 'admin')),
  },
  {
    site: 'modules/people/users/user-questions.tsx',
    operation: 'PATCH /admin/users/{user_id}',
    path: alicePage,
    open: press('Suspend'),
    act: pressIn('alertdialog', 'Suspend'),
    kept: asks,
  },
  {
    site: 'modules/people/users/user-questions.tsx',
    operation: 'DELETE /admin/users/{user_id}/identity',
    path: alicePage,
    open: press('Release identity'),
    act: pressIn('alertdialog', 'Release'),
    kept: asks,
  },
  {
    site: 'modules/people/users/user-questions.tsx',
    operation: 'DELETE /admin/users/{user_id}',
    path: alicePage,
    open: press('Delete'),
    act: pressIn('alertdialog', 'Delete'),
    kept: asks,
  },
  {
    site: 'modules/sign-in/sessions/end-questions.tsx',
    operation: 'DELETE /admin/users/{user_id}/sessions/{session_id}',
    path: alicePage,
    open: (page) => page.getByRole('button', { name: /^Sign out Chrome/ }).click(),
    act: pressIn('alertdialog', 'Sign out'),
    kept: asks,
  },
  {
    site: 'modules/sign-in/sessions/end-questions.tsx',
    operation: 'DELETE /admin/users/{user_id}/sessions',
    path: alicePage,
    open: press('Sign out everywhere'),
    act: pressIn('alertdialog', 'Sign out everywhere'),
    kept: asks,
  },
  {
    site: 'modules/people/users/user-detail.tsx',
    operation: 'PATCH /admin/users/{user_id}',
    path: ({ suspended }) => `/users/${suspended}`,
    act: press('Let back in'),
    kept: (page) => page.getByText('This person cannot sign in').waitFor(),
  },
  {
    site: 'modules/people/users/user-detail.tsx',
    operation: 'PUT /admin/users/{user_id}/team',
    path: alicePage,
    act: (page) =>
      page
        .getByLabel('Team', { exact: true })
        .selectOption('No team')
        .then(() => undefined),
    // The list shows the team that is in force, never one that was only clicked.
    kept: async (page) => {
      await page.getByRole('link', { name: 'Open team' }).waitFor()
      assert.notEqual(await page.getByLabel('Team', { exact: true }).inputValue(), '')
    },
  },
]

/** In bulk: the same writes from another place. */
const bulkCases: readonly FailureCase[] = [
  {
    site: 'modules/people/users/bulk-people.tsx',
    operation: 'PUT /admin/users/{user_id}/team',
    path: '/users?q=alice',
    open: inTurn(
      (page) => page.getByLabel('Choose alice@example.com').check(),
      press('Change team'),
      (page) => page.getByRole('dialog').getByLabel('Team', { exact: true }).selectOption('Platform'),
    ),
    act: press('Save team'),
    kept: async (page) =>
      assert.notEqual(await page.getByRole('dialog').getByLabel('Team', { exact: true }).inputValue(), ''),
  },
  {
    site: 'modules/people/users/bulk-people.tsx',
    operation: 'PATCH /admin/users/{user_id}',
    path: '/users?q=alice',
    open: inTurn((page) => page.getByLabel('Choose alice@example.com').check(), press('Suspend')),
    act: pressIn('alertdialog', 'Suspend'),
    kept: asks,
  },
  {
    site: 'modules/keys/key-writes.ts',
    operation: 'POST /admin/keys/{key_id}/revoke',
    path: '/keys?show=all',
    open: inTurn((page) => page.getByLabel('Choose alice-ci').check(), press('Revoke')),
    act: pressIn('alertdialog', 'Revoke'),
    kept: asks,
  },
]

const budgetCases: readonly FailureCase[] = [
  {
    site: 'extensions/budget-simulation/budget-preview.tsx',
    operation: 'POST /admin/budgets/simulate',
    path: '/budgets',
    open: press('Change default'),
    act: typeAnother,
    kept: async (page) => {
      await has('Limit in US dollars', String(triedLimit))(page)
      // A preview that fails is in nobody's way.
      assert.equal(await button(page, 'Save budget').isEnabled(), true)
    },
  },
  {
    site: budgets,
    operation: 'PUT /admin/teams/{team_id}/budget',
    path: teamPage,
    open: inTurn(press('Change budget'), typedLimit),
    act: press('Save budget'),
    kept: limitIsKept,
  },
  {
    site: budgets,
    operation: 'DELETE /admin/teams/{team_id}/budget',
    path: '/budgets',
    open: choose('Actions for Platform', 'Remove'),
    act: pressIn('alertdialog', 'Remove'),
    kept: asks,
  },
  {
    site: budgets,
    operation: 'PUT /admin/users/{user_id}/budget',
    path: '/budgets',
    open: inTurn(choose('Actions for alice@example.com', 'Change'), typedLimit),
    act: press('Save budget'),
    kept: limitIsKept,
  },
  {
    site: budgets,
    operation: 'DELETE /admin/users/{user_id}/budget',
    path: alicePage,
    open: press('Remove budget'),
    act: pressIn('alertdialog', 'Remove'),
    kept: asks,
  },
  {
    site: budgets,
    operation: 'PUT /admin/settings/{key}',
    path: '/budgets',
    open: inTurn(press('Change default'), typedLimit),
    act: press('Save budget'),
    kept: limitIsKept,
  },
  {
    site: budgets,
    operation: 'PUT /admin/settings/{key}',
    path: '/budgets',
    open: press('Remove default'),
    act: pressIn('alertdialog', 'Remove'),
    kept: inTurn(asks, (page) => button(page, 'Cancel').waitFor()),
  },
]

const typedAmount = fill('Amount in US dollars', '7')
const amountIsKept = has('Amount in US dollars', '7')
const typedNote = fill('Note', 'typed')
const noteIsKept = has('Note', 'typed')

const moreCases: readonly FailureCase[] = [
  {
    site: 'modules/budgets/top-up-form.tsx',
    operation: 'POST /admin/teams/{team_id}/budget/top-ups',
    path: teamPage,
    open: inTurn(press('Top up'), typedAmount),
    act: pressIn('dialog', 'Top up'),
    kept: amountIsKept,
  },
  {
    site: 'modules/budgets/top-up-form.tsx',
    operation: 'POST /admin/users/{user_id}/budget/top-ups',
    path: '/budgets',
    open: inTurn(choose('Actions for alice@example.com', 'Top up'), typedAmount),
    act: pressIn('dialog', 'Top up'),
    kept: amountIsKept,
  },
  {
    site: 'modules/budgets/top-up-list.tsx',
    operation: 'DELETE /admin/budgets/top-ups/{top_up_id}',
    path: alicePage,
    open: press('Take back'),
    act: pressIn('alertdialog', 'Take back'),
    kept: asks,
  },
  {
    site: 'modules/budgets/budget-requests/decision-forms.tsx',
    operation: 'POST /admin/budget-requests/{budget_request_id}/approve',
    path: '/budget-requests',
    open: inTurn(press('Approve what admin asks for'), typedAmount, typedNote),
    act: pressIn('dialog', 'Approve'),
    kept: inTurn(amountIsKept, noteIsKept),
  },
  {
    site: 'modules/budgets/budget-requests/decision-forms.tsx',
    operation: 'POST /admin/budget-requests/{budget_request_id}/decline',
    path: '/budget-requests',
    open: inTurn(press('Decline what admin asks for'), typedNote),
    act: pressIn('dialog', 'Decline'),
    kept: noteIsKept,
  },
]

const billCases: readonly FailureCase[] = [
  {
    site: 'extensions/reconciliation/reconcile.tsx',
    operation: 'POST /admin/analytics/reconciliation',
    path: '/org-analytics?tab=reconcile',
    act: (page) =>
      page
        .getByLabel('Report of the bill')
        .setInputFiles({ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from('Service,Total costs($)\n') }),
    kept: async (page) => {
      await page.getByText('bill.csv could not be compared').waitFor()
      await button(page, 'Try again').waitFor()
    },
  },
]

export const organizationCases: readonly FailureCase[] = [
  ...teamCases,
  ...personCases,
  ...bulkCases,
  ...budgetCases,
  ...moreCases,
  ...billCases,
]
