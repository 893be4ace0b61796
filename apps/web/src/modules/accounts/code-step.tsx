import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from '#web/ui/states/failure.tsx'
import { useFields } from './use-fields.ts'

type Props = { onCode: (code: string) => Promise<void>; onBack: () => void }

/** Second sign-in step: a code from the authenticator app, or a recovery code. */
export default function CodeStep({ onCode, onBack }: Props) {
  const { t } = useTranslation('staff-accounts')
  const [recovery, setRecovery] = useState(false)
  const fields = useFields({ code: '' }, ({ code }) => ({ code: code.trim() === '' ? 'field_required' : null }))
  const send = fields.submit(({ code }) => onCode(code))
  const switchMethod = () => {
    fields.reset()
    setRecovery((wasRecovery) => !wasRecovery)
  }
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{t('codeStep.title')}</Title>
        <Text c="dimmed" mt={4}>
          {t(recovery ? 'codeStep.recoveryLead' : 'codeStep.lead')}
        </Text>
      </div>
      <form onSubmit={send} ref={fields.form} noValidate>
        <Stack gap="md">
          <TextInput
            key={String(recovery)}
            label={t(recovery ? 'codeStep.recoveryCode' : 'codeStep.code')}
            autoComplete="one-time-code"
            inputMode={recovery ? 'text' : 'numeric'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={recovery ? 20 : 10}
            size="lg"
            autoFocus
            {...fields.text('code')}
          />
          <Failure>{fields.formError}</Failure>
          <Button type="submit" loading={fields.busy} fullWidth>
            {t('codeStep.submit')}
          </Button>
        </Stack>
      </form>
      <Stack gap="xs" align="flex-start">
        <Anchor component="button" type="button" ta="left" onClick={switchMethod}>
          {t(recovery ? 'codeStep.useApp' : 'codeStep.useRecovery')}
        </Anchor>
        {recovery && (
          <Text size="sm" c="dimmed">
            {t('codeStep.lost')}
          </Text>
        )}
        <Anchor component="button" type="button" ta="left" onClick={onBack}>
          {t('codeStep.back')}
        </Anchor>
      </Stack>
    </Stack>
  )
}
