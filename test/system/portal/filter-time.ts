/** How long the analytics page takes from a choice in its filter bar to the last change of the picture that it causes. */
import type { Page } from 'playwright-core'

/** Without "all", whose answer the page has already. */
export async function choicesOf(page: Page, label: string): Promise<string[]> {
  const options = page.getByLabel(label, { exact: true }).locator('option')
  const names = await options.evaluateAll((list) => list.map((option) => option.getAttribute('value') ?? ''))
  return names.filter((name) => name !== '')
}

/** Taken inside of the page, so that nothing but the page is measured: from the event to the frame after the last change. */
const WATCH = `
  window.choice = { startedMs: undefined, changedMs: 0, requests: new Set() }
  performance.clearResourceTimings()
  window.choiceWatch?.disconnect()
  window.choiceWatch = new MutationObserver(() => {
    requestAnimationFrame(() => setTimeout(() => { window.choice.changedMs = performance.now() }))
  })
  window.choiceWatch.observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true })
  document.addEventListener('change', () => { window.choice.startedMs = performance.now() }, { capture: true, once: true })
`

/** Nothing has changed for this long after the last answer: what is drawn is drawn. */
const STILL_MS = 400

const UNTIL_STILL = `new Promise((done) => {
  const look = () => {
    const { startedMs, changedMs } = window.choice
    const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/analytics/org/'))
    const lastMs = Math.max(changedMs, ...answers.map(({ responseEnd }) => responseEnd))
    if (answers.length > 0 && performance.now() - lastMs > ${STILL_MS}) done(changedMs - startedMs)
    else setTimeout(look, 50)
  }
  look()
})`

export async function timeOfChoiceMs(page: Page, label: string, choice: string): Promise<number> {
  await page.evaluate(WATCH)
  await page.getByLabel(label, { exact: true }).selectOption(choice)
  return (await page.evaluate(UNTIL_STILL)) as number
}

export interface ChoiceTime {
  readonly filter: string
  readonly choice: string
  readonly ms: number
}

/** Every filter with some of its choices, each alone. The list of people is not one of them: it is typed into. */
export async function timeChoices(page: Page, atMost: number): Promise<ChoiceTime[]> {
  const times: ChoiceTime[] = []
  for (const filter of ['Team', 'Model', 'Endpoint']) {
    for (const choice of (await choicesOf(page, filter)).slice(0, atMost))
      times.push({ filter, choice, ms: await timeOfChoiceMs(page, filter, choice) })
    await page.getByLabel(filter, { exact: true }).selectOption('')
  }
  for (const choice of ['7', '14', '90'])
    times.push({ filter: 'Range', choice, ms: await timeOfChoiceMs(page, 'Range', choice) })
  return times
}
