/** How a person came to have a session: in a browser, for a terminal, or by the client's own sign-in. */
export const signInVias = ['password', 'sso', 'cli', 'device'] as const
export type SignInVia = (typeof signInVias)[number]
