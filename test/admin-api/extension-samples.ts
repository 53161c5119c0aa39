import { newId } from '../../src/foundation/platform/ids.ts'
import { adminsOnly, forBilling } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'GET /v1/organizations/usage_report/messages': forBilling,
    'GET /v1/organizations/cost_report': forBilling,
    'GET /v1/organizations/me': forBilling,
    'GET /v1/organizations/users': forBilling,
    'GET /v1/organizations/users/{user_id}': forBilling,
    'GET /v1/organizations/workspaces': forBilling,
    'GET /v1/organizations/workspaces/{workspace_id}': forBilling,
    'GET /v1/organizations/spend_limits': forBilling,
    'GET /v1/organizations/spend_limits/{spend_limit_id}': forBilling,
    'GET /v1/organizations/spend_limits/effective': forBilling,
    'GET /v1/organizations/spend_limit_increase_requests': forBilling,
    'GET /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}': forBilling,
    'POST /v1/organizations/spend_limits': adminsOnly,
    'DELETE /v1/organizations/spend_limits/{spend_limit_id}': adminsOnly,
    'POST /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/approve': adminsOnly,
    'POST /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/deny': adminsOnly,
  },
  grants: {
    'GET /v1/organizations/spend_limits': ['billing:read'],
    'GET /v1/organizations/spend_limits/{spend_limit_id}': ['billing:read'],
    'GET /v1/organizations/spend_limits/effective': ['billing:read'],
    'GET /v1/organizations/spend_limit_increase_requests': ['billing:read'],
    'GET /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}': ['billing:read'],
    'GET /v1/organizations/usage_report/messages': ['billing:read'],
    'GET /v1/organizations/cost_report': ['billing:read'],
    'GET /v1/organizations/me': ['billing:read'],
    'GET /v1/organizations/users': ['billing:read'],
    'GET /v1/organizations/users/{user_id}': ['billing:read'],
    'GET /v1/organizations/workspaces': ['billing:read'],
    'GET /v1/organizations/workspaces/{workspace_id}': ['billing:read'],
  },
  accessBelow: {
    '/v1/organizations/': 'an administrator',
  },
  bodies: {
    'POST /v1/organizations/spend_limits': ({ userId }) => ({
      amount: '500',
      scope: { type: 'user', user_id: userId },
    }),
    'POST /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/approve': () => ({
      amount: '50000',
      suppress_notification: true,
    }),
    'POST /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/deny': () => ({
      suppress_notification: true,
    }),
  },
  queries: {
    'GET /v1/organizations/usage_report/messages': 'starting_at=2026-01-01T00:00:00Z',
    'GET /v1/organizations/cost_report': 'starting_at=2026-01-01T00:00:00Z',
  },
  pathValues: ({ teamId, userId, budgetRequestId }) => ({
    workspace_id: teamId,
    spend_limit_increase_request_id: budgetRequestId ?? newId(),
    spend_limit_id: `spl_user_${userId}`,
  }),
  fromMemory: ['GET /v1/organizations/me'],
}
