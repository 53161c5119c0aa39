/** The portal in its smallest form: sign in, see who one is, confirm a terminal, connect a client. Writes text, never HTML. */

const main = document.getElementById('main')
const account = document.getElementById('account')
const status = document.getElementById('status')
const LAST_PROVIDER = 'causeway.last-provider'

/** Builds an element; strings become text nodes, so that no name can turn into markup. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (name === 'onclick' || name === 'onsubmit') element.addEventListener(name.slice(2), value)
    else if (value !== undefined) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

let hasShown = false

function show(title, ...children) {
  document.title = `${title} · Causeway`
  main.replaceChildren(...children)
  status.textContent = title
  // After a change of page the keyboard begins at its content; the first page leaves it where the browser has it.
  if (hasShown) main.focus({ preventScroll: true })
  hasShown = true
}

let csrfToken = ''

/** A refusal of the gateway, in its own words. */
class ApiError extends Error {
  constructor(response, body) {
    super(body?.error?.message ?? `The gateway answered ${response.status}.`)
    this.status = response.status
  }
}

async function api(path, { method = 'GET', body } = {}) {
  let response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch {
    throw new Error('The gateway cannot be reached. Check your connection and try again.')
  }
  const text = await response.text()
  const parsed = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
  if (!response.ok) throw new ApiError(response, parsed)
  return parsed
}

async function whoAmI() {
  try {
    const me = await api('/auth/me')
    csrfToken = me.csrf_token ?? ''
    return me
  } catch (error) {
    if (error.status === 401) return undefined
    throw error
  }
}

const userCode = () => new URLSearchParams(location.search).get('user_code') ?? ''
const flow = () =>
  location.pathname === '/device' ? 'device' : location.pathname === '/auth/cli/callback' ? 'cli' : ''

function startAddress(id) {
  const code = userCode()
  return `/auth/sso/${encodeURIComponent(id)}/start${flow() === '' || code === '' ? '' : `?${flow()}=${encodeURIComponent(code)}`}`
}

function errorLine() {
  return el('p', { class: 'error', role: 'alert', hidden: '' })
}

function tell(line, error) {
  line.hidden = error === undefined
  line.textContent = error?.message ?? ''
}

function passwordForm(isOpen) {
  const failed = errorLine()
  const name = el('input', { name: 'username', autocomplete: 'username', required: '' })
  const password = el('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: '' })
  const button = el('button', { class: 'primary wide', type: 'submit' }, 'Sign in')
  const submit = async (event) => {
    event.preventDefault()
    button.disabled = true
    try {
      await api('/auth/login', { method: 'POST', body: { username: name.value, password: password.value } })
      await render()
    } catch (error) {
      tell(failed, error)
      button.disabled = false
      password.focus()
    }
  }
  const form = el(
    'form',
    { onsubmit: submit },
    el('label', {}, 'User name', name),
    el('label', {}, 'Password', password),
    failed,
    button,
  )
  return el('details', isOpen ? { open: '' } : {}, el('summary', {}, 'Admin password'), form)
}

function orderProviders(providers) {
  const last = localStorage.getItem(LAST_PROVIDER)
  return [...providers].sort((a, b) => Number(b.id === last) - Number(a.id === last))
}

async function signInPage() {
  const [{ providers, admin_login_enabled: hasPassword }, { version }] = await Promise.all([
    api('/auth/providers'),
    api('/health'),
  ])
  account.replaceChildren()
  const buttons = orderProviders(providers).map((provider, index) =>
    el(
      'a',
      {
        class: `button wide${index === 0 ? ' primary' : ''}`,
        href: startAddress(provider.id),
        onclick: () => localStorage.setItem(LAST_PROVIDER, provider.id),
      },
      `Continue with ${provider.name}`,
    ),
  )
  const nothing = providers.length === 0 && !hasPassword
  show(
    'Sign in',
    el(
      'section',
      { class: 'card narrow' },
      el('h1', {}, 'Sign in'),
      flow() === ''
        ? undefined
        : el('p', {}, 'A program on a computer asks to be signed in. First tell us who you are.'),
      ...buttons,
      nothing ? el('p', {}, 'No way to sign in is switched on. Ask an administrator.') : undefined,
      hasPassword ? passwordForm(providers.length === 0) : undefined,
      el('p', { class: 'quiet' }, `${location.host} · version ${version}`),
    ),
  )
}

function facts(pairs) {
  return el('dl', {}, ...pairs.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]))
}

function codeForm() {
  const input = el('input', { name: 'user_code', autocomplete: 'off', autocapitalize: 'characters', required: '' })
  const submit = (event) => {
    event.preventDefault()
    location.search = new URLSearchParams({ user_code: input.value }).toString()
  }
  show(
    'Enter the code',
    el(
      'section',
      { class: 'card narrow' },
      el('h1', {}, 'Enter the code'),
      el('p', {}, 'It stands in the terminal where you began to sign in.'),
      el(
        'form',
        { onsubmit: submit },
        el('label', {}, 'Code', input),
        el('button', { class: 'primary wide', type: 'submit' }, 'Continue'),
      ),
    ),
  )
}

/** Nothing is confirmed until the person presses the button. */
async function confirmPage(me) {
  if (userCode() === '') return codeForm()
  let request
  try {
    request = await api(`/auth/cli/request?user_code=${encodeURIComponent(userCode())}`)
  } catch (error) {
    const text =
      error.status === 404
        ? 'This sign-in is over, was answered already, or the code is wrong. Begin again in the terminal.'
        : error.message
    show(
      'Nothing to confirm',
      el('section', { class: 'card narrow' }, el('h1', {}, 'Nothing to confirm'), el('p', {}, text)),
    )
    return undefined
  }
  const failed = errorLine()
  const answer = async (approve) => {
    for (const button of buttons) button.disabled = true
    try {
      const path = request.kind === 'device' ? '/device' : '/auth/cli/complete'
      await api(path, { method: 'POST', body: { user_code: request.user_code, approve } })
      const title = approve ? 'Signed in' : 'Refused'
      const text = approve ? 'Go back to the terminal. You can close this page.' : 'The program was not signed in.'
      show(title, el('section', { class: 'card narrow' }, el('h1', {}, title), el('p', { class: 'done' }, text)))
    } catch (error) {
      tell(failed, error)
      for (const button of buttons) button.disabled = false
    }
  }
  const buttons = [
    el('button', { class: 'primary', type: 'button', onclick: () => answer(true) }, 'Yes, sign it in'),
    el('button', { type: 'button', onclick: () => answer(false) }, 'No'),
  ]
  show(
    'Is this you?',
    el(
      'section',
      { class: 'card narrow' },
      el('h1', {}, 'Is this you?'),
      el(
        'p',
        {},
        'A program asks to act in your name. Say yes only if you began this yourself and your terminal shows the same code.',
      ),
      el('p', { class: 'code' }, request.user_code),
      facts([
        ['You are', me.user?.subject ?? ''],
        ['Asked from', request.asked_from],
        ['Program', request.client ?? 'unknown'],
        ['Asked at', new Date(request.asked_at).toLocaleTimeString()],
        ['Valid until', new Date(request.expires_at).toLocaleTimeString()],
      ]),
      failed,
      el('div', { class: 'row' }, ...buttons),
    ),
  )
  return undefined
}

/** Works on plain http too, where the browser offers no clipboard. */
async function copy(text) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = el('textarea', {})
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  return undefined
}

function command(label, text) {
  const button = el(
    'button',
    {
      type: 'button',
      'aria-label': `Copy: ${label}`,
      onclick: async () => {
        await copy(text)
        button.textContent = 'Copied'
        status.textContent = 'Copied'
      },
    },
    'Copy',
  )
  return el('div', { class: 'command' }, el('code', {}, text), button)
}

function connectCard() {
  const base = location.origin
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'Connect Claude Code'),
    el('p', {}, 'macOS and Linux:'),
    command('setup for macOS and Linux', `curl -fsSL ${base}/auth/setup | sh`),
    el('p', {}, 'Windows (PowerShell):'),
    command('setup for Windows', `irm ${base}/setup.ps1 | iex`),
    el('p', {}, 'Undo:'),
    command('undo', `curl -fsSL ${base}/auth/setup | sh -s -- --remove`),
  )
}

async function keysCard() {
  let keys
  try {
    keys = await api('/me/keys')
  } catch {
    return undefined
  }
  const rows = keys.data.map((key) =>
    el('tr', {}, el('td', {}, key.name), el('td', {}, el('code', {}, `${key.prefix}…`)), el('td', {}, key.status)),
  )
  const heads = ['Name', 'Key', 'State'].map((name) => el('th', { scope: 'col' }, name))
  return el(
    'section',
    { class: 'card' },
    el('h2', {}, 'Your keys'),
    rows.length === 0
      ? el(
          'p',
          { class: 'quiet' },
          'You have none. They are for build servers; on your own machine use the setup above.',
        )
      : el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)),
  )
}

async function homePage(me) {
  const keys = await keysCard()
  show(
    'Home',
    el(
      'section',
      { class: 'card' },
      el('h1', {}, `Hello, ${me.user?.subject ?? 'you'}`),
      facts([
        ['E-mail', me.user?.email ?? 'not known'],
        ['Role', me.role],
        ['Team', me.team?.name ?? 'none'],
      ]),
    ),
    connectCard(),
    ...(keys === undefined ? [] : [keys]),
  )
}

function accountBar(me) {
  const signOut = async () => {
    try {
      await api('/auth/logout', { method: 'POST' })
      await render()
    } catch (error) {
      status.textContent = error.message
    }
  }
  account.replaceChildren(
    el('span', {}, me.user?.subject ?? ''),
    el('button', { type: 'button', onclick: signOut }, 'Sign out'),
  )
}

async function render() {
  try {
    const me = await whoAmI()
    if (me === undefined) return await signInPage()
    accountBar(me)
    return flow() === '' ? await homePage(me) : await confirmPage(me)
  } catch (error) {
    return show(
      'That did not work',
      el(
        'section',
        { class: 'card narrow' },
        el('h1', {}, 'That did not work'),
        el('p', { class: 'error', role: 'alert' }, error.message),
        el('button', { type: 'button', onclick: render }, 'Try again'),
      ),
    )
  }
}

void render()
