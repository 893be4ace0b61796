import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useEntityWords } from './words.ts'

/** Asks before a link or a closed tab leaves what was typed; behind the browser's Back it waits as a draft. */
export function UnsavedGuard({ dirty, onLeave }: { dirty: boolean; onLeave?: () => void }) {
  const { t } = useEntityWords()
  const close = useTranslation('common').t('actions.close')
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<string | null>(null)

  useEffect(() => {
    if (!dirty) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (
        !(link instanceof HTMLAnchorElement) ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey
      )
        return
      if (link.target === '_blank' || link.origin !== location.origin || link.hash) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(link.pathname + link.search)
    }
    addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [dirty])

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
          <Button variant="default" onClick={() => setWanted(null)} data-autofocus>
            {t('stay')}
          </Button>
          <Button
            onClick={() => {
              onLeave?.()
              navigate(wanted!)
            }}
          >
            {t('leave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
