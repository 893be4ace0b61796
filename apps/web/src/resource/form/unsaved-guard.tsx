import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useEntityWords } from '#web/resource/words.ts'
import { beforeHistoryMoves } from '#web/shell/history-moves.ts'
import { clickedPath, stepsOf } from './leaving.ts'

/** Asks before a link, Back, Forward or closing the tab discards unsaved changes. */
export function UnsavedGuard({ dirty, onLeave }: { dirty: boolean; onLeave?: () => void }) {
  const { t } = useEntityWords()
  const close = useTranslation('common').t('actions.close')
  const navigate = useNavigate()
  const [blockedMove, setBlockedMove] = useState<{ go: () => void } | null>(null)
  /** `back` while the browser returns to this page, `go` during the confirmed navigation. */
  const moving = useRef<'back' | 'go' | null>(null)

  useEffect(() => {
    if (!dirty) return
    const startState = history.state
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const path = clickedPath(event, location)
      if (path === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setBlockedMove({ go: () => navigate(path) })
    }
    // The event never reaches the router, so the page stays mounted while the address is restored.
    const onPop = (event: PopStateEvent) => {
      if (moving.current === 'go') return
      const steps = stepsOf(startState, event.state)
      if (moving.current === null && steps === 0) return
      event.stopImmediatePropagation()
      if (moving.current === 'back') {
        moving.current = null
        return
      }
      moving.current = 'back'
      history.go(-steps)
      setBlockedMove({ go: () => history.go(steps) })
    }
    addEventListener('beforeunload', onUnload)
    const endPop = beforeHistoryMoves(onPop)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      removeEventListener('beforeunload', onUnload)
      endPop()
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [dirty, navigate])

  const leave = () => {
    moving.current = 'go'
    onLeave?.()
    setBlockedMove(null)
    blockedMove?.go()
  }
  return (
    <Modal
      opened={blockedMove !== null}
      onClose={() => setBlockedMove(null)}
      title={t('unsavedTitle')}
      centered
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Text>{t('unsavedText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" c="var(--mantine-color-error)" onClick={leave} children={t('leave')} />
          <Button onClick={() => setBlockedMove(null)} data-autofocus children={t('stay')} />
        </Group>
      </Stack>
    </Modal>
  )
}
