import './styles/all-styles.ts'
import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { clearFailures, type Failure } from '#web/api/failures.ts'
import { ErrorIcon } from '#web/ui/icons.tsx'

/** Shows the server's sentence for each failed read; one button retries all of them. */
export default function FailureDialog({ failures }: { failures: readonly Failure[] }) {
  const { t } = useTranslation('common')
  const sentences = [...new Set(failures.map((failure) => failure.message))]
  const retry = () => {
    clearFailures()
    for (const failure of failures) failure.retry()
  }
  return (
    <Modal
      opened
      onClose={clearFailures}
      centered
      title={t('errors.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack align="center" gap="md" ta="center" role="alert">
        <ErrorIcon size={56} />
        {sentences.map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
        <Group>
          <Button onClick={retry} data-autofocus>
            {t('actions.retry')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
