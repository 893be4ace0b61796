import { h, setText } from './dom.ts'
import type { Say } from './say.ts'

/** In milliseconds. */
export const kioskTimes = { thanks: 8_000, idle: 90_000, warning: 15_000, hold: 3_000 }

/** Whether this device is a kiosk. The flag is in the address, so it survives reloads. */
export const isKiosk = () => new URLSearchParams(location.search).get('kiosk') === '1'

export function setKiosk(on: boolean) {
  const url = new URL(location.href)
  if (on) url.searchParams.set('kiosk', '1')
  else url.searchParams.delete('kiosk')
  history.replaceState(null, '', url)
  stay()
}

/** Adds a history entry for this page, for the back button to return to. */
function stay() {
  if (isKiosk()) history.pushState(null, '', location.href)
}

/** Keeps the back button on this page in a kiosk. */
export function holdThePage() {
  stay()
  addEventListener('popstate', stay)
}

/** Exit button of the kiosk, to be held with a finger, the mouse or a key. */
export function exitButton(say: Say, leave: () => void) {
  const button = h('button', { type: 'button', class: 'sv-quiet page-exit' }, say('kiosk.exit'))
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = (event: Event) => {
    if (event instanceof KeyboardEvent && (event.repeat || !/^(Enter| )$/.test(event.key))) return
    event.preventDefault()
    clearTimeout(timer)
    button.classList.add('page-held')
    timer = setTimeout(leave, kioskTimes.hold)
  }
  const stop = () => {
    clearTimeout(timer)
    button.classList.remove('page-held')
  }
  for (const name of ['pointerdown', 'keydown']) button.addEventListener(name, start)
  for (const name of ['pointerup', 'pointerleave', 'pointercancel', 'keyup', 'blur'])
    button.addEventListener(name, stop)
  button.addEventListener('contextmenu', (event) => event.preventDefault())
  return button
}

/** Shows a countdown, then calls `end`; returns a function that stops it. */
export function countDown(milliseconds: number, show: (seconds: number) => void, end: () => void): () => void {
  const endsAt = Date.now() + milliseconds
  const tick = () => {
    const left = endsAt - Date.now()
    if (left > 0) return show(Math.ceil(left / 1000))
    clearInterval(timer)
    end()
  }
  const timer = setInterval(tick, 250)
  tick()
  return () => clearInterval(timer)
}

/**
 * Clears an unfinished form on a shared device after a while without input, with a warning first. `hasDraft` says
 * whether there is anything to clear.
 */
export function watchIdle(say: () => Say, hasDraft: () => boolean, clear: () => void) {
  const text = h('p', { role: 'alert' })
  const stay = h('button', { type: 'button', class: 'sv-button', click: () => touch() })
  const warning = h('div', { class: 'page-idle', hidden: true }, text, stay)
  let touchedAt = Date.now()
  const touch = () => {
    touchedAt = Date.now()
    warning.hidden = true
  }
  for (const name of ['pointerdown', 'keydown', 'input', 'scroll'])
    addEventListener(name, touch, { passive: true, capture: true })
  setInterval(() => {
    if (!isKiosk() || !hasDraft()) return touch()
    const left = kioskTimes.idle - (Date.now() - touchedAt)
    if (left <= 0) {
      touch()
      clear()
    } else if (left <= kioskTimes.warning) {
      setText(text, say()('kiosk.idle', { seconds: Math.ceil(left / 1000) }))
      stay.textContent = say()('kiosk.stay')
      warning.hidden = false
    }
  }, 500)
  return warning
}
