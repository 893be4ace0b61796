import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { closeRegistration, type Opening, openRegistration } from '#domain/opening/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { refreshBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Whether registration is open, and the button that changes it. */
export function OpeningState({ opening }: { opening: Opening }) {
  const { t } = useTranslation('opening')
  const { language } = useSurroundings()
  const mayEdit = useSession().may('settings-opening-update')
  const { open, opened, closed } = opening
  const missing = missingLines(opening).map((line) => t(`lines.${line}.title`))
  if (open)
    return (
      <Card title={t('openTitle')}>
        <Stack align="flex-start">
          {missing.length > 0 && (
            <Alert color="red" variant="light" role="alert">
              {t('openMissing', { count: missing.length, lines: missing.join(', ') })}
            </Alert>
          )}
          <Text>
            {t('openText')}{' '}
            {opened &&
              t(opened.by ? 'openedBy' : 'openedAt', { at: dateTime(opened.at, language), by: opened.by ?? '' })}
          </Text>
          {mayEdit && <CloseButton />}
        </Stack>
      </Card>
    )
  return (
    <Card title={t(closed ? 'pausedTitle' : 'closedTitle')}>
      <Stack align="flex-start">
        {closed && (
          <Text style={{ overflowWrap: 'anywhere' }}>
            {t('pausedBy', { ...closed, at: dateTime(closed.at, language) })}
          </Text>
        )}
        <Text>{t('closedText')}</Text>
        {mayEdit && <OpenButton opening={opening} />}
      </Stack>
    </Card>
  )
}

const missingLines = ({ lines }: Opening) => lines.filter(({ state }) => state === 'missing').map(({ line }) => line)

function OpenButton({ opening }: { opening: Opening }) {
  const { t } = useTranslation('opening')
  const [asking, setAsking] = useState(false)
  const form = useForm({ call: openRegistration, done: t('opened'), onDone: () => void refreshBranding() })
  const missing = missingLines(opening).map((line) => t(`lines.${line}.title`))
  const adviceCount = opening.lines.filter(({ state }) => state === 'advisable').length
  const reason = missing.length > 0 ? t('blocked', { count: missing.length, lines: missing.join(', ') }) : null
  return (
    <>
      <DisabledReason reason={reason} showsReason onClick={() => setAsking(true)}>
        {t('open')}
      </DisabledReason>
      {asking && (
        <ConfirmDialog
          message={[t('openQuestion'), adviceCount > 0 && t('openAdvice', { count: adviceCount })]
            .filter(Boolean)
            .join(' ')}
          confirmLabel={t('open')}
          onConfirm={() => form.send()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function CloseButton() {
  const { t } = useTranslation('opening')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)} aria-haspopup="dialog">
        {t('close')}
      </Button>
      {asking && <CloseDialog onClose={() => setAsking(false)} />}
    </>
  )
}

function CloseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('opening')
  return (
    <ReasonDialog
      call={closeRegistration}
      title={t('close')}
      submit={t('close')}
      label={t('closeReason')}
      description={t('closeReasonHelp')}
      done={t('closed')}
      onDone={() => void refreshBranding()}
      onClose={onClose}
    >
      <Text>{t('closeText')}</Text>
    </ReasonDialog>
  )
}
