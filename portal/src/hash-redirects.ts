/** Where bookmarks of older portals lead now. */
export const hashRedirects: Readonly<Record<string, string>> = {
  setup: '/connect',
  dashboard: '/',
  members: '/users',
  pricing: '/models?tab=prices',
  websearch: '/web-search',
}
