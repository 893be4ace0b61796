import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readCampusStudents } from '#domain/students/campus/endpoints.ts'
import { Copied } from '#web/ui/text/copied.tsx'

/**
 * The new token, which no later answer contains; only the button closes the dialog, so that a stray click loses
 * nothing.
 */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation('campus')
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('once.title')}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{t('once.text')}</Text>
        <Copied label={t('once.token')} value={token} />
        <Copied label={t('once.address')} value={`${window.location.origin}/api${readCampusStudents.path}`} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('once.close')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
