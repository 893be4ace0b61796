import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { title: string; onSave: (reason: string) => unknown; onClose: () => void }

/** Asks why a score changes after the decision. */
export function ReasonDialog({ title, onSave, onClose }: Props) {
  const { t } = useTranslation('scores')
  const { say } = useSurroundings()
  const [reason, setReason] = useState('')
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': say('actions.close') }}>
      <Stack>
        <Text>{t('entry.reasonText')}</Text>
        <ReasonInput
          label={t('entry.reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('actions.cancel')}
          </Button>
          <Button disabled={reason.trim().length < 3} onClick={() => onSave(reason.trim())}>
            {t('entry.saveAnyway')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
