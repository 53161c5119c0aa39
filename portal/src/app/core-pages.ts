/** The pages of the modules. The palette lists them in this order. */

import { page as myRequests } from '../modules/analytics/my-requests/my-requests.page.ts'
import { page as orgAnalytics } from '../modules/analytics/reports/org-analytics.page.ts'
import { page as requestLink } from '../modules/analytics/requests/request-link.page.ts'
import { page as requests } from '../modules/analytics/requests/requests.page.ts'
import { page as sessions } from '../modules/analytics/sessions/sessions.page.ts'
import { page as budgetRequests } from '../modules/budgets/budget-requests/budget-requests.page.ts'
import { page as budgets } from '../modules/budgets/budgets.page.ts'
import { page as endpointDetail } from '../modules/endpoints/endpoint-detail.page.ts'
import { page as endpoints } from '../modules/endpoints/endpoints.page.ts'
import { page as keyDetail } from '../modules/keys/key-detail.page.ts'
import { page as keys } from '../modules/keys/keys.page.ts'
import { page as models } from '../modules/models/models.page.ts'
import { page as notifications } from '../modules/notifications/notifications.page.ts'
import { page as apiReference } from '../modules/operations/api-reference/api-reference.page.ts'
import { page as audit } from '../modules/operations/audit/audit.page.ts'
import { page as health } from '../modules/operations/health/health.page.ts'
import { page as teamDetail } from '../modules/people/teams/team-detail.page.ts'
import { page as teams } from '../modules/people/teams/teams.page.ts'
import { page as userDetail } from '../modules/people/users/user-detail.page.ts'
import { page as users } from '../modules/people/users/users.page.ts'
import { page as settings } from '../modules/settings/settings.page.ts'
import { page as access } from '../modules/sign-in/access/access.page.ts'
import { page as connect } from '../modules/sign-in/connect/connect.page.ts'
import { page as device } from '../modules/sign-in/device/device.page.ts'
import { page as signIn } from '../modules/sign-in/sign-in.page.ts'
import { page as mySearch } from '../modules/web-search/my-search/my-search.page.ts'
import { page as webSearch } from '../modules/web-search/web-search.page.ts'
import { page as home } from './home/home.page.ts'
import { page as mySettings } from './my-settings/my-settings.page.ts'
import type { PageDefinition } from './page-definition.ts'
import { page as welcome } from './welcome/welcome.page.ts'

export const corePages: readonly PageDefinition[] = [
  access,
  apiReference,
  audit,
  budgetRequests,
  budgets,
  connect,
  device,
  endpointDetail,
  endpoints,
  health,
  home,
  keyDetail,
  keys,
  models,
  myRequests,
  mySearch,
  mySettings,
  notifications,
  orgAnalytics,
  requestLink,
  requests,
  sessions,
  settings,
  signIn,
  teamDetail,
  teams,
  userDetail,
  users,
  webSearch,
  welcome,
]
