/** What engines call the country of a person: each has words of its own, and an unknown one is refused. */
import type { SearchLocation } from '../../foundation/domain/web-search.ts'

export interface Region {
  /** Of DuckDuckGo. */
  readonly place: string
  readonly language: string
  /** Of Tavily. */
  readonly name: string
}

const regions: Readonly<Record<string, Region>> = {
  AR: { place: 'ar', language: 'es', name: 'argentina' },
  AT: { place: 'at', language: 'de', name: 'austria' },
  AU: { place: 'au', language: 'en', name: 'australia' },
  BE: { place: 'be', language: 'nl', name: 'belgium' },
  BR: { place: 'br', language: 'pt', name: 'brazil' },
  CA: { place: 'ca', language: 'en', name: 'canada' },
  CH: { place: 'ch', language: 'de', name: 'switzerland' },
  CL: { place: 'cl', language: 'es', name: 'chile' },
  CO: { place: 'co', language: 'es', name: 'colombia' },
  DE: { place: 'de', language: 'de', name: 'germany' },
  DK: { place: 'dk', language: 'da', name: 'denmark' },
  ES: { place: 'es', language: 'es', name: 'spain' },
  FI: { place: 'fi', language: 'fi', name: 'finland' },
  FR: { place: 'fr', language: 'fr', name: 'france' },
  GB: { place: 'uk', language: 'en', name: 'united kingdom' },
  GR: { place: 'gr', language: 'el', name: 'greece' },
  HU: { place: 'hu', language: 'hu', name: 'hungary' },
  IE: { place: 'ie', language: 'en', name: 'ireland' },
  IL: { place: 'il', language: 'en', name: 'israel' },
  IN: { place: 'in', language: 'en', name: 'india' },
  IT: { place: 'it', language: 'it', name: 'italy' },
  JP: { place: 'jp', language: 'jp', name: 'japan' },
  KR: { place: 'kr', language: 'kr', name: 'south korea' },
  MX: { place: 'mx', language: 'es', name: 'mexico' },
  NL: { place: 'nl', language: 'nl', name: 'netherlands' },
  NO: { place: 'no', language: 'no', name: 'norway' },
  NZ: { place: 'nz', language: 'en', name: 'new zealand' },
  PL: { place: 'pl', language: 'pl', name: 'poland' },
  PT: { place: 'pt', language: 'pt', name: 'portugal' },
  SE: { place: 'se', language: 'sv', name: 'sweden' },
  SG: { place: 'sg', language: 'en', name: 'singapore' },
  US: { place: 'us', language: 'en', name: 'united states' },
  ZA: { place: 'za', language: 'en', name: 'south africa' },
}

export function findRegion(location: SearchLocation | null): Region | undefined {
  return location?.country == null ? undefined : regions[location.country.toUpperCase()]
}
