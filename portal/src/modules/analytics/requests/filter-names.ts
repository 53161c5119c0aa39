/** What the address of a list of calls may ask for. */

/** Those that come with a link and are shown as chips, by the word on them. */
export const chips = {
  team: 'Team',
  user: 'Person',
  model: 'Model',
  endpoint: 'Endpoint',
  key: 'Key',
  session_id: 'Session',
  tool: 'Tool',
  flag: 'Flag',
} as const

export const filterNames: readonly string[] = ['status', ...Object.keys(chips)]
