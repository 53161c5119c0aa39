/** Who may call a route. Every route declares one where it is defined. */
export const accessLevels = ['open', 'client', 'self-read', 'person', 'admin', 'scim'] as const

/**
 * `open`: no credential · `client`: any valid credential, for the message routes · `self-read`: any valid credential,
 * for reading one's own things · `person`: a session or an identity-provider token · `admin`: such a person with the
 * admin role. A virtual key is never a person. · `scim`: the provisioning token of an identity provider, nothing else.
 */
export type Access = (typeof accessLevels)[number]
