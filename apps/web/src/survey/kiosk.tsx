/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import type { Say } from './say.ts'
import { useLatest } from './use-latest.ts'

/**
 * In milliseconds. A form with answers is cleared after `idle` without input. A warning shows during the last `warning`
 * milliseconds before that.
 */
export const kioskTimes = { thanks: 8_000, idle: 90_000, warning: 15_000, hold: 3_000 }

/** Kiosk mode is part of the URL, so that it survives a reload. */
const isKioskAddress = () => new URLSearchParams(location.search).get('kiosk') === '1'

/** In a kiosk, adds a history entry, so that the back button does not leave the page. */
function stay() {
  if (isKioskAddress()) history.pushState(null, '', location.href)
}

/** Whether the page is in kiosk mode, and a function that turns kiosk mode on or off. */
export function useKiosk() {
  const [isKiosk, setKiosk] = useState(isKioskAddress)
  useEffect(() => {
    stay()
    addEventListener('popstate', stay)
    return () => removeEventListener('popstate', stay)
  }, [])
  const change = (on: boolean) => {
    const url = new URL(location.href)
    if (on) url.searchParams.set('kiosk', '1')
    else url.searchParams.delete('kiosk')
    history.replaceState(null, '', url)
    stay()
    setKiosk(on)
  }
  return [isKiosk, change] as const
}

/** Button that ends kiosk mode when held for `kioskTimes.hold`. */
export function ExitButton({ say, leave }: { say: Say; leave: () => void }) {
  const [isHeld, setHeld] = useState(false)
  const leaveNow = useLatest(leave)
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => leaveNow.current(), kioskTimes.hold)
    return () => clearTimeout(timer)
  }, [isHeld, leaveNow])
  const start = (event: Event) => {
    event.preventDefault()
    setHeld(true)
  }
  const stop = () => setHeld(false)
  return (
    <button
      type="button"
      class={`sv-quiet page-exit ${isHeld ? 'page-held' : ''}`}
      onPointerDown={start}
      onKeyDown={(event) => !event.repeat && /^(Enter| )$/.test(event.key) && start(event)}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onKeyUp={stop}
      onBlur={stop}
      onContextMenu={(event) => event.preventDefault()}
    >
      {say('kiosk.exit')}
    </button>
  )
}

/** Counts down `kioskTimes.thanks`, then calls `onEnd`. */
export function BackSoon({ say, onEnd }: { say: Say; onEnd: () => void }) {
  const [seconds, setSeconds] = useState(kioskTimes.thanks / 1000)
  const end = useLatest(onEnd)
  useEffect(() => {
    const endsAt = Date.now() + kioskTimes.thanks
    const timer = setInterval(() => {
      const left = endsAt - Date.now()
      if (left > 0) return setSeconds(Math.ceil(left / 1000))
      clearInterval(timer)
      end.current()
    }, 250)
    return () => clearInterval(timer)
  }, [end])
  return <p class="sv-help">{say('backSoon', { seconds })}</p>
}

/**
 * Calls `clear` after `kioskTimes.idle` without input, and shows a warning before. Render this component while the form
 * has answers.
 */
export function IdleWarning({ say, clear }: { say: Say; clear: () => void }) {
  /** Null while no warning shows. */
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null)
  const clearNow = useLatest(clear)
  useEffect(() => {
    let touchedAt = Date.now()
    const touch = () => {
      touchedAt = Date.now()
      setSecondsLeft(null)
    }
    const events = ['pointerdown', 'keydown', 'click', 'input', 'scroll']
    for (const name of events) addEventListener(name, touch, { passive: true, capture: true })
    const timer = setInterval(() => {
      const left = kioskTimes.idle - (Date.now() - touchedAt)
      if (left <= kioskTimes.warning) setSecondsLeft(Math.ceil(left / 1000))
      if (left > 0) return
      touch()
      clearNow.current()
    }, 500)
    return () => {
      clearInterval(timer)
      for (const name of events) removeEventListener(name, touch, { capture: true })
    }
  }, [clearNow])
  if (secondsLeft === null) return null
  return (
    <div class="page-idle">
      <p role="alert">{say('kiosk.idle', { seconds: secondsLeft })}</p>
      <button type="button" class="sv-button">
        {say('kiosk.stay')}
      </button>
    </div>
  )
}
