import { Button, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type CardKey, cardOf } from '#domain/dashboards/cards.ts'
import { listCards } from '#domain/dashboards/endpoints.ts'
import { timeOfDay } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { cardNamespaces } from './card-text.ts'
import { CardBody, useCard } from './card-view.tsx'
import classes from './wall.module.css'

/** Milliseconds between reads. */
const everyMs = 30_000
/** Milliseconds a group of cards is shown on the wall. */
const turnMs = 15_000
const widePx = 1100

/** Keeps the screen on if the browser can. The lock ends when the page is hidden, so it is requested again. */
function useWakeLock() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    const take = async () => {
      if (document.visibilityState !== 'visible') return
      try {
        lock = await navigator.wakeLock?.request('screen')
        if (isOver) await lock?.release()
      } catch {
        // A battery saver refuses it; the wall works without it.
      }
    }
    void take()
    document.addEventListener('visibilitychange', take)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', take)
      void lock?.release().catch(() => {})
    }
  }, [])
}

/** Number of cards side by side. */
function useGroupSize() {
  const [isWide, setIsWide] = useState(() => matchMedia(`(min-width: ${widePx}px)`).matches)
  useEffect(() => {
    const media = matchMedia(`(min-width: ${widePx}px)`)
    const follow = () => setIsWide(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return isWide ? 2 : 1
}

/** The reader's main cards in large type on the full screen, in turns. */
export default function WallPage() {
  const { t } = useTranslation(cardNamespaces)
  const { say, language } = useSurroundings()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const { data, error, dataUpdatedAt } = useEndpoint(
    listCards,
    {},
    { quietAs: 'card', refetchInterval: everyMs, refetchIntervalInBackground: true },
  )
  const cards = data?.data.filter((card) => cardOf(card).onWall) ?? []
  const size = useGroupSize()
  const groups = Math.ceil(cards.length / size)
  const [turn, setTurn] = useState(0)
  const [isPaused, setIsPaused] = useState(false)
  useWakeLock()
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => {
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
    }
  }, [])
  useEffect(() => {
    if (isPaused || groups < 2) return
    const timer = setInterval(() => setTurn((index) => index + 1), turnMs)
    return () => clearInterval(timer)
  }, [isPaused, groups])
  const index = groups > 0 ? turn % groups : 0
  const leave = () => void navigate('/dashboard')
  return (
    <dialog
      ref={dialog}
      className={classes.wall}
      aria-label={t('wall.title')}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
    >
      <VisuallyHidden component="h1">{t('wall.title')}</VisuallyHidden>
      {error && data && (
        <p role="status" className={classes.away}>
          {t('wall.away', { time: timeOfDay(new Date(dataUpdatedAt), language) })}
        </p>
      )}
      {data && cards.length === 0 && <p>{t('wall.none')}</p>}
      {!data && <p role="status">{error ? error.message : say('loading')}</p>}
      <div className={classes.cards} data-size={Math.min(size, cards.length)}>
        {cards.slice(index * size, index * size + size).map((card) => (
          <WallCard key={card} card={card} />
        ))}
      </div>
      <div className={classes.bar}>
        {groups > 1 && (
          <>
            <span>{t('wall.place', { index: index + 1, count: groups })}</span>
            <Button variant="default" onClick={() => setTurn(index + 1)}>
              {t('wall.next')}
            </Button>
            <Button variant="default" onClick={() => setIsPaused(!isPaused)}>
              {t(isPaused ? 'wall.resume' : 'wall.pause')}
            </Button>
          </>
        )}
        <Button variant="default" onClick={leave}>
          {t('wall.leave')}
        </Button>
      </div>
    </dialog>
  )
}

function WallCard({ card }: { card: CardKey }) {
  const { t } = useTranslation(cardNamespaces)
  const { say } = useSurroundings()
  const { data, error } = useCard(card, everyMs)
  return (
    <section className={classes.card} aria-labelledby={`wall-${card}`}>
      <h2 id={`wall-${card}`}>{t(`cards.${card}`)}</h2>
      {data ? (
        <CardBody card={card} answer={data} onWall />
      ) : (
        <p role="status">{error ? error.message : say('loading')}</p>
      )}
    </section>
  )
}
