import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getSpecialNeeds, saveSpecialNeeds } from '#domain/applicants/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'

/** Asks what the applicant needs at a test; stored apart from the profile, whose readers do not see it. */
export function SpecialNeedsCard() {
  const { t } = useTranslation('applicants')
  const { data, error, refetch } = useEndpoint(getSpecialNeeds)
  const [typed, setTyped, draft] = useDraft<string | null>('special-needs', null)
  const saved = data?.data.needs ?? ''
  const needs = typed ?? saved
  const form = useForm({
    call: saveSpecialNeeds,
    body: { needs: needs.trim() || null },
    done: t('needs.saved'),
    onDone: () => {
      setTyped(null)
      draft.clear()
    },
  })
  return (
    <Card title={t('needs.title')}>
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={2} />
      ) : (
        <PageForm form={form} submit={t('needs.save')} button={{ disabled: needs === saved, mih: 44 }}>
          <Text c="dimmed">{t('needs.text')}</Text>
          <Textarea
            label={t('needs.label')}
            autosize
            minRows={2}
            value={needs}
            {...form.field('needs')}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </PageForm>
      )}
    </Card>
  )
}
