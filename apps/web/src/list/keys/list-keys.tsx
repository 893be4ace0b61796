import { Kbd, Modal, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#web/list/list.module.css'
import { isElsewhere, movedTo } from './key-rules.ts'

type Keys<Row> = {
  rows: readonly Row[]
  /** Changes with the visible rows; then no row is current. */
  pageKey: string
  enabled: boolean
  onMove: (row: Row) => void
  onOpen: (row: Row) => void
  onToggle?: (row: Row) => void
  onEscape: () => void
  /** Actions with a hotkey; they run for the current row if no row is selected. */
  acts: readonly { hotkey: string; run: (row: Row | undefined) => void }[]
  searchRef: RefObject<HTMLInputElement | null>
}

/** Hotkeys of a list: J and K move, Enter opens, X selects, / searches, ? shows help; actions add their own. */
export function useListKeys<Row>({ rows, pageKey: of, enabled, searchRef, acts, ...handlers }: Keys<Row>) {
  const [current, setCurrent] = useState(-1)
  /** Repeated keys arrive faster than React renders. */
  const currentRef = useRef(current)
  const goTo = (index: number) => {
    currentRef.current = index
    setCurrent(index)
  }
  const [help, setHelp] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page of rows has no current row
  useEffect(() => goTo(-1), [of])
  const move = (steps: number) => {
    const next = movedTo(currentRef.current, steps, rows.length)
    const row = rows[next]
    if (row === undefined) return
    goTo(next)
    handlers.onMove(row)
    for (const element of document.querySelectorAll(`[data-row="${next}"]`))
      element.scrollIntoView({ block: 'nearest' })
  }
  const atRow = (act?: (row: Row) => void) => {
    const row = rows[currentRef.current]
    if (row !== undefined) act?.(row)
  }
  const bound: Record<string, () => void> = {
    j: () => move(1),
    k: () => move(-1),
    x: () => atRow(handlers.onToggle),
    Enter: () => atRow(handlers.onOpen),
    Escape: handlers.onEscape,
    '/': () => searchRef.current?.focus(),
    '?': () => setHelp(true),
    'shift+?': () => setHelp(true),
    ...Object.fromEntries(acts.map(({ hotkey, run }) => [hotkey, () => run(rows[currentRef.current])])),
  }
  useHotkeys(
    Object.entries(enabled ? bound : {}).map(([key, act]) => [
      key,
      (event) => {
        if (isElsewhere(key, event.target, document)) return
        if (key !== 'Escape') event.preventDefault()
        act()
      },
      { preventDefault: false },
    ]),
  )
  return { current, goTo, help, closeHelp: () => setHelp(false) }
}

type DialogProps = {
  opened: boolean
  onClose: () => void
  selects: boolean
  acts: readonly { hotkey: string; label: string }[]
}

/** Lists the hotkeys and their effects. */
export function KeysDialog({ opened, onClose, selects, acts }: DialogProps) {
  const { t } = useTranslation('list')
  const close = useTranslation('common').t('actions.close')
  const rows: [string, string][] = [
    ['J', t('keys.down')],
    ['K', t('keys.up')],
    ['Enter', t('keys.open')],
    ...(selects ? ([['X', t('keys.select')]] as [string, string][]) : []),
    ...acts.map(({ hotkey, label }): [string, string] => [hotkey.toUpperCase(), label]),
    ['/', t('keys.search')],
    ['Ctrl K', t('keys.everywhere')],
    ['Esc', t('keys.close')],
    ['?', t('keys.help')],
  ]
  return (
    <Modal opened={opened} onClose={onClose} title={t('keys.title')} closeButtonProps={{ 'aria-label': close }}>
      <dl className={classes.keys}>
        {rows.map(([key, description]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>
              <Text size="sm">{description}</Text>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
