import {
  type CatalogModel,
  catalogModels,
  destinationRegions,
  foreignModels,
  prefixesOfRegion,
} from './model-catalog.ts'

export type InferenceProfile = {
  readonly id: string
  readonly arn: string
  readonly name: string
  readonly type: 'SYSTEM_DEFINED' | 'APPLICATION'
  readonly foundationModelId: string
  readonly modelArns: readonly string[]
}

export type ProfileScope = { readonly region?: string; readonly account?: string }

export type AddedProfile = ProfileScope & {
  readonly id: string
  readonly foundationModelId: string
  readonly name?: string
}

export type ApplicationProfile = {
  readonly id: string
  readonly arn: string
  readonly account: string
  readonly region: string
  readonly name: string
  readonly foundationModelId: string
}

export type Profiles = {
  add(profile: AddedProfile): void
  hide(id: string, scope: ProfileScope): void
  defineApplication(input: Omit<ApplicationProfile, 'arn'>): ApplicationProfile
  removeApplication(arn: string): boolean
  defineModel(model: CatalogModel, like: string): void
  findModel(foundationModelId: string): CatalogModel | undefined
  /** The model whose rules a model follows: itself, or the one it was defined to be like. */
  rulesModelId(foundationModelId: string): string
  models(): readonly CatalogModel[]
  systemProfiles(account: string, region: string): readonly InferenceProfile[]
  applications(account: string, region: string): readonly InferenceProfile[]
  findApplication(arn: string): ApplicationProfile | undefined
  reset(): void
}

function matches(scope: ProfileScope, account: string, region: string): boolean {
  return (scope.account ?? account) === account && (scope.region ?? region) === region
}

function toProfile(
  id: string,
  name: string,
  foundationModelId: string,
  account: string,
  region: string,
): InferenceProfile {
  const prefix = id.slice(0, id.indexOf('.'))
  const destinations = destinationRegions[prefix] ?? [region, 'us-east-1', 'eu-west-1']
  const partition = region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
  return {
    id,
    arn: `arn:${partition}:bedrock:${region}:${account}:inference-profile/${id}`,
    name,
    type: 'SYSTEM_DEFINED',
    foundationModelId,
    modelArns: [...new Set(destinations)].map(
      (to) => `arn:${partition}:bedrock:${to}::foundation-model/${foundationModelId}`,
    ),
  }
}

function toApplicationProfile(profile: ApplicationProfile): InferenceProfile {
  return {
    id: profile.id,
    arn: profile.arn,
    name: profile.name,
    type: 'APPLICATION',
    foundationModelId: profile.foundationModelId,
    modelArns: [`arn:aws:bedrock:${profile.region}::foundation-model/${profile.foundationModelId}`],
  }
}

function builtInProfiles(models: readonly CatalogModel[], account: string, region: string): InferenceProfile[] {
  return prefixesOfRegion(region).flatMap((prefix) => {
    const claude = models
      .filter((model) => model.prefixes.includes(prefix))
      .map((model) =>
        toProfile(
          `${prefix}.${model.foundationModelId}`,
          `${prefix.toUpperCase()} Anthropic ${model.displayName}`,
          model.foundationModelId,
          account,
          region,
        ),
      )
    const foreign = prefix === 'us' ? foreignModels : []
    return [
      ...claude,
      ...foreign.map((model) =>
        toProfile(`${prefix}.${model.id}`, `${prefix.toUpperCase()} ${model.name}`, model.id, account, region),
      ),
    ]
  })
}

export function createProfiles(): Profiles {
  let added: AddedProfile[] = []
  let hidden: (ProfileScope & { readonly id: string })[] = []
  let applications = new Map<string, ApplicationProfile>()
  let defined = new Map<string, { readonly model: CatalogModel; readonly like: string }>()
  // Listing is rebuilt only after a change: every invocation looks its profile up here.
  let listed = new Map<string, readonly InferenceProfile[]>()
  const models = (): CatalogModel[] => [...catalogModels, ...[...defined.values()].map((item) => item.model)]
  const listSystemProfiles = (account: string, region: string): readonly InferenceProfile[] => {
    const extra = added
      .filter((item) => matches(item, account, region))
      .map((item) => toProfile(item.id, item.name ?? item.id, item.foundationModelId, account, region))
    const gone = hidden.filter((item) => matches(item, account, region)).map((item) => item.id)
    return [...builtInProfiles(models(), account, region), ...extra].filter((profile) => !gone.includes(profile.id))
  }
  return {
    add(profile) {
      hidden = hidden.filter((item) => item.id !== profile.id)
      added.push(profile)
      listed = new Map()
    },
    hide(id, scope) {
      added = added.filter((item) => item.id !== id)
      hidden.push({ id, ...scope })
      listed = new Map()
    },
    defineApplication(input) {
      const arn = `arn:aws:bedrock:${input.region}:${input.account}:application-inference-profile/${input.id}`
      const profile = { ...input, arn }
      applications.set(arn, profile)
      return profile
    },
    removeApplication: (arn) => applications.delete(arn),
    defineModel(model, like) {
      defined.set(model.foundationModelId, { model, like })
      listed = new Map()
    },
    findModel: (id) => models().find((model) => model.foundationModelId === id),
    rulesModelId: (id) => defined.get(id)?.like ?? id,
    models,
    systemProfiles(account, region) {
      const key = `${account} ${region}`
      const profiles = listed.get(key) ?? listSystemProfiles(account, region)
      listed.set(key, profiles)
      return profiles
    },
    applications: (account, region) =>
      [...applications.values()]
        .filter((item) => item.account === account && item.region === region)
        .map(toApplicationProfile),
    findApplication: (arn) => applications.get(arn),
    reset() {
      added = []
      hidden = []
      applications = new Map()
      defined = new Map()
      listed = new Map()
    },
  }
}
