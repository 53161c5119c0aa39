/** What tests of the whole gateway must know about the routes of each extension, from the folder of its own tests. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Grant } from '../../src/foundation/domain/access.ts'
import type { Row } from '../app/roles.ts'

/** Ids of objects that nobody but an administrator may touch. */
export interface Targets {
  readonly keyId: string
  readonly teamId: string
  readonly userId: string
  readonly idpId: string
  readonly sessionId?: string
  readonly topUpId?: string
  readonly budgetRequestId?: string
}

/** Who may call what, of the whole gateway. By hand and not taken from the routes, which may be wrong. */
export type Access = 'anybody' | 'any credential' | 'a person' | 'an administrator' | 'a provisioning token'

/** What a command gives with `--json`. */
interface Step {
  readonly args?: string
  /** Fields that must be there; `nothing` when the API answers without a body, which is `null` here, `any` when its document has no fixed ones. */
  readonly gives: string | 'nothing' | 'any'
  readonly input?: string
  readonly code?: number
}

export type CommandStep = readonly [command: string, step: Step]

export interface AdminApp {
  readonly admin: string
  readonly call: (
    method: string,
    path: string,
    request: { readonly as: string; readonly body: unknown },
  ) => Promise<{ readonly body: unknown }>
}

/** Keys are routes such as `GET /me`, if nothing else is said. */
export interface ExtensionSamples {
  /** Of routes that the control plane of the tests has. */
  readonly roles?: Readonly<Record<string, Row>>
  /** Of routes for administrators that people with one of the grants may call too. */
  readonly grants?: Readonly<Record<string, readonly Grant[]>>
  readonly access?: Readonly<Record<string, Access>>
  /** By the beginning of paths. */
  readonly accessBelow?: Readonly<Record<string, Access>>
  /** Bodies with which an administrator succeeds. */
  readonly bodies?: Readonly<Record<string, (targets: Targets) => unknown>>
  /** Parameters without which the route refuses. */
  readonly queries?: Readonly<Record<string, string>>
  /** By the name of the parameter of a path. */
  readonly pathValues?: (targets: Targets) => Readonly<Record<string, string>>
  readonly addTargets?: (app: AdminApp, targets: Targets) => Promise<void>
  /** Tables that a write could change. */
  readonly tables?: readonly string[]
  /** What its routes ask for beside the ports of modules. */
  readonly ports?: object
  /** Routes that answer without a database. */
  readonly fromMemory?: readonly string[]
  /** Routes that make what their path names. */
  readonly upserts?: readonly string[]
  /** Its commands with what they print for programs, tried right after a command of a module. */
  readonly commands?: { readonly after: string; readonly steps: readonly CommandStep[] }
  /** Commands whose output is no document, each with the reason. */
  readonly withoutDocument?: Readonly<Record<string, string>>
  /** Nouns whose commands do something before they ask a gateway, or never ask one. */
  readonly withoutGateway?: readonly string[]
}

async function load(file: string): Promise<ExtensionSamples> {
  const { samples } = await import(pathToFileURL(path.resolve(file)).href)
  return samples
}

export const extensionSamples = await Promise.all(globSync('test/*/extension-samples.ts').sort().map(load))
