/** What each runtime setting means for a person, and how it is edited. */
export interface SettingText {
  readonly label: string
  readonly text: string
  readonly kind: 'switch' | 'days' | 'hours' | 'US dollars' | 'time zone' | 'choice' | 'elsewhere'
  /** For `choice`: the values, and what each is called. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** For `elsewhere`: the page that edits it. */
  readonly place?: { readonly path: string; readonly label: string }
  /** For a switch that shuts somebody out: what is asked before it is switched off. */
  readonly whenOff?: { readonly title: string; readonly text: string }
}

export const settingTexts: Readonly<Record<string, SettingText>> = {
  virtual_keys_enabled: {
    label: 'Virtual keys',
    text: 'Off: every key is refused, and only people who sign in are served.',
    kind: 'switch',
    whenOff: {
      title: 'Switch virtual keys off?',
      text: 'Whatever calls with a key is refused within five seconds: programs, pipelines, and clients that were set up with one. The keys stay and work again once this is on.',
    },
  },
  admin_login_enabled: {
    label: 'Sign-in with the admin password',
    text: 'Off: only identity providers sign people in. ADMIN_PASSWORD_ENABLE in the environment is the way back.',
    kind: 'switch',
    whenOff: {
      title: 'Switch the admin password off?',
      text: 'Nobody can sign in with it any more. Whoever has is still signed in until the session ends. Make sure first that an administrator can sign in through an identity provider.',
    },
  },
  session_token_ttl_hours: {
    label: 'Length of a session',
    text: 'A shorter one also ends sessions that are older than it.',
    kind: 'hours',
  },
  capability_probe_aip: {
    label: 'Probe application profiles',
    text: 'Asks profiles behind overrides which betas they take, with calls of a few tokens.',
    kind: 'switch',
  },
  spend_retention_days: {
    label: 'Keep records of calls',
    text: 'Older ones are dropped, a day at a time. Sums for charts go with them.',
    kind: 'days',
  },
  audit_retention_days: { label: 'Keep the audit trail', text: 'Older entries are deleted.', kind: 'days' },
  digest_time_zone: {
    label: 'Time zone of the weekly digest',
    text: 'Whose Monday to Sunday it is about, and whose Monday at 08:00 it is sent; such as Europe/Berlin.',
    kind: 'time zone',
  },
  unpriced_models: {
    label: 'Models without a price',
    text: 'An estimate uses the highest known rates of the model’s family. Rejected requests get an error that explains what to do.',
    kind: 'choice',
    choices: [
      { value: 'estimate', label: 'Charge an estimate' },
      { value: 'refuse', label: 'Reject requests' },
    ],
  },
  store_failure_messages: {
    label: 'Store failure messages',
    text: 'Request records keep the error message and the limit of a failed request. If off, they keep only the kind and code.',
    kind: 'switch',
  },
  websearch_mode: {
    label: 'Web search',
    text: 'Who answers searches of the models.',
    kind: 'elsewhere',
    place: { path: '/web-search', label: 'Web search' },
  },
  websearch_price_usd: {
    label: 'Price of a web search',
    text: 'Charged with the call that made it. 0 when the search service costs nothing for each search.',
    kind: 'US dollars',
  },
  default_budget: {
    label: 'Default budget',
    text: 'For people without a budget of their own or of their team.',
    kind: 'elsewhere',
    place: { path: '/budgets', label: 'Budgets' },
  },
}
