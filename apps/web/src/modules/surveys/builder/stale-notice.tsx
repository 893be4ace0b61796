import { Alert, Button, Group, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Survey } from '#domain/surveys/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { Builder } from './use-builder.ts'

type Props = { builder: Builder; theirs: Survey }

/**
 * Shown after a save was refused because the survey was saved elsewhere meanwhile. The user chooses what happens to the
 * edits.
 */
export function StaleNotice({ builder, theirs }: Props) {
  const { t } = useTranslation('survey-builder')
  const { language } = useSurroundings()
  const time = dateTime(theirs.updatedAt, language)
  return (
    <Alert color="orange" icon={<IconUsers aria-hidden />} title={t('stale.title')} role="alert" mb="md">
      <Text size="sm" mb="sm">
        {t('stale.text', { count: theirs.draft.questions.length, time })}
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={builder.saveCopy} children={t('stale.copy')} />
        <Button
          variant="default"
          onClick={() => builder.keepMine(theirs)}
          loading={builder.form.busy}
          children={t('stale.mine')}
        />
        <ConfirmButton
          variant="default"
          title={t('stale.theirsTitle')}
          message={t('stale.theirsText')}
          onConfirm={() => builder.takeTheirs(theirs)}
        >
          {t('stale.theirs')}
        </ConfirmButton>
      </Group>
    </Alert>
  )
}
