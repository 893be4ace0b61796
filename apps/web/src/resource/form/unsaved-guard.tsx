import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useEntityWords } from '#web/resource/words.ts'
import { beforeHistoryMoves } from '#web/shell/history-moves.ts'
import { stepsOf, wantedPath } from './leaving.ts'

/** Asks before a link, the browser's Back and Forward or a closed tab leaves what was typed. */
export function UnsavedGuard({ dirty, onLeave }: { dirty: boolean; onLeave?: () => void }) {
  const { t } = useEntityWords()
  const close = useTranslation('common').t('actions.close')
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ go: () => void } | null>(null)
  /** `back` while the browser returns here, `go` while the wish is granted. */
  const moving = useRef<'back' | 'go' | null>(null)

  useEffect(() => {
    if (!dirty) return
    const here = history.state
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const path = wantedPath(event, location)
      if (path === undefined) return
      event.preventDefault()
      event.stopPropagation()
      setWanted({ go: () => navigate(path) })
    }
    // The router never hears of it, so that the page stays while the address is put back.
    const onPop = (event: PopStateEvent) => {
      if (moving.current === 'go') return
      const steps = stepsOf(here, event.state)
      if (moving.current === null && steps === 0) return
      event.stopImmediatePropagation()
      if (moving.current === 'back') {
        moving.current = null
        return
      }
      moving.current = 'back'
      history.go(-steps)
      setWanted({ go: () => history.go(steps) })
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
    setWanted(null)
    wanted?.go()
  }
  return (
    <Modal
      opened={wanted !== null}
      onClose={() => setWanted(null)}
      title={t('unsavedTitle')}
      centered
      closeButtonProps={{ 'aria-label': close }}
    >
      <Stack>
        <Text>{t('unsavedText')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setWanted(null)} data-autofocus children={t('stay')} />
          <Button onClick={leave} children={t('leave')} />
        </Group>
      </Stack>
    </Modal>
  )
}
