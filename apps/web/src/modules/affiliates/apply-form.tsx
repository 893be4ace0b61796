import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type AffiliateKind, affiliateKinds } from '#domain/affiliates/affiliates.ts'
import { applyAsAffiliate } from '#domain/affiliates/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'

/** Applies to become an affiliate. */
export function ApplyForm() {
  const { t } = useTranslation('affiliates')
  const form = useForm({
    call: applyAsAffiliate,
    start: { kind: 'alumni' as AffiliateKind, phone: '', reason: '', biography: '' },
    done: t('own.sent'),
  })
  return (
    <Card title={t('own.apply')}>
      <Stack>
        <Text>{t('own.applyText')}</Text>
        <PageForm form={form} submit={t('own.send')}>
          <Select
            label={t('own.kind')}
            data={affiliateKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            allowDeselect={false}
            {...form.choice('kind')}
          />
          <TextInput type="tel" label={t('own.phone')} {...form.text('phone')} />
          <Textarea label={t('own.reason')} autosize minRows={3} {...form.text('reason')} />
          <Textarea
            label={t('own.biography')}
            description={t('own.biographyHelp')}
            autosize
            minRows={3}
            {...form.text('biography')}
          />
        </PageForm>
      </Stack>
    </Card>
  )
}
