/**
 * Writes the types that the portal's client is checked against. openapi-typescript needs TypeScript 5, which npm installs in this
 * workspace only; everything else is checked with the version at the root.
 */
import openapiTypes, { astToString } from 'openapi-typescript'

export async function generateApiTypes(description: string): Promise<string> {
  // A field with a default may be left out of a request, so its type must stay optional.
  const types = await openapiTypes(description, { defaultNonNullable: false })
  return `/** Made from docs/openapi.json by \`npm run docs\`. Not edited by hand. */\n${astToString(types)}`
}
